import Decoding
import TestSupport
import Testing

@Suite("RunningSpeedCadenceMeasurement")
struct RunningSpeedCadenceMeasurementTests {
    /// A value of the service specification, and what it says.
    struct Vector: CustomTestStringConvertible {
        var name: String
        var hex: String
        var speed: UInt16
        var cadence: UInt8
        var stride: UInt16?
        var distance: UInt32?
        var isRunning = false
        var trailing = 0

        var testDescription: String { name }
    }

    static let vectors = [
        Vector(name: "standing", hex: "00 0000 00", speed: 0, cadence: 0),
        Vector(name: "walking at 1.5 m/s", hex: "00 8001 38", speed: 384, cadence: 56),
        Vector(name: "largest", hex: "00 ffff ff", speed: 65_535, cadence: 255),
        Vector(name: "running", hex: "04 0003 50", speed: 768, cadence: 80, isRunning: true),
        Vector(name: "stride", hex: "01 8001 38 4b00", speed: 384, cadence: 56, stride: 75),
        Vector(
            name: "distance", hex: "02 8001 38 78563412", speed: 384, cadence: 56,
            distance: 0x1234_5678),
        Vector(
            name: "everything", hex: "07 0003 50 c800 ffffffff", speed: 768, cadence: 80,
            stride: 200, distance: 4_294_967_295, isRunning: true),
        Vector(name: "reserved bits", hex: "f8 8001 38", speed: 384, cadence: 56),
        Vector(
            name: "not announced", hex: "00 8001 38 4b00", speed: 384, cadence: 56, trailing: 2),
        Vector(
            name: "one byte more", hex: "01 8001 38 4b00 ff", speed: 384, cadence: 56, stride: 75,
            trailing: 1),
    ]

    @Test("decodes every field", arguments: vectors)
    func decodesEveryField(_ vector: Vector) throws {
        let value = bytes(vector.hex)
        let measurement = try RunningSpeedCadenceMeasurement(decoding: value.span)
        #expect(measurement.flags == value[0])
        #expect(measurement.speed256thsMetresPerSecond == vector.speed)
        #expect(measurement.cadencePerMinute == vector.cadence)
        #expect(measurement.strideLengthCentimetres == vector.stride)
        #expect(measurement.totalDistanceDecimetres == vector.distance)
        #expect(measurement.isRunning == vector.isRunning)
        #expect(measurement.trailingByteCount == vector.trailing)
    }

    @Test("names the field that each proper prefix of a full value cuts")
    func everyTruncation() {
        let full = bytes("07 0003 50 c800 78563412")
        let fields: [MalformedMeasurement.Field] = [
            .flags, .speed, .speed, .cadence, .strideLength, .strideLength,
            .totalDistance, .totalDistance, .totalDistance, .totalDistance,
        ]
        #expect(fields.count == full.count)
        for (count, field) in fields.enumerated() {
            let error = MalformedMeasurement(code: .truncated, field: field, offset: count)
            let prefix = Array(full.prefix(count))
            #expect(outcome(RunningSpeedCadenceMeasurement.self, prefix) == .failure(error))
        }
    }

    @Test("agrees with a naive decoder on every flags byte and every length to 30")
    func agreesWithReference() throws {
        try randomValues(seed: 0x2A53) { value in
            let expected = ReferenceDecoder.runningSpeedCadence.decode(value)
            try #require(Self.observed(value) == expected, "\(hex(value))")
        }
    }

    @Test("runs exactly when bit 2 of the flags is set")
    func runsByBit2() throws {
        for flags in UInt8.min...UInt8.max {
            let value = [flags] + [UInt8](repeating: 0, count: 9)
            let measurement = try RunningSpeedCadenceMeasurement(decoding: value.span)
            #expect(
                measurement.isRunning == ReferenceDecoder.bit(2, of: ReferenceDecoder.binary(flags))
            )
        }
    }

    static func observed(_ value: [UInt8]) -> ReferenceDecoder.Outcome {
        switch outcome(RunningSpeedCadenceMeasurement.self, value) {
        case .failure(let error):
            return .error(error)
        case .success(let measurement):
            var fields = [
                MalformedMeasurement.Field.flags: Int(measurement.flags),
                .speed: Int(measurement.speed256thsMetresPerSecond),
                .cadence: Int(measurement.cadencePerMinute),
            ]
            fields[.strideLength] = measurement.strideLengthCentimetres.map(Int.init)
            fields[.totalDistance] = measurement.totalDistanceDecimetres.map(Int.init)
            return .fields(fields, rest: Array(value.suffix(measurement.trailingByteCount)))
        }
    }
}
