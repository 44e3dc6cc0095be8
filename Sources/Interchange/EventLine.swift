package import Events
internal import JSON

/// One event as it stands on a line: its envelope, and its payload's bytes as the log holds them.
package struct EventLine: Hashable, Sendable {
    /// The envelope.
    package var header: EventHeader
    /// The payload, at most ``Events/EventLimit/payloadBytes``.
    package var payload: [UInt8]

    /// Puts a payload after its envelope.
    package init(header: EventHeader, payload: [UInt8]) {
        (self.header, self.payload) = (header, payload)
    }
}

/// A coder of lines: besides fields it knows how an event's kind is written on a line.
protocol LineCoder: FieldCoder {
    /// The kind: its name, or its number as `0x4f` if this version knows no name.
    mutating func kind(_ name: StaticString, _ kind: inout EventKind) throws(FieldError)
}

extension EventHeader {
    /// All zero, version 1: what a line is read into.
    package static var blank: EventHeader {
        EventHeader(
            position: 0, source: 0,
            stamp: Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0), flags: [],
            kind: EventKind(rawValue: 0), version: 1)
    }

    /// Passes what every line has, in the order in which it is written, to a coder.
    ///
    /// Writing and reading share this one description, as payloads do.
    ///
    /// - Parameters:
    ///   - coder: What writes or reads the fields.
    ///   - flagsAsNumber: Whether the flags stand as one number instead of two names.
    /// - Throws: `FieldError` if a field is outside of its range.
    mutating func codeEnvelope(
        _ coder: inout some LineCoder, flagsAsNumber: Bool
    ) throws(FieldError) {
        var source = UInt64(source)
        var bootNumber = UInt64(stamp.bootNumber)
        var version = UInt64(version)
        try coder.unsigned("position", &position, in: FieldRange.unsigned)
        try coder.unsigned("source", &source, in: 0...UInt64(UInt32.max))
        try coder.unsigned("bootMilliseconds", &stamp.bootMilliseconds, in: FieldRange.unsigned)
        try coder.signed("wallMilliseconds", &stamp.wallMilliseconds, in: FieldRange.signed)
        try coder.unsigned("bootNumber", &bootNumber, in: 0...UInt64(UInt32.max))
        try codeFlags(&coder, asNumber: flagsAsNumber)
        try coder.kind("kind", &kind)
        try coder.unsigned("version", &version, in: 1...UInt64(UInt16.max))
        self.source = UInt32(source)
        stamp.bootNumber = UInt32(bootNumber)
        self.version = UInt16(version)
    }

    private mutating func codeFlags(
        _ coder: inout some FieldCoder, asNumber: Bool
    ) throws(FieldError) {
        if asNumber {
            var bits = flags.rawValue
            try coder.byte("flags", &bits, in: 0...255)
            flags = EventFlags(rawValue: bits)
        } else {
            var isTrusted = flags.contains(.wallTrusted)
            var isSimulated = flags.contains(.simulated)
            try coder.flag("wallTrusted", &isTrusted)
            try coder.flag("simulated", &isSimulated)
            flags = []
            if isTrusted { flags.insert(.wallTrusted) }
            if isSimulated { flags.insert(.simulated) }
        }
    }
}

extension EventKind {
    /// Reads a name or a number that may stand in a log.
    ///
    /// The number of a kind that has a name is read too: an older version wrote it.
    init?(lineName: String) {
        if let number = NameTable.kinds.number(of: lineName) {
            self.init(rawValue: number)
            return
        }
        guard lineName.utf8.starts(with: "0x".utf8),
            let number = [UInt8](hexadecimal: String(lineName.dropFirst(2))),
            let only = number.first, number.count == 1, EventKind(rawValue: only).isStorable
        else { return nil }
        self.init(rawValue: only)
    }
}
