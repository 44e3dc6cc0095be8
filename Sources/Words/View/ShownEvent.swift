internal import Decoding
package import Events
package import JSON
internal import Text

/// An event as it is shown on its own: when it was where the walker was, what happened, and what
/// its bytes mean.
package struct ShownEvent: JSONObject {
    /// When it came.
    package let time: LocalTime
    private let recorded: RecordedEvent
    private let units: Units
    private let value: ReportedValue?
    private let names: [DeviceID: String]

    /// Shows an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - offsetMinutes: Minutes east of UTC where it was recorded.
    ///   - units: The walker's.
    ///   - names: What devices are called that have a name.
    package init(
        _ event: RecordedEvent, offsetMinutes: Int64, units: Units, names: [DeviceID: String] = [:]
    ) {
        (self.units, self.names) = (units, names)
        recorded = event
        value = event.event.value
        time = event.time(offsetMinutes: offsetMinutes)
    }

    /// Writes its time and a line, for lists.
    package func write(to json: inout JSONWriter) {
        json.object { writeLine(to: &$0) }
    }

    /// Writes its time and a line, by default its own, into an object that is open.
    func writeLine(_ text: String? = nil, to json: inout JSONWriter) {
        json.field("position", recorded.header.position)
        json.field("number", grouped(recorded.header.position))
        json.field("time", time.exact)
        json.field("date", time.date.long)
        json.field("heading", time.date.long + recorded.origin)
        json.field("day", time.date.description)
        json.field("moment", time.localMilliseconds)
        json.field("line", text ?? line)
    }

    /// The sentence as an entry of a list; a strap's value and a position in a few words.
    private var line: String {
        if let told { return told }
        if let measurement, let value {
            let beats = measurement.rrIntervals1024ths(in: value.bytes.span).count
            let words = [
                "\(measurement.heartRateBPM) BPM", measurement.doubtWords,
                beats > 0 ? counted(UInt64(beats), "beat interval") : nil,
                measurement.contact == .notDetected ? "no contact with the skin" : nil,
            ]
            return recorded.marked(words.compactMap(\.self).joined(separator: ", "))
        }
        if case .positionFixed(let fix) = recorded.event {
            return recorded.marked("Position" + fix.errorWords)
        }
        return plain
    }

    private var plain: String { capitalized(recorded.marked(recorded.event.words)) }

    /// The event's sentence without its full stop, nil if it has none.
    private var told: String? {
        recorded.event.sentence(units, names).map { sentence in
            recorded.marked(
                sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)
        }
    }

    /// Writes all that is shown of it into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        writeLine(to: &json)
        json.field("sort", (isMalformed ? "Could not be read" : sort) + recorded.origin)
        json.field("isOdd", isMalformed)
        json.field("sentence", sentence)
        json.field("source", source)
        json.field("bytes", parts)
        let bytes = value.map { BytePart($0.bytes[...], "").hexadecimal }
        json.field(
            "raw", bytes.map { "bytes \($0) at position \(grouped(recorded.header.position))" })
    }

    /// What a strap says of the heart; nil if the event is something else, or cannot be read.
    private var measurement: HeartRateMeasurement? {
        guard case .success(let decoded)? = value?.meaning else { return nil }
        return decoded.heartRate
    }

    private var isMalformed: Bool { value?.code == .heartRateMeasurement && measurement == nil }

    private var sort: String {
        switch recorded.header.kind.lane {
        case .heart: value?.code == .heartRateMeasurement ? "Heart rate" : "Strap"
        case .steps: recorded.header.kind == .pedometerRead ? "Pedometer" : "Steps"
        case .place: "Position"
        case .session: "Walk"
        case .link: "Link"
        case .day: "Day"
        case .control, nil: "Log"
        }
    }

    private var sentence: String {
        if let told { return told + "." }
        guard let measurement, let value else { return plain + "." }
        var text = "The strap reported \(measurement.heartRateBPM) beats per minute"
        if let doubt = measurement.doubtWords { text += ", \(doubt)" }
        switch measurement.contact {
        case .unsupported: break
        case .detected: text += ", touching skin"
        case .notDetected: text += ", but not touching skin"
        }
        let beats = measurement.rrIntervals1024ths(in: value.bytes.span)
            .map { grouped((UInt64($0) * 1_000 + 512) / 1_024) }
        switch beats.count {
        case 0: return text + "."
        case 1: return text + ". One beat came \(beats[0]) ms after the one before."
        default:
            return text + ". \(beats.count) beats came, \(beats.joined(separator: ", ")) ms apart."
        }
    }

    /// The device, and what the event is called in its specification, or by the log.
    private var source: [String] {
        guard let value else { return [recorded.header.kind.name ?? ""].filter { !$0.isEmpty } }
        return [names[value.device] ?? value.device.description, value.code.title]
    }

    private var parts: [BytePart] {
        guard let value, !value.bytes.isEmpty else { return [] }
        guard value.code == .heartRateMeasurement else {
            return [BytePart(value.bytes.prefix(24), counted(UInt64(value.bytes.count), "byte"))]
        }
        return BytePart.parts(ofHeartRate: value.bytes)
    }
}

