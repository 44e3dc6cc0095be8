internal import Events
internal import Projections

/// The sums of local dates, in thousandths of a step.
struct DaySums {
    private let offsetMinutes: (Int64) -> Int64
    private var sums: [CivilDate: (thousandths: UInt64, validUntil: Int64)] = [:]

    /// Begins with none.
    ///
    /// - Parameter offsetMinutes: Minutes east of UTC at a UTC time in milliseconds, where steps do
    ///   not tell.
    init(offsetMinutes: @escaping (Int64) -> Int64) {
        self.offsetMinutes = offsetMinutes
    }

    /// What was added, in order of date.
    var totals: [HealthTotal] {
        sums.map { date, sum in
            HealthTotal(
                date: date, steps: (sum.thousandths + 500) / 1_000,
                validUntilMilliseconds: sum.validUntil)
        }
        .sorted { $0.date < $1.date }
    }

    /// Adds to the sum of a date.
    mutating func add(_ thousandths: UInt64, until end: Int64, to date: CivilDate) {
        let sum = sums[date] ?? (0, end)
        sums[date] = (sum.thousandths + thousandths, max(sum.validUntil, end))
    }

    /// Adds steps to the dates that their time is in, in proportion to the time in each.
    mutating func add(_ steps: TimedSteps) {
        var start = steps.start
        var given: Int64 = 0
        while start < steps.end {
            let date = date(of: start, steps)
            let end = endOfDate(date, from: start, steps)
            // Whole steps up to the end of a date, so that no half of one is rounded up twice.
            let due =
                end == steps.end
                ? steps.thousandths
                : steps.thousandths * (end - steps.start) / (steps.end - steps.start) / 1_000
                    * 1_000
            add(UInt64(due - given), until: min(end, steps.validUntil), to: date)
            (start, given) = (end, due)
        }
    }

    private func date(of milliseconds: Int64, _ steps: TimedSteps) -> CivilDate {
        CivilDate(
            wallMilliseconds: milliseconds,
            zoneOffsetMinutes: steps.offsetMinutes ?? offsetMinutes(milliseconds))
    }

    /// Where the date ends that steps are of at a time, to the millisecond, or the steps do.
    private func endOfDate(_ date: CivilDate, from start: Int64, _ steps: TimedSteps) -> Int64 {
        guard self.date(of: steps.end - 1, steps) != date else { return steps.end }
        var (inside, outside) = (start, steps.end - 1)
        while outside - inside > 1 {
            let middle = inside + (outside - inside) / 2
            if self.date(of: middle, steps) == date { inside = middle } else { outside = middle }
        }
        return outside
    }
}
