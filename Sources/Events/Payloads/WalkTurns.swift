/// A lap ended, and the next began.
public struct LapMarked: EventPayload {
    /// What ended it.
    public var cause: OpenCode<LapCause>

    /// Makes the payload; without an argument a blank one.
    public init(cause: LapCause = .byHand) {
        self.cause = OpenCode(cause)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.openCode("cause", &cause)
    }
}

/// The walker stood still, so that the session paused by itself.
public typealias StandstillBegan = NoFields

/// The walker moved again, so that a session went on that had paused by itself.
public typealias StandstillEnded = NoFields

/// What ends a lap.
public enum LapCause: UInt8, CodedName {
    /// The walker.
    case byHand = 0
    /// The length that laps were to have.
    case byDistance = 1
    /// The time that laps were to take, as a file says.
    case byTime = 2
    /// A place that was passed, as a file says.
    case byPlace = 3
    /// A heart rate that was reached, as a file says.
    case byHeartRate = 4
    /// A machine on which it was walked, as a file says.
    case byEquipment = 5
    /// Something that a file does not name.
    case unnamed = 6

    /// The names in the JSON form, in the order of the cases.
    public static let names = [
        "byHand", "byDistance", "byTime", "byPlace", "byHeartRate", "byEquipment", "unnamed",
    ]
}

extension EventKind {
    /// The number of ``LapMarked``.
    @inlinable public static var lapMarked: EventKind { EventKind(rawValue: 0x8A) }
    /// The number of ``StandstillBegan``.
    @inlinable public static var standstillBegan: EventKind { EventKind(rawValue: 0x8B) }
    /// The number of ``StandstillEnded``.
    @inlinable public static var standstillEnded: EventKind { EventKind(rawValue: 0x8C) }
}
