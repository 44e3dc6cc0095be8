package import Events

/// The walker's steps day by day, as far back as the log goes, against the daily goal.
///
/// They are the corrected ones. A day on which nothing was counted is not one with 0 steps: no mean
/// has it, and a streak ends there. Today is under way: sums have it, and no mean.
package struct Calendar: Sendable {
    /// The walker's day now.
    package let today: CivilDate
    /// The daily goal, or nil.
    package let goal: UInt64?
    /// The days on which steps were counted, in order.
    package let counted: [(date: CivilDate, steps: UInt64)]

    /// Takes days and their goal.
    ///
    /// - Parameters:
    ///   - days: The walker's days, in order of date; those after today are left out.
    ///   - goal: The daily goal, or nil.
    ///   - today: The walker's day now.
    package init(_ days: [DayReport], goal: UInt64?, today: CivilDate) {
        (self.today, self.goal) = (today, goal)
        counted = days.lazy.filter { $0.corrected > 0 && $0.date <= today }
            .map { ($0.date, $0.corrected) }
    }

    /// The days of a span on which steps were counted.
    private func days(
        _ span: ClosedRange<CivilDate>
    ) -> ArraySlice<(date: CivilDate, steps: UInt64)> {
        let start = counted.partitioningIndex { $0.date >= span.lowerBound }
        let end = counted.partitioningIndex { $0.date > span.upperBound }
        return counted[start..<end]
    }

    /// The steps of a day, or nil if none were counted.
    package subscript(date: CivilDate) -> UInt64? { days(date...date).first?.steps }

    // MARK: - Spans

    /// What a span of days adds up to.
    package struct Span: Hashable, Sendable {
        /// From when to when.
        package let dates: ClosedRange<CivilDate>
        /// All steps.
        package let steps: UInt64
        /// The days that are over, and on which steps were counted.
        package let days: UInt64
        /// The steps of those, over how many there are, rounded half up; nil without one.
        package let mean: UInt64?
        /// On how many of those the goal was reached; nil without a goal.
        package let reached: UInt64?
        /// Whether today is one of its days.
        package let isUnderWay: Bool
    }

    /// What a span adds up to.
    package func span(_ dates: ClosedRange<CivilDate>) -> Span {
        let all = days(dates)
        let over = all.filter { $0.date != today }
        let sum = over.reduce(UInt64(0)) { $0.plus($1.steps) }
        let count = UInt64(over.count)
        return Span(
            dates: dates, steps: all.reduce(0) { $0.plus($1.steps) }, days: count,
            mean: count > 0 ? sum.plus(count / 2) / count : nil,
            reached: goal.map { goal in UInt64(over.count { $0.steps >= goal }) },
            isUnderWay: dates.contains(today))
    }

    /// The last weeks, from Monday to Sunday, the latest first: at most as many as there are since
    /// the first day that is known.
    package func weeks(_ count: Int) -> [Span] {
        let monday = today.monday
        let first = (counted.first?.date ?? today).monday
        let known = (monday.daysSinceEpoch - first.daysSinceEpoch) / 7 + 1
        return (0..<min(Int64(count), known)).map { ago in
            let start = monday.advanced(by: -7 * ago)
            return span(start...start.advanced(by: 6))
        }
    }

    /// The months of a year, the latest first: those that have begun, from the first one of which
    /// something is known: a count of steps, or what else began on a day.
    package func months(of year: Int64, since walked: CivilDate? = nil) -> [Span] {
        let first = min(counted.first?.date ?? today, walked ?? today)
        return (1...12).reversed().compactMap { (month: Int64) in
            guard let dates = CivilDate.month(month, of: year), dates.lowerBound <= today,
                dates.upperBound >= first
            else { return nil }
            return span(dates)
        }
    }

    /// The days of a year that are over and on which the goal was missed, the latest first; none
    /// without a goal.
    package func missed(in year: Int64) -> [(date: CivilDate, steps: UInt64)] {
        guard let goal else { return [] }
        return counted.reversed().filter { day in
            day.steps < goal && day.date.components.year == year && day.date != today
        }
    }

    // MARK: - Streaks

    /// Days in a row on which the goal was reached.
    package struct Streak: Hashable, Sendable {
        /// From when to when.
        package let dates: ClosedRange<CivilDate>
        /// How many days.
        package var days: Int64 {
            dates.upperBound.daysSinceEpoch - dates.lowerBound.daysSinceEpoch + 1
        }
    }

    /// The streaks within a span, in order; none without a goal.
    package func streaks(in span: ClosedRange<CivilDate>) -> [Streak] {
        guard let goal else { return [] }
        var streaks: [Streak] = []
        for day in days(span) where day.steps >= goal {
            if let last = streaks.last, last.dates.upperBound.advanced(by: 1) == day.date {
                streaks[streaks.count - 1] = Streak(dates: last.dates.lowerBound...day.date)
            } else {
                streaks.append(Streak(dates: day.date...day.date))
            }
        }
        return streaks
    }

    /// The longest streak of a span, the first of several; nil if the goal was never reached.
    package func longestStreak(in span: ClosedRange<CivilDate>) -> Streak? {
        streaks(in: span).max { $0.days < $1.days }
    }

    /// The streak that goes on: it has reached yesterday, or today already.
    package var presentStreak: Streak? {
        let first = counted.first?.date ?? today
        guard let last = streaks(in: first...max(first, today)).last else { return nil }
        return last.dates.upperBound >= today.advanced(by: -1) ? last : nil
    }
}

extension LogState {
    /// The walker's days against the present goal.
    package func calendar(today: CivilDate) -> Calendar {
        Calendar(dayReports(), goal: walked.recorder.profile.dailyGoalSteps, today: today)
    }
}
