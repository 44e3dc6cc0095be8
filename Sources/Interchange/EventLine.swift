public import Events

/// One event as it stands on a line: its envelope, and its payload's bytes as the log holds them.
public struct EventLine: Hashable, Sendable {
    /// The envelope.
    public var header: EventHeader
    /// The payload, at most ``Events/EventLimit/payloadBytes``.
    public var payload: [UInt8]

    /// Puts a payload behind its envelope.
    public init(header: EventHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }
}

/// The part of a line that every event has, in the order in which it is written.
///
/// Writing and reading share this one description, as payloads do.
struct Envelope {
    var header: EventHeader
    /// The kind's name, or its number as `0x4f` if this version knows none.
    var kind: String

    /// Passes every field to a coder.
    ///
    /// - Parameters:
    ///   - coder: What writes or reads them.
    ///   - flagsAsNumber: Whether the flags stand as one number instead of two names.
    /// - Throws: `FieldError` if a field is outside of its range.
    mutating func code(
        _ coder: inout some FieldCoder, flagsAsNumber: Bool
    ) throws(FieldError) {
        var source = UInt64(header.source)
        var bootNumber = UInt64(header.stamp.bootNumber)
        var version = UInt64(header.version)
        let numbers = UInt64(UInt32.min)...UInt64(UInt32.max)
        try coder.unsigned("position", &header.position, in: FieldRange.unsigned)
        try coder.unsigned("source", &source, in: numbers)
        try coder.unsigned(
            "bootMilliseconds", &header.stamp.bootMilliseconds, in: FieldRange.unsigned)
        try coder.signed("wallMilliseconds", &header.stamp.wallMilliseconds, in: FieldRange.signed)
        try coder.unsigned("bootNumber", &bootNumber, in: numbers)
        try codeFlags(&coder, asNumber: flagsAsNumber)
        try coder.text("kind", &kind, limit: 64)
        try coder.unsigned("version", &version, in: 1...UInt64(UInt16.max))
        header.source = UInt32(source)
        header.stamp.bootNumber = UInt32(bootNumber)
        header.version = UInt16(version)
    }

    private mutating func codeFlags(
        _ coder: inout some FieldCoder, asNumber: Bool
    ) throws(FieldError) {
        if asNumber {
            var bits = header.flags.rawValue
            try coder.byte("flags", &bits, in: 0...255)
            header.flags = EventFlags(rawValue: bits)
        } else {
            var isTrusted = header.flags.contains(.wallTrusted)
            var isSimulated = header.flags.contains(.simulated)
            try coder.flag("wallTrusted", &isTrusted)
            try coder.flag("simulated", &isSimulated)
            header.flags = []
            if isTrusted { header.flags.insert(.wallTrusted) }
            if isSimulated { header.flags.insert(.simulated) }
        }
    }
}

extension EventKind {
    /// The name, or the number as `0x4f` if this version knows no name.
    var lineName: String { name ?? "0x\(HexadecimalBytes([rawValue]))" }

    /// Reads a name or a number that may stand in a log.
    ///
    /// The number of a kind that has a name is read too: an older version wrote it.
    init?(lineName: String) {
        if let kind = EventKind(name: lineName) {
            self = kind
            return
        }
        guard lineName.utf8.starts(with: "0x".utf8),
            let number = HexadecimalBytes(String(lineName.dropFirst(2)))?.bytes,
            let only = number.first, number.count == 1, EventKind(rawValue: only).isStorable
        else { return nil }
        self.init(rawValue: only)
    }
}
