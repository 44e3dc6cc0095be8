/// A session began.
public struct SessionStarted: EventPayload {
    /// What the walker aims at.
    public var goal: Goal
    /// Whether to be told to turn at half of the target.
    public var outAndBack: Bool
    /// The profile at the start.
    public var profile: Profile

    /// Makes the payload; without an argument a blank one.
    public init(goal: Goal = Goal(), outAndBack: Bool = false, profile: Profile = Profile()) {
        (self.goal, self.outAndBack, self.profile) = (goal, outAndBack, profile)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try goal.code(&coder)
        try coder.flag("outAndBack", &outAndBack)
        try profile.code(&coder)
    }
}

/// A payload without fields: that it happened says it all.
public struct NoFields: EventPayload {
    /// Makes the payload.
    public init() {}

    /// Codes nothing.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {}
}

/// The session was paused.
public typealias SessionPaused = NoFields

/// The session went on.
public typealias SessionResumed = NoFields

/// The session ended.
public typealias SessionEnded = Ended<EndReason>

/// The walker marked a moment.
public struct SessionMarked: EventPayload {
    /// The mark's text, may be empty.
    public var text: String

    /// Makes the payload; without an argument a blank one.
    public init(text: String = "") {
        self.text = text
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.text("text", &text, limit: 512)
    }
}

/// A claim: the session's goal was reached.
///
/// Folds ignore it.
public typealias GoalReached = Goal

/// A claim: half of the target was reached.
///
/// Folds ignore it.
public typealias TurnAroundReached = Goal

/// A strap's values are left out of a session, or count again.
public struct DeviceExcluded: EventPayload {
    /// The position of the event that began the session.
    public var session: Position
    /// The strap.
    public var device: DeviceID
    /// Whether its values are left out.
    public var excluded: Bool

    /// Makes the payload; without an argument a blank one.
    public init(session: Position = 0, device: DeviceID = .blank, excluded: Bool = true) {
        (self.session, self.device, self.excluded) = (session, device, excluded)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.unsigned("session", &session, in: FieldRange.unsigned)
        try coder.device("device", &device)
        try coder.flag("excluded", &excluded)
    }
}

/// Why a session ended.
public enum EndReason: UInt8, CodedName {
    /// The walker asked.
    case requested = 0
    /// Its time was over.
    case durationReached = 1
    /// A later start found it open: it ended when it was recorded last.
    case leftOpen = 2
    /// Its input ended.
    case inputEnded = 3
    /// The walker asked when nobody recorded it any more: it ended when it was recorded last.
    case atLastEvent = 4
    /// Nobody had worn the strap for five minutes.
    case takenOff = 5
    /// It had been paused for an hour, and its recorder ends walks by itself.
    case leftPaused = 6

    /// The names in the JSON form, in the order of the cases.
    public static let names = [
        "requested", "durationReached", "leftOpen", "inputEnded", "atLastEvent", "takenOff",
        "leftPaused",
    ]
}

/// What a goal counts.
public enum GoalKind: UInt8, CodedName {
    /// There is no goal.
    case none = 0
    /// Steps of the session.
    case steps = 1
    /// Millimetres of the session.
    case distance = 2
    /// Milliseconds of active time.
    case duration = 3
    /// What is missing of the day's goal, in steps.
    case daily = 4

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["none", "steps", "distance", "duration", "daily"]
}

extension EventKind {
    /// The number of ``SessionStarted``.
    @inlinable public static var sessionStarted: EventKind { EventKind(rawValue: 0x81) }
    /// The number of ``SessionPaused``.
    @inlinable public static var sessionPaused: EventKind { EventKind(rawValue: 0x82) }
    /// The number of ``SessionResumed``.
    @inlinable public static var sessionResumed: EventKind { EventKind(rawValue: 0x83) }
    /// The number of ``SessionEnded``.
    @inlinable public static var sessionEnded: EventKind { EventKind(rawValue: 0x84) }
    /// The number of ``SessionMarked``.
    @inlinable public static var sessionMarked: EventKind { EventKind(rawValue: 0x85) }
    /// The number of ``GoalReached``.
    @inlinable public static var goalReached: EventKind { EventKind(rawValue: 0x86) }
    /// The number of ``TurnAroundReached``.
    @inlinable public static var turnAroundReached: EventKind { EventKind(rawValue: 0x87) }
    /// The number of ``DeviceExcluded``.
    @inlinable public static var deviceExcluded: EventKind { EventKind(rawValue: 0x88) }
}
