internal import Events

/// What becomes of the steps that a reading gave.
struct StepsShare: Hashable, Sendable {
    /// Steps that count for the day.
    var counted: UInt64 = 0
    /// Steps that do not, because totals had them.
    var covered: UInt64 = 0
    /// Steps that do not, because nobody knows whether they are of the day.
    var setAside: UInt64 = 0

    init() {}

    @inline(__always)
    init(of steps: UInt64, covered: UInt64) {
        (counted, self.covered) = (steps.minus(covered), min(steps, covered))
    }
}

/// A silence of the chosen pedometer that may have begun on the day before (T5).
///
/// A counter does not say when it counted. What it gained counts for the day in which it is read,
/// as far as legs can have made it since midnight, while somebody walks: in a session that has run
/// since the reading before, or where the pedometer was silent for less than ten minutes. The rest
/// is set aside.
struct OverMidnight: Hashable, Sendable {
    /// The most steps that count, those among them that totals of the day had.
    let most: UInt64
    /// How long the pedometer was silent; nil if it was read since midnight.
    let silenceMilliseconds: UInt64?
    /// The readings before and after, in UTC milliseconds.
    let fromMilliseconds: Int64
    let toMilliseconds: Int64
}

extension DaySteps {
    /// Whether the chosen pedometer's next reading may be this day's first.
    @inline(__always)
    var isOverMidnight: Bool { if case .overMidnight = nextReading { true } else { false } }
}

extension SourceState {
    /// What counts of the chosen pedometer's next reading if it is this day's first; nil if nothing
    /// does but what a counter shows that restarted.
    ///
    /// Asked only where ``DaySteps/isOverMidnight``: the state is copied for it.
    @inline(never)
    func overMidnight(_ header: EventHeader, _ rules: Rules) -> OverMidnight? {
        guard !rules.countNothingOverMidnight, let day = steps.current,
            let last = steps.chosen?.lastMoment
        else { return nil }
        let wall = clock.wallMilliseconds(at: header.stamp, header.flags)
        let midnight =
            Int64(day.date.daysSinceEpoch) * 86_400_000 - (day.offsetMinutes ?? 0) * 60_000
        let passed = UInt64(max(0, wall.map { $0 - midnight } ?? 0))
        let silence = clock.moment.longest(since: last)
        let to = wall ?? clock.lastStamp.wallMilliseconds
        let isOver = silence > passed
        let isWalking = sessions.runningSince.map {
            last.milliseconds.plus(rules.cadenceMilliseconds) >= $0
        }
        // Ten minutes: so long a walker may be out of range.
        let isBound = isWalking ?? false || silence < 600_000
        return OverMidnight(
            most: !isOver ? .max : isBound ? CountLimit.steps.most(in: passed) : 0,
            silenceMilliseconds: isOver ? silence : nil,
            fromMilliseconds: last.wallMilliseconds ?? to - Int64(silence), toMilliseconds: to)
    }
}
