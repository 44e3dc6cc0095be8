internal import BluetoothCentral
internal import Decoding
package import Events
internal import Text

extension RecordedEvent {
    /// When it came, where the walker was.
    func time(offsetMinutes: Int64) -> LocalTime {
        LocalTime(header.stamp.wallMilliseconds, offsetMinutes: offsetMinutes)
    }

    /// What happened, whose walk it was of, and whether it is simulated.
    var words: String {
        (header.source == 0 ? "" : "[\(Provenance.imported(header.source).name)] ")
            + marked(event.words)
    }

    /// Adds whether it is simulated.
    func marked(_ words: String) -> String {
        words + (header.flags.contains(.simulated) ? " (simulated)" : "")
    }

    /// Whose walk it was of, `, import 1`; nothing for one that was recorded here.
    var origin: String { header.source == 0 ? "" : Provenance.imported(header.source).mark }
}

extension Event {
    /// What happened, in a few words; strangers' text is made harmless.
    package var words: String {
        if let value {
            return if case .characteristicRead = self { "read: " + value.words } else {
                value.words
            }
        }
        return switch self {
        case .pedometerRead(let event): event.words
        case .positionFixed(let fix): fix.words
        case .unknown(let event) where event.version == 1 && event.kind.name != nil:
            "\(name) that cannot be decoded: \(event.payload.count) bytes"
        case .unknown(let event):
            "event of a newer version: kind 0x\(String(event.kind.rawValue, radix: 16)), "
                + "\(event.payload.count) bytes"
        default: name + details
        }
    }

    /// The kind's name as words: `sessionStarted` becomes `session started`.
    private var name: String { inWords(kind.name ?? "event") }

    private var details: String {
        let texts = fieldTexts.prefix(8).joined(separator: ", ")
        return texts.isEmpty ? "" : ": " + texts
    }

    private var fieldTexts: [String] {
        var fields = FieldTexts()
        do throws(FieldError) {
            try writeFields(to: &fields)
            return fields.texts
        } catch {
            return [error.description]
        }
    }

    /// What a device sent, byte for byte; nil if the event holds no such thing.
    var value: ReportedValue? {
        switch self {
        case .characteristicNotified(let event):
            ReportedValue(event.characteristic, event.value, event.device)
        case .characteristicRead(let event):
            ReportedValue(event.characteristic, event.value, event.device)
        case .pedometerRead(let event):
            if case .characteristic(let code, let bytes) = event.reading {
                ReportedValue(code, bytes, event.device)
            } else {
                nil
            }
        default: nil
        }
    }
}

/// The value of a characteristic, whose it is, and what it means.
struct ReportedValue {
    let code: CharacteristicCode
    let bytes: [UInt8]
    let device: DeviceID
    let meaning: Result<DecodedValue, MalformedMeasurement>

    init(_ code: CharacteristicCode, _ bytes: [UInt8], _ device: DeviceID) {
        (self.code, self.bytes, self.device) = (code, bytes, device)
        meaning = Result { () throws(MalformedMeasurement) in
            try DecodedValue(code, bytes)
        }
    }

    /// What it means, or why it cannot be decoded.
    var words: String {
        switch meaning {
        case .success(let value): value.words
        case .failure(let error):
            "undecodable \(code.shortUUID) \(hexadecimal(bytes)): \(error)"
        }
    }
}

extension PedometerRead {
    fileprivate var words: String {
        if case .counter(let count) = reading { "pedometer at \(grouped(count))" } else { "" }
    }
}

extension PositionFixed {
    /// Where it is, to about a metre, and how sure that is.
    fileprivate var words: String {
        func degrees(_ e7: Int64) -> String {
            decimal((e7 + (e7 < 0 ? -50 : 50)) / 100, places: 5)
        }
        return "position \(degrees(latitudeE7)), \(degrees(longitudeE7))\(errorWords)"
    }

    /// `, within 8 m`; nothing where that is not known.
    var errorWords: String {
        accuracyMillimetres.map {
            ", within \(grouped($0 / 1_000 + ($0 % 1_000 > 0 ? 1 : 0))) m"
        } ?? ""
    }
}

/// The fields of a payload as `name value`, for people.
private struct FieldTexts: FieldCoder {
    var texts: [String] = []

    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {
        texts.append("\(name) \(value)")
    }

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        texts.append("\(name) \(value)")
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {
        if value { texts.append("\(name)") }
    }

    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        if !value.isEmpty { texts.append(quoted(value)) }
    }

    mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {
        texts.append(hexadecimal(value))
    }

    mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        texts.append("\(name) " + hexadecimal(Array(value.prefix(4))) + "…")
    }

    mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError) {
        texts.append(value.name)
    }

    mutating func openCode<Code: CodedName>(
        _ name: StaticString, _ value: inout OpenCode<Code>
    ) throws(FieldError) {
        texts.append(value.known?.name ?? "\(name) \(value.rawValue)")
    }

    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        texts.append(value.description)
    }

    mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError) {
        texts.append(value.description)
    }

    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) throws(FieldError) {}
}
