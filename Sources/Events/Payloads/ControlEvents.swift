/// A recorder began to append.
public struct RecorderStarted: EventPayload {
    /// The program's version.
    public var programVersion: String
    /// Minutes east of UTC.
    public var zoneOffsetMinutes: Int64
    /// The zone's name as the machine gives it, a label only.
    public var zoneName: String

    /// Makes the payload; without an argument a blank one.
    public init(
        programVersion: String = "", zoneOffsetMinutes: Int64 = 0, zoneName: String = ""
    ) {
        (self.programVersion, self.zoneOffsetMinutes) = (programVersion, zoneOffsetMinutes)
        self.zoneName = zoneName
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.text("programVersion", &programVersion, limit: 64)
        try coder.signed("zoneOffsetMinutes", &zoneOffsetMinutes, in: FieldRange.zoneOffsetMinutes)
        try coder.text("zoneName", &zoneName, limit: 64)
    }
}

/// A recorder ended, and said so; or it was found dead by whoever appends this.
public typealias RecorderStopped = Ended<StopReason>

/// Something ended, and why.
public struct Ended<Reason: CodedName>: EventPayload {
    /// Why it ended.
    public var reason: OpenCode<Reason>

    /// Makes the payload; without an argument a blank one, with the reason of number 0.
    public init(reason: Reason? = nil) {
        self.reason = reason.map { OpenCode($0) } ?? OpenCode(rawValue: 0)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.openCode("reason", &reason)
    }
}

/// The local zone offset changed: travel, or daylight saving.
public struct ZoneOffsetChanged: EventPayload {
    /// Minutes east of UTC before.
    public var fromMinutes: Int64
    /// Minutes east of UTC from now on.
    public var toMinutes: Int64
    /// The zone's name, a label only.
    public var zoneName: String

    /// Makes the payload; without an argument a blank one.
    public init(fromMinutes: Int64 = 0, toMinutes: Int64 = 0, zoneName: String = "") {
        (self.fromMinutes, self.toMinutes, self.zoneName) = (fromMinutes, toMinutes, zoneName)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.signed("fromMinutes", &fromMinutes, in: FieldRange.zoneOffsetMinutes)
        try coder.signed("toMinutes", &toMinutes, in: FieldRange.zoneOffsetMinutes)
        try coder.text("zoneName", &zoneName, limit: 64)
    }
}

/// The wall clock was set: its progress differed from the boot clock's by more than 2 s.
public struct ClockStepped: EventPayload {
    /// How much further the wall clock went than the boot clock.
    public var stepMilliseconds: Int64

    /// Makes the payload; without an argument a blank one.
    public init(stepMilliseconds: Int64 = 0) {
        self.stepMilliseconds = stepMilliseconds
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.signed("stepMilliseconds", &stepMilliseconds, in: FieldRange.signed)
    }
}

/// Inputs came faster than they could be taken, and some were lost.
public struct IntakeOverflowed: EventPayload {
    /// Where they were lost.
    public var intake: OpenCode<Intake>
    /// How many.
    public var lostEvents: UInt64

    /// Makes the payload; without an argument a blank one.
    public init(intake: Intake = .bus, lostEvents: UInt64 = 0) {
        self.intake = OpenCode(intake)
        self.lostEvents = lostEvents
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.openCode("intake", &intake)
        try coder.unsigned("lostEvents", &lostEvents, in: FieldRange.unsigned)
    }
}

/// The walker's profile from now on, all of it.
public typealias ProfileChanged = Profile

/// An import began; the events of its source follow.
public struct ImportBegan: EventPayload {
    /// The file's name, without its folder.
    public var fileName: String
    /// The format that was recognized.
    public var format: String
    /// SHA-256 of the file's bytes.
    public var sha256: [UInt8]

    /// Whether the file tells of walks, not of what a radio heard.
    public var isOfWalks: Bool {
        ["fit", "gpx", "tcx", "csv", "rr", "apple-health", "gadgetbridge"].contains(format)
    }

    /// Makes the payload; without an argument a blank one.
    public init(
        fileName: String = "", format: String = "",
        sha256: [UInt8] = [UInt8](repeating: 0, count: 32)
    ) {
        (self.fileName, self.format, self.sha256) = (fileName, format, sha256)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.text("fileName", &fileName, limit: 1024)
        try coder.text("format", &format, limit: 32)
        try coder.fixedBytes("sha256", &sha256, count: 32)
    }
}

/// An import ended.
public struct ImportEnded: EventPayload {
    /// How many events it appended.
    public var importedEvents: UInt64
    /// How many things it could not use.
    public var findings: UInt64

    /// Makes the payload; without an argument a blank one.
    public init(importedEvents: UInt64 = 0, findings: UInt64 = 0) {
        (self.importedEvents, self.findings) = (importedEvents, findings)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.unsigned("importedEvents", &importedEvents, in: FieldRange.unsigned)
        try coder.unsigned("findings", &findings, in: FieldRange.unsigned)
    }
}

