/// The pedometer stream that counts for a session: from its start, a resume or a choice on.
///
/// Steps count from the reading with which it began. A distance counts from a reading of the
/// stream that had one: what a pedometer tells later may reach back to before it.
struct SessionStream: StatePart, Hashable, Sendable {
    /// The next reading is where it begins.
    private(set) var isAwaited: Bool
    /// Steps whose distance is by the stride since the last reading that had a distance; nil if
    /// none of the stream had.
    var estimatedSteps: UInt64?

    /// A stream that begins with the next reading.
    static let awaited = SessionStream(isAwaited: true, estimatedSteps: nil)

    private init(isAwaited: Bool, estimatedSteps: UInt64?) {
        self.isAwaited = isAwaited
        self.estimatedSteps = estimatedSteps
    }

    /// A stream that began with a reading.
    init(beganWithDistance hasDistance: Bool) {
        self.init(isAwaited: false, estimatedSteps: hasDistance ? 0 : nil)
    }

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try coder.flag(&isAwaited)
        try coder.optional(&estimatedSteps)
    }
}
