internal import Events
package import JSON
package import Projections
internal import Text

/// A trend in words: what it is of, the figure of its span, and the sentence that compares that
/// with the span before.
package struct TrendText: JSONObject {
    let trends: Trends
    let span: Trends.Span
    let comparison: Trends.Comparison?
    let units: Units
    /// The days whose mean is the loud figure; nil if nothing is known.
    let now: ClosedRange<CivilDate>?
    var measure: Trends.Measure { trends.measure }

    /// Says what a trend is.
    ///
    /// - Parameters:
    ///   - trends: The days.
    ///   - span: How many of them are looked at.
    ///   - units: What figures are shown in.
    package init(_ trends: Trends, _ span: Trends.Span, _ units: Units) {
        (self.trends, self.span, self.units) = (trends, span, units)
        comparison = trends.comparison(span)
        now = span == .all ? trends.dates(of: .all) : comparison?.now ?? trends.dates(of: span)
    }

    /// Writes the figures of both spans, in the measure's unit.
    package func writeFields(to json: inout JSONWriter) {
        json.field("measure", measure.rawValue)
        json.field("span", span.rawValue)
        json.field("now", now.map { TrendFigures(trends: trends, dates: $0) })
        json.field("before", comparison.map { TrendFigures(trends: trends, dates: $0.before) })
        json.field("sentence", sentence)
    }

    /// The mean of the span; nil without a value.
    var mean: UInt64? { now.flatMap { trends.mean(of: trends.sums($0)) } }

    /// Whether too little is known to compare sums.
    var isEarly: Bool { measure.isSum && comparison == nil && span != .all && mean != nil }

    /// The months of the span as far as they are known, in order; the first may be cut.
    var months: [ClosedRange<CivilDate>] {
        var months: [ClosedRange<CivilDate>] = []
        var next = trends.dates(of: span)?.lowerBound ?? trends.last.advanced(by: 1)
        while next <= trends.last {
            let (year, month, _) = next.components
            let end = min(CivilDate.month(month, of: year)?.upperBound ?? next, trends.last)
            months.append(next...end)
            next = end.advanced(by: 1)
        }
        return months
    }

    /// What its figure is of, and of when.
    var meanName: String {
        guard let now else { return measure.words.mean }
        if isEarly {
            return measure.words.mean + ", in "
                + counted(trends.sums(now).days, "whole day")
        }
        let since = now.lowerBound
        return measure.words.mean + ", "
            + (span == .all
                ? "since \(since.monthName) \(since.components.year)"
                : "in the last \(Self.names(of: comparison?.now.days ?? span.days).now)")
    }

    /// What so many days are called, and those before them.
    static func names(of days: Int64?) -> (now: String, before: String) {
        switch days {
        case 14: ("2 weeks", "the two weeks before")
        case 28: ("4 weeks", "the four weeks before")
        case 91: ("3 months", "the three months before")
        default: ("52 weeks", "the 52 weeks before")
        }
    }

    /// When the days are with which the span is compared.
    private func before(_ comparison: Trends.Comparison) -> String {
        let since = comparison.now.lowerBound
        return span == .all
            ? "before \(since.dayAndMonth) \(since.components.year)"
            : "in " + Self.names(of: comparison.now.days).before
    }

    // MARK: - Figures

    /// What its figures are of; may be empty.
    var unit: String {
        switch measure {
        case .distance: units.distanceName
        case .climb: units.climbName
        case .pace: units.paceName
        default: measure.words.unit
        }
    }

    /// A value without its unit.
    func figure(_ value: UInt64) -> String {
        switch measure {
        case .steps: grouped(value)
        case .distance: units.distanceNumber(value)
        case .active: hours(value)
        case .climb: units.climbNumber(value)
        case .load: grouped((value + 30_000) / 60_000)
        case .heart, .resting, .hrv: grouped(whole(hundredths: value))
        case .pace: TimeText.duration(paceMilliseconds(value))
        }
    }

    /// A pace a kilometre as one of the walker's units.
    func paceMilliseconds(_ value: UInt64) -> UInt64 {
        units.paceMilliseconds(1_000_000, value) ?? 0
    }

    /// The whole number that the figure of a rate shows.
    private func shown(_ value: UInt64) -> UInt64 {
        measure == .pace ? paceMilliseconds(value) / 1_000 : whole(hundredths: value)
    }

    // MARK: - Sentences

    /// What the span is like next to the one before.
    package var sentence: String {
        guard trends.dates(of: .all).flatMap({ trends.mean(of: trends.sums($0)) }) != nil else {
            return "Nothing has been recorded for this yet."
        }
        guard let comparison, let (mean, past) = means(comparison) else {
            if span == .all { return "All figures since your first day." }
            if mean == nil { return "Nothing was recorded for this in that time." }
            let days = now.map { trends.sums($0).days } ?? 0
            let have = measure.isSum ? counted(days, "whole day") : measure.counted(days)
            return "It is too early to compare. You have \(have)."
        }
        let (before, words) = (before(comparison), measure.words)
        if measure.isSum {
            guard past > 0 else { return "There is nothing to compare with \(before)." }
            let change = percents(to: mean, from: past, words.more, words.less).map { $0 + " than" }
            return "\(words.verb) \(change ?? "as \(words.same) as") \(before)."
        }
        let (shown, shownPast) = (shown(mean), shown(past))
        guard shown != shownPast else {
            return "\(words.verb) \(words.same) as \(before)."
        }
        let difference = max(shown, shownPast) - min(shown, shownPast)
        let name = measure == .pace ? "s a \(units.distanceNoun)" : unit
        let word = shown > shownPast ? words.more : words.less
        return "\(words.verb) \(difference)\u{A0}\(name) \(word) than \(before)."
    }

    private func means(_ comparison: Trends.Comparison) -> (UInt64, UInt64)? {
        guard let now = trends.mean(of: trends.sums(comparison.now)),
            let before = trends.mean(of: trends.sums(comparison.before))
        else { return nil }
        return (now, before)
    }

    /// Both figures and from how many days they are, or what is missing for them.
    package var note: String {
        guard let comparison, let (mean, past) = means(comparison) else {
            if mean == nil { return "It needs \(measure.need)." }
            if span == .all { return "" }
            guard measure.isSum else { return "Each of the two spans needs three." }
            return "Each of the two spans needs \(Trends.leastDays). The first comparison, of two "
                + "weeks with the two before, comes by \(trends.firstComparison.dayAndMonth) if "
                + "every day is counted."
        }
        let (days, daysBefore) = (
            trends.daysOfMean(trends.sums(comparison.now)),
            trends.daysOfMean(trends.sums(comparison.before))
        )
        let per = measure.isSum ? measure == .steps ? " a day" : " a week" : ""
        let unit = unit.isEmpty ? "" : " \(unit)"
        var text =
            "\(figure(mean)) against \(figure(past))\(unit)\(per), from "
            + "\(grouped(days)) and \(measure.counted(daysBefore))."
        if comparison.before.lowerBound < trends.first {
            text +=
                " The log goes back to \(trends.first.dayAndMonth) "
                + "\(trends.first.components.year)."
        }
        return text
    }

    /// On how many mornings beats were missing, and what helps; nil if on none.
    var caution: (fact: String, advice: String)? {
        guard let sums = now.map(trends.sums), sums.excluded > 0 else { return nil }
        let all = counted(sums.days.plus(sums.excluded), "morning")
        return (
            "Beats were missing on \(grouped(sums.excluded)) of \(all).",
            "With more than 5\u{A0}% missing, the value would be a guess, so the mean leaves those "
                + "mornings out. Wet the strap and lie still."
        )
    }
}

