internal import Decoding
public import Events
internal import Interchange
internal import JSON
internal import Text

extension RecordedEvent {
    /// One line for people: position, local time under an offset, what happened.
    public func text(offsetMinutes: Int64) -> String {
        let time = TimeText.local(header.stamp.wallMilliseconds, offsetMinutes: offsetMinutes)
        return EventLines.row("\(header.position)", String(time.suffix(8)), words)
    }

    /// What happened, whose walk it was of, and whether it was made up.
    var words: String {
        let source = header.source == 0 ? "" : "[\(Provenance.imported(header.source).name)] "
        return source + event.words + (header.flags.contains(.simulated) ? " (simulated)" : "")
    }
}

extension Event {
    /// What happened, in a few words; strangers' text is made harmless.
    public var words: String {
        switch self {
        case .characteristicNotified(let event):
            words(of: event.characteristic, event.value, event.device)
        case .characteristicRead(let event):
            "read: " + words(of: event.characteristic, event.value, event.device)
        case .pedometerRead(let event): words(of: event)
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
    private var name: String {
        (kind.name ?? "event").reduce(into: "") { text, character in
            text += character.isUppercase ? " " + character.lowercased() : String(character)
        }
    }

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

    private func words(
        of code: CharacteristicCode, _ value: [UInt8], _ device: DeviceID
    ) -> String {
        do throws(MalformedMeasurement) {
            let text = try DecodedValue(code.characteristic, value).text(value)
            return String(text.dropLast())
        } catch {
            return "undecodable \(code.characteristic.shortUUID) \(hexadecimal(value)): "
                + error.description
        }
    }

    private func words(of event: PedometerRead) -> String {
        switch event.reading {
        case .counter(let count): "pedometer at \(grouped(count))"
        case .characteristic(let code, let value): words(of: code, value, event.device)
        }
    }
}

extension PositionFixed {
    /// Where it is, to about a metre, and how sure that is.
    fileprivate var words: String {
        func degrees(_ e7: Int64) -> String {
            JSONDecimal(unscaled: (e7 + (e7 < 0 ? -50 : 50)) / 100, fractionDigits: 5).description
        }
        let error = accuracyMillimetres.map {
            ", within \(grouped($0 / 1_000 + ($0 % 1_000 > 0 ? 1 : 0))) m"
        }
        return "position \(degrees(latitudeE7)), \(degrees(longitudeE7))\(error ?? "")"
    }
}

extension CharacteristicCode {
    /// The characteristic whose values are decoded.
    var characteristic: Characteristic {
        switch self {
        case .heartRateMeasurement: .heartRateMeasurement
        case .bodySensorLocation: .bodySensorLocation
        case .manufacturerName: .manufacturerName
        case .batteryLevel: .batteryLevel
        case .runningSpeedCadenceMeasurement: .runningSpeedCadenceMeasurement
        case .infiniTimeStepCount: .infiniTimeStepCount
        }
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

    mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError) {
        texts.append("\(name) \(value)")
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {
        if value { texts.append("\(name)") }
    }

    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        if !value.isEmpty { texts.append(printable(value)) }
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
