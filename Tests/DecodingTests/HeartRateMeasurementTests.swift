import Decoding
import TestSupport
import Testing

@Suite("HeartRateMeasurement")
struct HeartRateMeasurementTests {
    /// A value of the service specification, and what it says.
    struct Vector: CustomTestStringConvertible {
        var name: String
        var hex: String
        var bpm: UInt16
        var contact = HeartRateMeasurement.Contact.unsupported
        var energy: UInt16?
        var rr: [UInt16] = []
        var trailing = 0

        var testDescription: String { name }
    }

    static let vectors = [
        Vector(name: "least value", hex: "00 48", bpm: 72),
        Vector(name: "a common strap", hex: "16 53 b402", bpm: 83, contact: .detected, rr: [692]),
        Vector(name: "no reading", hex: "00 00", bpm: 0),
        Vector(name: "largest in one byte", hex: "00 ff", bpm: 255),
        Vector(name: "zero in two bytes", hex: "01 0000", bpm: 0),
        Vector(name: "two bytes, small first", hex: "01 2c01", bpm: 300),
        Vector(name: "largest in two bytes", hex: "01 ffff", bpm: 65_535),
        Vector(name: "contact bits 0", hex: "00 48", bpm: 72, contact: .unsupported),
        Vector(name: "contact bits 1", hex: "02 48", bpm: 72, contact: .unsupported),
        Vector(name: "contact bits 2", hex: "04 48", bpm: 72, contact: .notDetected),
        Vector(name: "contact bits 3", hex: "06 48", bpm: 72, contact: .detected),
        Vector(name: "energy", hex: "08 48 3412", bpm: 72, energy: 0x1234),
        Vector(name: "energy of zero", hex: "08 48 0000", bpm: 72, energy: 0),
        Vector(name: "energy at its end", hex: "08 48 ffff", bpm: 72, energy: 65_535),
        Vector(name: "RR announced, none there", hex: "10 48", bpm: 72),
        Vector(name: "two RR in order", hex: "10 48 0003 0104", bpm: 72, rr: [768, 1025]),
        Vector(name: "RR at both ends", hex: "10 48 0000 ffff", bpm: 72, rr: [0, 65_535]),
        Vector(
            name: "RR after two bytes and energy", hex: "19 4800 0500 0004", bpm: 72, energy: 5,
            rr: [1024]),
        Vector(
            name: "everything", hex: "1f 9001 0a00 b402 b502 b602", bpm: 400, contact: .detected,
            energy: 10, rr: [692, 693, 694]),
        Vector(
            name: "nine RR fill a notification of 20 bytes",
            hex: "10 48 0100 0200 0300 0400 0500 0600 0700 0800 0900", bpm: 72,
            rr: [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        Vector(name: "half an RR", hex: "10 48 03", bpm: 72, trailing: 1),
        Vector(name: "one and a half RR", hex: "10 48 0003 01", bpm: 72, rr: [768], trailing: 1),
        Vector(name: "RR not announced", hex: "00 48 0003", bpm: 72, trailing: 2),
        Vector(
            name: "energy, then RR not announced", hex: "08 48 0100 000301", bpm: 72, energy: 1,
            trailing: 3),
        Vector(name: "reserved bits", hex: "e0 48", bpm: 72),
        Vector(
            name: "reserved bits beside all others", hex: "ff 4800 0100 0004", bpm: 72,
            contact: .detected, energy: 1, rr: [1024]),
    ]

    @Test("decodes every field", arguments: vectors)
    func decodesEveryField(_ vector: Vector) throws {
        let value = bytes(vector.hex)
        let measurement = try HeartRateMeasurement(decoding: value.span)
        #expect(measurement.flags == value[0])
        #expect(measurement.heartRateBPM == vector.bpm)
        #expect(measurement.contact == vector.contact)
        #expect(measurement.energyExpendedKilojoules == vector.energy)
        #expect(measurement.rrIntervalCount == vector.rr.count)
        #expect(measurement.rrIntervals1024ths(in: value.span) == vector.rr)
        #expect(measurement.trailingByteCount == vector.trailing)
    }

    @Test(
        "names the field and the byte where a value ends",
        arguments: [
            ("", MalformedMeasurement.Field.flags, 0),
            ("00", .heartRate, 1),
            ("01", .heartRate, 1),
            ("01 48", .heartRate, 2),
            ("08 48", .energyExpended, 2),
            ("08 48 01", .energyExpended, 3),
            ("09 4800 01", .energyExpended, 4),
            ("ff", .heartRate, 1),
        ])
    func namesFieldAndByte(_ hex: String, _ field: MalformedMeasurement.Field, _ offset: Int) {
        let expected = MalformedMeasurement(code: .truncated, field: field, offset: offset)
        #expect(outcome(HeartRateMeasurement.self, bytes(hex)) == .failure(expected))
    }

    @Test("rejects every prefix that cuts a field, and no other")
    func everyTruncation() throws {
        let full = bytes("1f 9001 0a00 b402 b502 b602")
        let fields: [MalformedMeasurement.Field] = [
            .flags, .heartRate, .heartRate, .energyExpended, .energyExpended,
        ]
        for (count, field) in fields.enumerated() {
            let error = MalformedMeasurement(code: .truncated, field: field, offset: count)
            let prefix = Array(full.prefix(count))
            #expect(outcome(HeartRateMeasurement.self, prefix) == .failure(error))
        }
        for count in fields.count...full.count {
            let prefix = Array(full.prefix(count))
            let measurement = try HeartRateMeasurement(decoding: prefix.span)
            #expect(measurement.heartRateBPM == 400)
            #expect(measurement.rrIntervalCount == (count - 5) / 2)
            #expect(measurement.trailingByteCount == (count - 5) % 2)
        }
    }

    @Test("agrees with a naive decoder on every flags byte and every length to 30")
    func agreesWithReference() throws {
        try randomValues(seed: 0x2A37) { value in
            try #require(Self.observed(value) == Self.reference(value), "\(hex(value))")
        }
    }

    @Test("holds values far longer than any notification")
    func longValues() throws {
        let value = bytes("10 48") + Array(repeating: 1, count: 70_001)
        let measurement = try HeartRateMeasurement(decoding: value.span)
        #expect(measurement.rrIntervalCount == 35_000)
        #expect(measurement.rrInterval1024ths(at: 34_999, in: value.span) == 257)
        #expect(measurement.trailingByteCount == 1)
    }

    @Test("stops the program at an RR index out of range, even within the value")
    func rejectsIndices() async {
        await #expect(processExitsWith: .failure) {
            // The flags announce no RR intervals, though there are bytes for one.
            let value: [UInt8] = [0x00, 0x48, 0x00, 0x03]
            let measurement = try HeartRateMeasurement(decoding: value.span)
            _ = measurement.rrInterval1024ths(at: 0, in: value.span)
        }
        await #expect(processExitsWith: .failure) {
            let value: [UInt8] = [0x10, 0x48, 0x00, 0x03]
            let measurement = try HeartRateMeasurement(decoding: value.span)
            _ = measurement.rrInterval1024ths(at: -1, in: value.span)
        }
    }
}