/// What some days of a trend add up to, as JSON.
struct TrendFigures: JSONObject {
    let trends: Trends
    let dates: ClosedRange<CivilDate>

    func writeFields(to json: inout JSONWriter) {
        let sums = trends.sums(dates)
        json.field("from", dates.lowerBound.description)
        json.field("until", dates.upperBound.description)
        json.field("days", trends.daysOfMean(sums))
        json.field("mean", trends.mean(of: sums))
        json.field("amount", trends.measure.isSum && trends.isKnown(sums) ? sums.amount : nil)
        json.field("walks", sums.walks)
        json.field("lowest", sums.lowest)
        json.field("highest", sums.highest)
        json.field("excluded", sums.excluded)
    }
}

extension Trends {
    /// Whether days have a sum that was measured.
    func isKnown(_ sums: Sums) -> Bool { measure == .steps ? sums.days > 0 : sums.walks > 0 }
}

extension ClosedRange<CivilDate> {
    /// How many days it has.
    var days: Int64 { upperBound.daysSinceEpoch - lowerBound.daysSinceEpoch + 1 }
}

// MARK: - Measures

/// The words of a measure.
typealias TrendWords = (
    name: String, mean: String, verb: String, more: String, less: String, same: String, unit: String
)

extension Trends.Measure {
    /// What people call it, what its mean is of, how a sentence begins and compares, and its unit
    /// where that is everybody's.
    var words: TrendWords {
        switch self {
        case .steps:
            ("Steps", "steps a day", "You walked", "more steps", "fewer steps", "much", "")
        case .distance: ("Distance", "a week", "You walked", "further", "less", "far", "")
        case .active: ("Active time", "a week", "You were active", "longer", "less", "long", "h")
        case .climb: ("Climb", "a week", "You climbed", "more", "less", "much", "")
        case .load:
            (
                "Training load", "a week", "Your training load was", "higher", "lower", "high",
                "TRIMP"
            )
        case .heart:
            (
                "Heart rate", "mean over time, walks and hikes", "Your heart beat",
                "faster on walks", "slower on walks", "as fast on walks", "BPM"
            )
        case .resting:
            (
                "Resting rate", "resting heart rate", "Your resting heart rate was", "higher",
                "lower", "the same", "BPM"
            )
        case .hrv:
            (
                "Morning HRV", "RMSSD in the morning", "Your morning HRV was", "higher", "lower",
                "the same", "ms"
            )
        case .pace:
            (
                "Pace at 120", "at 120 BPM, on foot", "At 120 BPM you walked", "slower", "faster",
                "as fast", ""
            )
        }
    }

