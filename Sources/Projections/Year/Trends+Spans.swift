package import Events

extension Trends {
    /// How many days are looked at.
    package enum Span: String, CaseIterable, Sendable {
        /// Four weeks.
        case fourWeeks = "4w"
        /// Thirteen weeks.
        case threeMonths = "3m"
        /// 52 weeks.
        case year
        /// Everything.
        case all

        /// The days; nil for everything.
        package var days: Int64? {
            switch self {
            case .fourWeeks: 28
            case .threeMonths: 91
            case .year: 364
            case .all: nil
            }
        }
    }

    /// Two spans that are compared, of the same length but of everything, which is halved.
    package struct Comparison: Hashable, Sendable {
        /// The days until yesterday.
        package let now: ClosedRange<CivilDate>
        /// Those before.
        package let before: ClosedRange<CivilDate>
    }

    /// The days of a span until yesterday, as far as any are known; nil if none are.
    package func dates(of span: Span) -> ClosedRange<CivilDate>? {
        guard first <= last else { return nil }
        guard let days = span.days else { return first...last }
        return max(first, last.advanced(by: 1 - days))...last
    }

    /// A span and the one before it; where too little is known of that, four weeks, or two.
    ///
    /// Sums of everything are compared with nothing.
    ///
    /// - Returns: The spans; nil unless each has a count on 14 days, or a rate on three.
    package func comparison(_ span: Span) -> Comparison? {
        guard first <= last else { return nil }
        guard let length = span.days else {
            let half = (last.daysSinceEpoch - first.daysSinceEpoch + 1) / 2
            return measure.isSum || half == 0 ? nil : comparison(last: half, from: first)
        }
        guard measure.isSum else { return comparison(last: length) }
        for days in [length, 28, Int64(Self.leastDays)] where days <= length {
            if let found = comparison(last: days) { return found }
        }
        return nil
    }

    private func comparison(last days: Int64, from begin: CivilDate? = nil) -> Comparison? {
        let start = last.advanced(by: 1 - days)
        let (now, before) = (
            start...last, (begin ?? start.advanced(by: -days))...start.advanced(by: -1)
        )
        let least = measure.isSum ? Self.leastDays : Self.leastValues
        guard sums(now).days >= least, sums(before).days >= least else { return nil }
        return Comparison(now: now, before: before)
    }

    /// When two weeks can be compared with the two before if there is a count on each day from now.
    package var firstComparison: CivilDate {
        var (date, days) = (last, Int64(0))
        while days < 28, date >= first, sums(date...date).days > 0 {
            (date, days) = (date.advanced(by: -1), days + 1)
        }
        return last.advanced(by: 1 + 28 - days)
    }
}
