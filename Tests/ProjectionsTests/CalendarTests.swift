import Events
import Projections
import TestSupport
import Testing

/// The walker's steps by days, weeks and months.
@Suite("A year of days")
struct CalendarTests {
    private static let goal: UInt64 = 8_000

    /// Totals of days up to today, 2026-03-01, by their distance from it; some have none.
    private func log(_ totals: [Int64: UInt64]) throws -> (state: LogState, today: CivilDate) {
        var tape = Tape()
        try tape.command(.setProfile(Profile(dailyGoalSteps: Self.goal)))
        let today = try #require(tape.own.localDate(at: tape.moment))
        for (ago, total) in totals.sorted(by: { $0.key > $1.key }) {
            try tape.command(.healthTotal(total, date: today.advanced(by: -ago)))
        }
        return (tape.state, today)
    }

    @Test(
        "adds days up to weeks, months and years as whoever counts them by hand", arguments: 1...20)
    func sums(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var totals: [Int64: UInt64] = [:]
        for ago: Int64 in 0..<Int64(30 + random.below(900)) where random.below(5) > 0 {
            totals[ago] = random.below(20) == 0 ? 0 : 1 + random.below(16_000)
        }
        let (state, today) = try log(totals)
        let calendar = state.calendar(today: today)
        func expect(_ span: Calendar.Span) {
            let days = totals.filter { span.dates.contains(today.advanced(by: -$0.key)) }
                .filter { $0.value > 0 }
            let over = days.filter { $0.key > 0 }
            #expect(span.steps == days.values.reduce(0, +))
            #expect(span.days == UInt64(over.count))
            #expect(span.reached == UInt64(over.values.count { $0 >= Self.goal }))
            let sum = Double(over.values.reduce(0, +))
            #expect(span.mean == (over.isEmpty ? nil : UInt64(sum / Double(over.count) + 0.5)))
            #expect(span.isUnderWay == span.dates.contains(today))
        }
        let weeks = calendar.weeks(10_000)
        weeks.forEach(expect)
        let all = totals.values.reduce(0, +)
        #expect(weeks.reduce(0) { $0 + $1.steps } == all)
        #expect(weeks.allSatisfy { $0.dates.lowerBound.weekday == 0 })
        for (later, earlier) in zip(weeks, weeks.dropFirst()) {
            #expect(earlier.dates.upperBound.advanced(by: 1) == later.dates.lowerBound)
        }
        let months = (2020...2027).reversed().flatMap { calendar.months(of: $0) }
        months.forEach(expect)
        #expect(months.reduce(0) { $0 + $1.steps } == all)
        for (later, earlier) in zip(months, months.dropFirst()) {
            #expect(earlier.dates.upperBound.advanced(by: 1) == later.dates.lowerBound)
        }
    }

    @Test("finds streaks as whoever looks at each day", arguments: 1...20)
    func streaks(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var totals: [Int64: UInt64] = [:]
        for ago: Int64 in 0..<200 where random.below(12) > 0 {
            totals[ago] = random.below(5) == 0 ? Self.goal - 1 : Self.goal + random.below(100)
        }
        let (state, today) = try log(totals)
        let calendar = state.calendar(today: today)
        func isReached(_ ago: Int64) -> Bool { totals[ago].map { $0 >= Self.goal } ?? false }
        var longest: Int64 = 0
        var run: Int64 = 0
        for ago in (0..<Int64(200)).reversed() {
            run = isReached(ago) ? run + 1 : 0
            longest = max(longest, run)
        }
        #expect(calendar.longestStreak(in: today.advanced(by: -199)...today)?.days == longest)
        var present: Int64 = 0
        let first: Int64 = isReached(0) ? 0 : 1
        while isReached(first + present) { present += 1 }
        #expect(calendar.presentStreak?.days ?? 0 == present)
    }

    @Test("knows no mean and no streak of nothing, and no day after today")
    func nothing() throws {
        let (state, today) = try log([:])
        let calendar = state.calendar(today: today)
        let week = try #require(calendar.weeks(10).first)
        #expect(calendar.weeks(10).count == 1)
        #expect(week.steps == 0 && week.mean == nil && week.days == 0 && week.reached == 0)
        #expect(calendar.presentStreak == nil && calendar[today] == nil)
        let later = try log([0: 5, 1: 9_000]).state.calendar(today: today.advanced(by: -1))
        #expect(later.counted.map(\.steps) == [9_000])
    }

    @Test("has months of 28 to 31 days, in every year")
    func months() throws {
        for (year, month, days) in [(2024, 2, 29), (2026, 2, 28), (2025, 12, 31), (9_999, 12, 31)] {
            let dates = try #require(CivilDate.month(Int64(month), of: Int64(year)))
            #expect(
                dates.upperBound.daysSinceEpoch - dates.lowerBound.daysSinceEpoch + 1 == Int64(days)
            )
        }
        #expect(CivilDate.month(13, of: 2026) == nil)
    }
}
