internal import BluetoothCentral
package import Decoding
package import Events
package import JSON
internal import Projections
internal import Text

/// A characteristic's value with its meaning, ready to be printed.
package struct DecodedValue: Answer, JSONObject {
    /// What a strap says of the heart; nil of another characteristic.
    let heartRate: HeartRateMeasurement?
    /// What it means, in one line.
    let words: String
    private let characteristic: CharacteristicCode
    private let value: [UInt8]
    private let trailingByteCount: Int
    private let writeMeaning: (inout JSONWriter) -> Void

    private init(
        _ characteristic: CharacteristicCode, _ value: [UInt8], _ words: [String], trailing: Int,
        heartRate: HeartRateMeasurement? = nil, _ write: @escaping (inout JSONWriter) -> Void
    ) {
        let rest = trailing > 0 ? ["\(trailing) trailing bytes"] : []
        self.words = (words + rest).joined(separator: ", ")
        (self.characteristic, self.value, self.heartRate) = (characteristic, value, heartRate)
        (trailingByteCount, writeMeaning) = (trailing, write)
    }

    /// Decodes a value.
    ///
    /// - Throws: `MalformedMeasurement`.
    package init(
        _ characteristic: CharacteristicCode, _ value: [UInt8]
    ) throws(MalformedMeasurement) {
        let bytes = value.span
        switch characteristic {
        case .heartRateMeasurement:
            self.init(value, try HeartRateMeasurement(decoding: bytes))
        case .bodySensorLocation:
            let location = try BodySensorLocation(decoding: bytes)
            let name = location.name ?? "reserved for future use (\(location.number))"
            self.init(characteristic, value, [name], trailing: location.trailingByteCount) {
                $0.field("location", location.number)
                $0.field("name", location.name)
            }
        case .manufacturerName:
            let name = try ManufacturerName(decoding: bytes)
            let words = printable(name.text, limit: 128)
            self.init(characteristic, value, [words], trailing: name.trailingByteCount) {
                $0.field("manufacturer", name.text)
            }
        case .batteryLevel:
            let level = try BatteryLevel(decoding: bytes)
            let words = "battery \(level.percent) %"
            self.init(characteristic, value, [words], trailing: level.trailingByteCount) {
                $0.field("batteryPercent", level.percent)
            }
        case .runningSpeedCadenceMeasurement:
            self.init(value, try RunningSpeedCadenceMeasurement(decoding: bytes))
        case .infiniTimeStepCount:
            let count = try InfiniTimeStepCount(decoding: bytes)
            let words = "\(count.steps) step\(count.steps == 1 ? "" : "s")"
            self.init(characteristic, value, [words], trailing: count.trailingByteCount) {
                $0.field("steps", count.steps)
            }
        }
    }

    private init(_ value: [UInt8], _ measurement: HeartRateMeasurement) {
        var words = ["\(measurement.heartRateBPM) BPM"]
        if let doubt = measurement.doubtWords { words.append(doubt) }
        switch measurement.contact {
        case .unsupported: words.append("contact not supported")
        case .notDetected: words.append("no contact")
        case .detected: words.append("contact")
        }
        if let energy = measurement.energyExpendedKilojoules { words.append("\(energy) kJ") }
        let intervals = measurement.rrIntervals1024ths(in: value.span)
        if !intervals.isEmpty {
            let texts = intervals.map(String.init).joined(separator: " ")
            words.append("RR \(texts) (1/1024 s)")
        }
        self.init(
            .heartRateMeasurement, value, words, trailing: measurement.trailingByteCount,
            heartRate: measurement
        ) {
            $0.field("bpm", measurement.heartRateBPM)
            $0.field("contact", measurement.contact.rawValue)
            $0.field("energyKilojoules", measurement.energyExpendedKilojoules)
            $0.field("rrTicks", intervals)
        }
    }

    private init(_ value: [UInt8], _ measurement: RunningSpeedCadenceMeasurement) {
        let speed = Self.reading(measurement.speed256thsMetresPerSecond)
        let cadence = Self.reading(measurement.cadencePerMinute)
        let unknown = HeartRateDoubt.noReading.words
        let (stride, distance) = (
            measurement.strideLengthCentimetres, measurement.totalDistanceDecimetres
        )
        let words = [
            measurement.isRunning ? "running" : "walking",
            "speed " + (speed.map { "\($0)/256 m/s" } ?? unknown),
            "cadence " + (cadence.map { "\($0) per minute" } ?? unknown),
            stride.map { "stride \($0) cm" }, distance.map { "distance \($0)/10 m" },
        ]
        self.init(
            .runningSpeedCadenceMeasurement, value, words.compactMap(\.self),
            trailing: measurement.trailingByteCount
        ) {
            $0.field("speed256thsMetresPerSecond", speed)
            $0.field("cadencePerMinute", cadence)
            $0.field("strideLengthCentimetres", stride)
            $0.field("totalDistanceDecimetres", distance)
            $0.field("running", measurement.isRunning)
        }
    }

    /// A rate of a foot pod; nil if all bits are set, which is not a reading.
    private static func reading<Rate: FixedWidthInteger>(_ rate: Rate) -> Rate? {
        rate == .max ? nil : rate
    }

    /// One line for people.
    package var text: String { words + "\n" }

    /// Writes the bytes and what they mean.
    package func writeFields(to line: inout JSONWriter) {
        line.field("characteristic", characteristic.shortUUID)
        line.field("bytes", hexadecimal(value))
        writeMeaning(to: &line)
    }

    /// Writes what the bytes mean into an object that is open.
    func writeMeaning(to line: inout JSONWriter) {
        writeMeaning(&line)
        if trailingByteCount > 0 { line.field("trailingBytes", trailingByteCount) }
    }
}

extension MalformedMeasurement {
    /// One object and a newline: what cannot be decoded, and why.
    package func jsonLine(_ characteristic: CharacteristicCode, _ value: [UInt8]) -> [UInt8] {
        JSONWriter.line { line in
            line.field("characteristic", characteristic.shortUUID)
            line.field("bytes", hexadecimal(value))
            writeError(to: &line)
        }
    }

    /// Writes why it cannot be decoded into an object that is open.
    func writeError(to line: inout JSONWriter) {
        line.object("error") {
            $0.field("code", code.rawValue)
            $0.field("field", field.rawValue)
            $0.field("offset", offset)
            $0.field("message", description)
        }
    }
}
