internal import Clocks
internal import Deciding
internal import Events

/// When what waits for the log is committed: at once, or with all that comes within an interval.
///
/// Of a group nothing is durable before its commit, so only what may wait does: readings, and what
/// comes again by itself. Everything else is committed at once, with the readings before it.
struct CommitPace: Sendable {
    /// For how long a reading may wait, in milliseconds; nil for no time at all.
    private let intervalMilliseconds: UInt64?
    private let machine: Machine
    /// How many of the inputs that wait were looked at.
    private var lookedAt = 0
    /// Whether one of them may not wait.
    private var isUrgent = false
    /// When the oldest of them arrived, on the boot clock.
    private var oldest: UInt64?
    /// The local day of the last input.
    private var day: CivilDate?

    /// Makes a pace.
    ///
    /// - Parameters:
    ///   - intervalMilliseconds: For how long a reading may wait; nil for no time at all.
    ///   - machine: Whose zone says when a day begins.
    init(intervalMilliseconds: UInt64?, _ machine: Machine) {
        self.intervalMilliseconds = intervalMilliseconds
        self.machine = machine
    }

    /// Says when what waits is to be committed, on the boot clock.
    ///
    /// It follows from the arrival of the oldest, so a slow commit makes the next group shorter.
    ///
    /// - Parameters:
    ///   - queue: Where it waits.
    ///   - now: The boot clock, in milliseconds.
    /// - Returns: A time, in the past for at once; nil if nothing waits.
    mutating func due(_ queue: BoundedQueue<WaitingInput>, at now: UInt64) -> UInt64? {
        guard let intervalMilliseconds else { return 0 }
        let (fresh, isHalfFull) = queue.look(after: lookedAt)
        lookedAt += fresh.count
        for waiting in fresh {
            // What arrives before now may be noted late, and nothing arrives after now.
            let arrivedAt = min(waiting.input.arrival.bootMilliseconds, now)
            oldest = min(oldest ?? arrivedAt, arrivedAt)
            if waiting.answer != nil || waiting.input.priority == .always { isUrgent = true }
            let today = date(waiting.input)
            if let day, day != today { isUrgent = true }
            day = today
        }
        guard let oldest else { return nil }
        return isUrgent || isHalfFull ? 0 : oldest + intervalMilliseconds
    }

    /// What waited was taken.
    mutating func begin() {
        lookedAt = 0
        isUrgent = false
        oldest = nil
    }

    private func date(_ input: Input) -> CivilDate {
        let wall = input.arrival.wallMilliseconds
        return CivilDate(
            wallMilliseconds: wall, zoneOffsetMinutes: machine.zone(wall).offsetMinutes)
    }
}