extension CharacteristicCode {
    /// What the specification calls it.
    fileprivate var title: String {
        switch self {
        case .heartRateMeasurement: "Heart Rate Measurement, 2a37"
        case .bodySensorLocation: "Body Sensor Location, 2a38"
        case .manufacturerName: "Manufacturer Name, 2a29"
        case .batteryLevel: "Battery Level, 2a19"
        case .runningSpeedCadenceMeasurement: "RSC Measurement, 2a53"
        case .infiniTimeStepCount: "Step Count, InfiniTime"
        }
    }
}

/// Some bytes of a value, with what they mean: the part of that which matters most stands apart.
struct BytePart: Hashable, JSONObject {
    let hexadecimal: String
    let kind: String
    let before: String
    let strong: String
    let after: String

    init(
        _ bytes: ArraySlice<UInt8>, _ before: String, _ strong: String = "", _ after: String = "",
        kind: String = ""
    ) {
        let pairs = bytes.map { Text.hexadecimal([$0]) }
        hexadecimal = pairs.isEmpty ? "··" : pairs.joined(separator: " ")
        (self.kind, self.before, self.strong, self.after) = (kind, before, strong, after)
    }

    package func writeFields(to json: inout JSONWriter) {
        json.field("hex", hexadecimal)
        json.field("kind", kind)
        json.field("before", before)
        json.field("strong", strong)
        json.field("after", after)
    }

    /// The fields of a heart rate as its flags announce them (Bluetooth HRS 1.0, 3.1.1), to where
    /// the bytes end.
    static func parts(ofHeartRate value: [UInt8]) -> [BytePart] {
        var parts: [BytePart] = []
        var rest = value[...]
        /// Takes a field of some bytes; false where they end before it is whole.
        func take(_ count: Int, _ name: String, _ part: (UInt16, ArraySlice<UInt8>) -> BytePart)
            -> Bool
        {
            let bytes = rest.prefix(count)
            guard bytes.count == count else {
                if !bytes.isEmpty {
                    parts.append(BytePart(bytes, "first half of \(name)", kind: "v"))
                }
                parts.append(BytePart([], "ended here, ", "byte \(value.count + 1)", kind: "bad"))
                return false
            }
            rest = rest.dropFirst(count)
            parts.append(part(bytes.reversed().reduce(0) { $0 << 8 | UInt16($1) }, bytes))
            return true
        }
        guard take(1, "flags", { BytePart($1, "flags: \(words(ofFlags: $0))") }),
            case let flags = value[0],
            take(
                flags & 1 == 0 ? 1 : 2, "BPM", { BytePart($1, "", "\($0)", " BPM", kind: "v") })
        else { return parts }
        if flags & 8 != 0, !take(2, "energy", { BytePart($1, "", "\($0)", " kJ") }) { return parts }
        while flags & 16 != 0, rest.count >= 2 {
            _ = take(2, "interval") { BytePart($1, "", "\($0)", "/1024 s", kind: "r") }
        }
        guard !rest.isEmpty else { return parts }
        let left = counted(UInt64(rest.count), "byte")
        return parts + [BytePart(rest, "left over, ", left, kind: "bad")]
    }

    private static func words(ofFlags flags: UInt16) -> String {
        var words = [flags & 1 == 0 ? "one-byte BPM" : "two-byte BPM"]
        if flags & 4 != 0 { words.append(flags & 2 == 0 ? "not on skin" : "on skin") }
        if flags & 8 != 0 { words.append("has energy") }
        if flags & 16 != 0 { words.append("has intervals") }
        return words.joined(separator: ", ")
    }
}
