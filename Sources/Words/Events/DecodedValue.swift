public import Decoding
internal import Interchange
internal import JSON
internal import Projections
internal import Text

/// A characteristic's value with its meaning, ready to be printed.
public enum DecodedValue {
    /// 2A37.
    case heartRate(HeartRateMeasurement)
    /// 2A38.
    case location(BodySensorLocation)
    /// 2A29.
    case manufacturer(ManufacturerName)
    /// 2A19.
    case battery(BatteryLevel)
    /// 2A53.
    case footPod(RunningSpeedCadenceMeasurement)
    /// InfiniTime's own.
    case steps(InfiniTimeStepCount)

    /// Decodes a value.
    ///
    /// - Throws: `MalformedMeasurement`.
    public init(_ characteristic: Characteristic, _ value: [UInt8]) throws(MalformedMeasurement) {
        let bytes = value.span
        self =
            switch characteristic {
            case .heartRateMeasurement: .heartRate(try HeartRateMeasurement(decoding: bytes))
            case .bodySensorLocation: .location(try BodySensorLocation(decoding: bytes))
            case .manufacturerName: .manufacturer(try ManufacturerName(decoding: bytes))
            case .batteryLevel: .battery(try BatteryLevel(decoding: bytes))
            case .runningSpeedCadenceMeasurement:
                .footPod(try RunningSpeedCadenceMeasurement(decoding: bytes))
            case .infiniTimeStepCount: .steps(try InfiniTimeStepCount(decoding: bytes))
            }
    }

    /// One object and a newline.
    public func jsonLine(_ value: [UInt8]) -> [UInt8] {
        JSONWriter.line { line in
            line.field("characteristic", characteristic.shortUUID)
            line.field("bytes", hexadecimal(value))
            writeMeaning(of: value, to: &line)
        }
    }

    /// Writes what the bytes mean into an object that is open.
    func writeMeaning(of value: [UInt8], to line: inout JSONWriter) {
        switch self {
        case .heartRate(let measurement):
            line.field("bpm", measurement.heartRateBPM)
            line.field("contact", measurement.contact.rawValue)
            line.field("energyKilojoules", measurement.energyExpendedKilojoules)
            line.array("rrTicks") { array in
                for interval in measurement.rrIntervals1024ths(in: value.span) {
                    array.value(interval)
                }
            }
        case .location(let location):
            line.field("location", location.number)
            line.field("name", location.name)
        case .manufacturer(let name): line.field("manufacturer", name.text)
        case .battery(let level): line.field("batteryPercent", level.percent)
        case .footPod(let measurement):
            line.field(
                "speed256thsMetresPerSecond",
                Self.reading(measurement.speed256thsMetresPerSecond))
            line.field("cadencePerMinute", Self.reading(measurement.cadencePerMinute))
            line.field("strideLengthCentimetres", measurement.strideLengthCentimetres)
            line.field("totalDistanceDecimetres", measurement.totalDistanceDecimetres)
            line.field("running", measurement.isRunning)
        case .steps(let count): line.field("steps", count.steps)
        }
        if trailingByteCount > 0 { line.field("trailingBytes", trailingByteCount) }
    }

    /// One line for people.
    public func text(_ value: [UInt8]) -> String {
        var parts: [String] =
            switch self {
            case .heartRate(let measurement): Self.words(measurement, value)
            case .location(let location):
                [location.name ?? "reserved for future use (\(location.number))"]
            case .manufacturer(let name): [printable(name.text, limit: 128)]
            case .battery(let level): ["battery \(level.percent) %"]
            case .footPod(let measurement): Self.words(measurement)
            case .steps(let count): ["\(count.steps) step\(count.steps == 1 ? "" : "s")"]
            }
        if trailingByteCount > 0 { parts.append("\(trailingByteCount) trailing bytes") }
        return parts.joined(separator: ", ") + "\n"
    }

    private var characteristic: Characteristic {
        switch self {
        case .heartRate: .heartRateMeasurement
        case .location: .bodySensorLocation
        case .manufacturer: .manufacturerName
        case .battery: .batteryLevel
        case .footPod: .runningSpeedCadenceMeasurement
        case .steps: .infiniTimeStepCount
        }
    }

    private var trailingByteCount: Int {
        switch self {
        case .heartRate(let value): value.trailingByteCount
        case .location(let value): value.trailingByteCount
        case .manufacturer(let value): value.trailingByteCount
        case .battery(let value): value.trailingByteCount
        case .footPod(let value): value.trailingByteCount
        case .steps(let value): value.trailingByteCount
        }
    }

    private static func words(_ measurement: HeartRateMeasurement, _ value: [UInt8]) -> [String] {
        var words = ["\(measurement.heartRateBPM) BPM"]
        if let doubt = measurement.doubt, doubt != .zero { words.append(doubt.words) }
        switch measurement.contact {
        case .unsupported: words.append("contact not supported")
        case .notDetected: words.append("no contact")
        case .detected: words.append("contact")
        }
        if let energy = measurement.energyExpendedKilojoules { words.append("\(energy) kJ") }
        let intervals = measurement.rrIntervals1024ths(in: value.span).map(String.init)
        if !intervals.isEmpty {
            words.append("RR \(intervals.joined(separator: " ")) (1/1024 s)")
        }
        return words
    }

    /// A rate of a foot pod; nil if all bits are set, which is no reading.
    private static func reading<Rate: FixedWidthInteger>(_ rate: Rate) -> Rate? {
        rate == .max ? nil : rate
    }

    private static func words(_ measurement: RunningSpeedCadenceMeasurement) -> [String] {
        var words = [
            measurement.isRunning ? "running" : "walking",
            reading(measurement.speed256thsMetresPerSecond).map { "speed \($0)/256 m/s" }
                ?? "speed \(HeartRateDoubt.noReading.words)",
            reading(measurement.cadencePerMinute).map { "cadence \($0) per minute" }
                ?? "cadence \(HeartRateDoubt.noReading.words)",
        ]
        if let stride = measurement.strideLengthCentimetres { words.append("stride \(stride) cm") }
        if let distance = measurement.totalDistanceDecimetres {
            words.append("distance \(distance)/10 m")
        }
        return words
    }
}

extension MalformedMeasurement {
    /// One object and a newline: what cannot be decoded, and why.
    public func jsonLine(_ characteristic: Characteristic, _ value: [UInt8]) -> [UInt8] {
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