    /// Days with a value.
    func counted(_ days: UInt64) -> String {
        switch self {
        case .resting, .hrv: Text.counted(days, "morning")
        case .heart, .pace: Text.counted(days, "day") + " with a walk"
        default: Text.counted(days, "day")
        }
    }

    /// What it cannot be known without.
    fileprivate var need: String {
        switch self {
        case .steps: "a pedometer, or a phone that reports the steps of the day"
        case .distance: "walks with a position or a pedometer"
        case .active: "walks"
        case .climb: "walks with a position and its height"
        case .heart, .load: "walks with a strap"
        case .resting: "mornings at rest with a strap: ten minutes, from 4:00 to 10:00"
        case .hrv: "mornings at rest with a strap: five minutes, from 4:00 to 10:00"
        case .pace: "walks with a strap and a position, at 115 to 125 BPM"
        }
    }

    /// How it is worked out; a line of code is a formula.
    var explanation: [String] {
        switch self {
        case .steps:
            [
                "Corrected steps of whole days. A day on which nothing was counted is left out, "
                    + "not taken as 0. Today is included from tomorrow."
            ]
        case .distance:
            [
                "Distance of walks recorded here or imported. Hidden and simulated walks are in no "
                    + "trend, and neither are the steps between walks."
            ]
        case .active: ["Active time of walks: the time elapsed less the pauses."]
        case .climb:
            [
                "Height gained on walks with a position. The climb of the others is unknown; they "
                    + "are left out."
            ]
        case .heart:
            [
                "Mean over time of each walk, weighted by its time. Runs are left out, because "
                    + "they would say more about how often you ran, and so are mornings at rest."
            ]
        case .resting:
            [
                "The lowest mean over five minutes without a step, in the lowest zone, of what you "
                    + "recorded from 4:00 to 10:00. A morning counts if you wore the strap for at "
                    + "least ten minutes; one without such a mean is left out.",
                "The line is the mean of seven days. It breaks where fewer than three of them have "
                    + "a value.",
            ]
        case .hrv:
            [
                "RMSSD, cleaned: the root of the mean square of the differences between adjacent "
                    + "beats, over the first five minutes of a recording begun between 4:00 and "
                    + "10:00, if no step was counted in them.",
                "A missing beat makes two differences wrong, so that a morning counts only if "
                    + "cleaned beats fill at least 95\u{A0}% of its five minutes.",
            ]
        case .load:
            [
                "TRIMP by zones, after Edwards (1993), with the four zones of your profile: the "
                    + "higher the zone, the more a minute counts.",
                "`1 × resting + 2 × moderate + 3 × vigorous + 4 × maximum, in minutes`",
                "A walk without a heart rate has no load and is left out; minutes without a value "
                    + "count for nothing. TRIMP is only good for comparing you with yourself.",
            ]
        case .pace:
            [
                "The pace of stretches of five minutes between 115 and 125 BPM and with less than "
                    + "2\u{A0}% of slope, on foot, with a position. Runs are left out. Higher in "
                    + "the chart is faster."
            ]
        }
    }
}
