import Events
import Projections

/// What is true of the walk, held against what is shown.
extension Trial {
    /// The chosen pedometer's steps of a day are those that were walked between its readings.
    ///
    /// They count, or totals had them, or they were set aside over midnight (T1, T5, T7). Where
    /// nobody knows which day it was, they are no more than were walked.
    func miscount(_ history: History) -> String? {
        let days = answers.last?.days ?? []
        let sum = days.reduce(0) { $0 + $1.pedometerSteps }
        if let own = history.ownSteps, sum > own { return "\(sum) steps of \(own) walked" }
        guard let truth = history.truth else { return nil }
        for day in days {
            let (heard, held) = (truth.days[day.date]?.heard, truth.days[day.date]?.held)
            let isKnown = day.coveredSteps == 0 && held != nil
            guard
                day.pedometerSteps + day.coveredSteps + day.overMidnight != heard
                    || day.overMidnight > held ?? .max || isKnown && day.overMidnight != held
            else { continue }
            return "\(day), walked between readings \(heard ?? 0), \(held ?? 0) over midnight"
        }
        return nil
    }

    /// A look shows what its date displays, and under a trusted clock that is today.
    ///
    /// In a world of liars zones and what is under way make it a day more or less.
    func wrongToday(_ history: History) -> String? {
        for look in looks {
            let answer = answers.prefix(look.events).last
            let displayed = look.date.flatMap { answer?[$0]?.displayed }
            guard look.shown == displayed ?? 0 else {
                return "look after \(look.events) events: \(look.shown) of \(displayed ?? 0)"
            }
            guard history.areTrustedClocksRight, look.moment.flags.contains(.wallTrusted) else {
                continue
            }
            let wall = look.moment.stamp.wallMilliseconds
            let today = look.truth?.date ?? CivilDate(wallMilliseconds: wall, zoneOffsetMinutes: 0)
            let difference = abs((look.date ?? .epoch).daysSinceEpoch - today.daysSinceEpoch)
            guard difference > (look.truth == nil ? 1 : 0) else { continue }
            return "look after \(look.events) events: \(look.date ?? .epoch), on \(today)"
        }
        return nil
    }

    /// No date ever displays more than was walked.
    func excess(_ history: History) -> String? {
        let seen = looks.compactMap { look in
            look.truth.map { (date: $0.date, shown: look.shown, most: $0.most) }
        }
        let last = (answers.last?.days ?? []).compactMap { day in
            history.truth?.days[day.date]
                .map { (date: day.date, shown: day.displayed, most: $0.most) }
        }
        return (seen + last).first { $0.shown > $0.most }
            .map { "\($0.date) shows \($0.shown), walked \($0.most)" }
    }

    /// No look shows less than totals and readings prove.
    func shortfall() -> String? {
        for look in looks {
            guard let truth = look.truth, look.shown < truth.least else { continue }
            return "\(truth.date) shows \(look.shown), proven \(truth.least)"
        }
        return nil
    }
}