// MARK: - Reference

extension HeartRateMeasurementTests {
    /// All that a measurement says, in a form that both decoders can fill in.
    struct Reading: Equatable {
        var fields: [MalformedMeasurement.Field: Int]
        var contact: HeartRateMeasurement.Contact
        var rr: [UInt16]
        var trailing: Int
    }

    static func observed(_ value: [UInt8]) -> Result<Reading, MalformedMeasurement> {
        outcome(HeartRateMeasurement.self, value).map { measurement in
            var fields = [
                MalformedMeasurement.Field.flags: Int(measurement.flags),
                .heartRate: Int(measurement.heartRateBPM),
            ]
            fields[.energyExpended] = measurement.energyExpendedKilojoules.map(Int.init)
            return Reading(
                fields: fields, contact: measurement.contact,
                rr: measurement.rrIntervals1024ths(in: value.span),
                trailing: measurement.trailingByteCount)
        }
    }

    /// HRS 1.0, 3.1.1.1.2, from bits 2 and 1 in that order.
    static func contact(_ digits: Substring) -> HeartRateMeasurement.Contact {
        switch digits {
        case "10": .notDetected
        case "11": .detected
        default: .unsupported
        }
    }

    static func reference(_ value: [UInt8]) -> Result<Reading, MalformedMeasurement> {
        switch ReferenceDecoder.heartRate.decode(value) {
        case .error(let error):
            return .failure(error)
        case .fields(let fields, let rest):
            let digits = ReferenceDecoder.binary(value[0])
            var rr: [UInt16] = []
            var trailing = rest[...]
            while ReferenceDecoder.bit(4, of: digits), trailing.count >= 2 {
                rr.append(UInt16(ReferenceDecoder.number(trailing.prefix(2))))
                trailing.removeFirst(2)
            }
            return .success(
                Reading(
                    fields: fields, contact: contact(digits.dropFirst(5).prefix(2)),
                    rr: rr, trailing: trailing.count))
        }
    }
}
