internal import Events

/// What stands for devices, texts and identities: the same for the same one, numbered in the order
/// in which they appear.
struct StandIns: Sendable {
    private var devices: [DeviceID: UInt64] = [:]
    private var texts: [String: [String: UInt64]] = [:]
    private var identities: [[UInt8]: UInt64] = [:]

    /// What the texts of a field are called: they are told apart, and so are their repetitions.
    private static let told = [
        "adapter": "adapter", "author": "author", "countedBy": "counter", "fileName": "file",
        "format": "format", "name": "device", "origin": "origin", "zoneName": "zone",
    ]

    /// What stands for a text that is not told from others.
    private static let removed = "removed"

    /// A device that stands for this one.
    mutating func device(_ device: DeviceID) -> DeviceID {
        let number = devices[device] ?? UInt64(devices.count) + 1
        devices[device] = number
        return DeviceID(address: number, space: .other)
    }

    /// A text that stands for this one; an empty one stays.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - field: The name of the field that it stands in.
    /// - Returns: The stand-in, or the text itself if it is one of a program and not of a person.
    mutating func text(_ text: String, in field: String) -> String {
        guard !text.isEmpty else { return text }
        if let harmless = Self.harmless(text, in: field) { return harmless }
        guard let name = Self.told[field] else { return Self.removed }
        let number = texts[field]?[text] ?? UInt64(texts[field]?.count ?? 0) + 1
        texts[field, default: [:]][text] = number
        return "\(name) \(number)"
    }

    /// Bytes that stand for an identity or a hash, as many; zeros stay.
    mutating func identity(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 != 0 }) else { return bytes }
        let number = identities[bytes] ?? UInt64(identities.count) + 1
        identities[bytes] = number
        return (0..<bytes.count).map { index in
            let shift = 8 * (bytes.count - 1 - index)
            return shift < 64 ? UInt8(truncatingIfNeeded: number >> UInt64(shift)) : 0
        }
    }

    /// What of a text is said by a program in words of its own: a version, the name of a format, or
    /// the name of an error of the Bluetooth daemon.
    private static func harmless(_ text: String, in field: String) -> String? {
        switch field {
        case "programVersion":
            return text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } ? text : nil
        case "format": return formats.contains(text) ? text : nil
        case "reason", "error":
            let name = text.prefix { $0 != ":" }
            let isName = name.utf8.allSatisfy { $0.isLetter || $0 == UInt8(ascii: ".") }
            return isName && name.hasPrefix("org.bluez.") ? String(name) : nil
        case "message":
            let isName = text.utf8.allSatisfy { $0.isLowercase || $0 == UInt8(ascii: "-") }
            return isName && (text.hasPrefix("le-") || text.hasPrefix("br-")) ? text : nil
        default: return nil
        }
    }

    private static let formats =
        WalkFileFormat.allCases.map(\.rawValue)
        + ["appleHealth", "gadgetbridge", "jsonl", "pulselog"]
        + ["btmon", "btsnoop", "lines", "notifications", "pcap", "pcapng"]
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isLetter: Bool {
        isLowercase || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }
}