/// A remark by a person.
public struct Noted: EventPayload {
    /// The remark.
    public var text: String
    /// Who made it.
    public var author: String

    /// Makes the payload; without an argument a blank one.
    public init(text: String = "", author: String = "") {
        (self.text, self.author) = (text, author)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.text("text", &text, limit: 1024)
        try coder.text("author", &author, limit: 128)
    }
}

/// The first append in a new boot of the machine.
public struct BootBegan: EventPayload {
    /// The kernel's boot identity, 16 bytes of a UUID.
    public var bootID: [UInt8]
    /// Minutes east of UTC.
    public var zoneOffsetMinutes: Int64
    /// The zone's name as the machine gives it, a label only.
    public var zoneName: String

    /// Makes the payload; without an argument a blank one.
    public init(
        bootID: [UInt8] = [UInt8](repeating: 0, count: 16), zoneOffsetMinutes: Int64 = 0,
        zoneName: String = ""
    ) {
        (self.bootID, self.zoneOffsetMinutes, self.zoneName) = (bootID, zoneOffsetMinutes, zoneName)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.fixedBytes("bootID", &bootID, count: 16)
        try coder.signed("zoneOffsetMinutes", &zoneOffsetMinutes, in: FieldRange.zoneOffsetMinutes)
        try coder.text("zoneName", &zoneName, limit: 64)
    }
}

/// The log's first event, and the first one after a restore: a new origin begins.
public struct OriginBegan: EventPayload {
    /// Why there is a new origin.
    public var cause: OpenCode<OriginCause>
    /// The last checkpoint known of the origin before.
    public var checkpoint: String?

    /// Makes the payload; without an argument a blank one.
    public init(cause: OriginCause = .created, checkpoint: String? = nil) {
        self.cause = OpenCode(cause)
        self.checkpoint = checkpoint
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.openCode("cause", &cause)
        try coder.optionalText("checkpoint", &checkpoint, limit: 1_024)
    }
}

/// Why a log has a new origin.
public enum OriginCause: UInt8, CodedName {
    /// The store was created.
    case created = 0
    /// A backup was restored.
    case restored = 1
    /// A damaged file was recovered.
    case recovered = 2

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["created", "restored", "recovered"]
}

/// Why a recorder ended.
public enum StopReason: UInt8, CodedName {
    /// A person asked, or the session's end did.
    case requested = 0
    /// A signal asked.
    case signal = 1
    /// Its time was over.
    case durationReached = 2
    /// Its input ended.
    case inputEnded = 3
    /// It could not go on.
    case failure = 4
    /// It died unheard, some time after the event before: told by the next who appends.
    case foundDead = 5

    /// The names in the JSON form, in the order of the cases.
    public static let names = [
        "requested", "signal", "durationReached", "inputEnded", "failure", "foundDead",
    ]
}

/// Where inputs were lost.
public enum Intake: UInt8, CodedName {
    /// Messages of the Bluetooth daemon that could not be taken.
    case bus = 0
    /// Health totals.
    case health = 1
    /// Positions.
    case place = 2
    /// Pedometer readings.
    case pedometer = 3
    /// Inputs of all kinds, where they wait for the log.
    case queue = 4

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["bus", "health", "place", "pedometer", "queue"]
}

extension EventKind {
    /// The number of ``RecorderStarted``.
    @inlinable public static var recorderStarted: EventKind { EventKind(rawValue: 0x01) }
    /// The number of ``RecorderStopped``.
    @inlinable public static var recorderStopped: EventKind { EventKind(rawValue: 0x02) }
    /// The number of ``ZoneOffsetChanged``.
    @inlinable public static var zoneOffsetChanged: EventKind { EventKind(rawValue: 0x03) }
    /// The number of ``ClockStepped``.
    @inlinable public static var clockStepped: EventKind { EventKind(rawValue: 0x04) }
    /// The number of ``IntakeOverflowed``.
    @inlinable public static var intakeOverflowed: EventKind { EventKind(rawValue: 0x05) }
    /// The number of ``ProfileChanged``.
    @inlinable public static var profileChanged: EventKind { EventKind(rawValue: 0x06) }
    /// The number of ``ImportBegan``.
    @inlinable public static var importBegan: EventKind { EventKind(rawValue: 0x07) }
    /// The number of ``ImportEnded``.
    @inlinable public static var importEnded: EventKind { EventKind(rawValue: 0x08) }
    /// The number of ``Noted``.
    @inlinable public static var noted: EventKind { EventKind(rawValue: 0x09) }
    /// The number of ``BootBegan``.
    @inlinable public static var bootBegan: EventKind { EventKind(rawValue: 0x0A) }
    /// The number of ``OriginBegan``.
    @inlinable public static var originBegan: EventKind { EventKind(rawValue: 0x0B) }
}
