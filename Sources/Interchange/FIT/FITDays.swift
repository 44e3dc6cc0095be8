internal import Events
internal import Projections

/// What a monitoring file says: steps since local midnight, by kind of activity.
struct FITDays {
    private static let running: Int64 = 1
    private static let walking: Int64 = 6

    private var days: [(date: CivilDate, walked: UInt64, run: UInt64, until: Int64)] = []
    /// Seconds east of UTC; nil as long as the file does not say.
    private var offset: Int64?
    /// The last time that a message gave in full, in FIT's seconds.
    private var timestamp: Int64?
    private var unplaced: UInt64 = 0

    mutating func take(_ message: FITMessage) {
        timestamp = message.timestamp ?? timestamp
        if message.definition.message == FITMessageNumber.monitoringInfo {
            if let local = message.number(0), let timestamp { offset = local - timestamp }
            return
        }
        guard var time = timestamp else { return unplaced += 1 }
        if let low = message.number(26) { time += (low - time) & 0xFFFF }
        timestamp = time
        let kind = message.number(5) ?? message.number(24).map { $0 & 0x1F }
        guard let steps = message.amount(3) ?? message.amount(9),
            kind == Self.walking || kind == Self.running
        else { return }
        guard let offset, abs(offset) <= 86_400, let wall = FITTime.wallMilliseconds(time) else {
            return unplaced += 1
        }
        add(steps, isRun: kind == Self.running, at: wall, offset)
    }

    private mutating func add(_ steps: UInt64, isRun: Bool, at wall: Int64, _ offset: Int64) {
        // What is said at midnight is of the day that ends then.
        let date = CivilDate(
            wallMilliseconds: wall - 1_000 + offset * 1_000, zoneOffsetMinutes: 0)
        if days.last?.date != date {
            guard days.count < 10_000 else { return unplaced += 1 }
            days.append((date, 0, 0, wall))
        }
        let last = days.count - 1
        if isRun {
            days[last].run = max(days[last].run, steps)
        } else {
            days[last].walked = max(days[last].walked, steps)
        }
        days[last].until = max(days[last].until, wall)
    }

    func close(_ facts: inout WalkFacts) {
        for day in days where facts.isPossible(day.until) {
            let total = HealthTotal(
                date: day.date, steps: day.walked + day.run, validUntilMilliseconds: day.until)
            if total.steps <= Plausibility.stepsPerDay {
                facts.days.append(total)
            } else {
                facts.leaveOut("totals of days that nobody walks")
            }
        }
        if unplaced > 0 { facts.leaveOut("counts of a day without a local time", count: unplaced) }
    }
}
