import Events
import Projections

/// What a fold, or a wrong model, said of a log; and the questions it is asked.
///
/// Each answers with what is wrong, or nil.
struct Trial {
    var log: [RecordedEvent]
    /// After each event.
    var answers: [Answer]
    var looks: [Look]

    func difference(from model: NaiveModel) -> String? {
        for (index, answer) in answers.enumerated() {
            let expected = model.answer(after: index + 1)
            guard answer != expected else { continue }
            return "after position \(index), \(log[index].event): \(answer), model \(expected)"
        }
        for look in looks {
            let expected = model.today(
                after: look.events, at: look.moment.stamp,
                isTrusted: look.moment.flags.contains(.wallTrusted))
            guard look.date != expected.date || look.shown != expected.shown else { continue }
            return "look after \(look.events) events: \(look.shown), model \(expected)"
        }
        return nil
    }

    func fall() -> String? {
        for (before, after) in zip(answers, answers.dropFirst()) {
            for day in before.days where after[day.date] ?? 0 < day.displayed {
                return "\(day.date) fell from \(day.displayed) to \(after[day.date] ?? 0)"
            }
        }
        var seen: [CivilDate: UInt64] = [:]
        for look in looks {
            guard let date = look.date else { continue }
            guard look.shown >= seen[date] ?? 0 else {
                return "\(date) was seen at \(seen[date] ?? 0), then at \(look.shown)"
            }
            seen[date] = look.shown
        }
        return nil
    }

    /// What was said of a date, by anybody, can explain what is displayed.
    func unproven() -> String? {
        var totals: [CivilDate: UInt64] = [:]
        for (index, recorded) in log.enumerated() {
            let said: (date: CivilDate, total: UInt64)?
            switch recorded.event {
            case .healthTotalObserved(let event): said = (event.date, event.total)
            case .legacyValueImported(let event): said = (event.date, event.total)
            case .reconciliationTriggered(let event):
                said = event.healthTotal.map { (event.date, $0) }
            default: said = nil
            }
            if let said { totals[said.date] = max(totals[said.date] ?? 0, said.total) }
            for day in answers[index].days {
                let most = (totals[day.date] ?? 0) + day.pedometerSteps
                if day.displayed > most {
                    return
                        "after position \(index) \(day.date) displays \(day.displayed) of \(most)"
                }
            }
        }
        return nil
    }

    /// After a reconcile its date displays at least what any source told of it.
    func overlooked() -> String? {
        var totals: [CivilDate: UInt64] = [:]
        var meant: [CivilDate: UInt64] = [:]
        for (index, recorded) in log.enumerated() {
            switch recorded.event {
            case .setAsideTaken(let event) where event.reading == nil:
                meant[event.date] = max(meant[event.date] ?? 0, event.steps)
            case .healthTotalObserved(let event)
            where event.total <= max(200_000, meant[event.date] ?? 0):
                totals[event.date] = max(totals[event.date] ?? 0, event.total)
            case .reconciliationTriggered(let event) where recorded.header.source == 0:
                let shown = answers[index][event.date] ?? 0
                let total = totals[event.date] ?? 0
                if shown < total { return "position \(index): \(shown) of \(total)" }
            default: break
            }
        }
        return nil
    }

    /// The steps that count are differences of the chosen pedometer; what does not count has a
    /// reason.
    func miscount(_ model: NaiveModel) -> String? {
        let counted = answers.last?.days.reduce(0) { $0 + $1.pedometerSteps } ?? 0
        let expected = model.counted.reduce(0, +)
        guard counted == expected else { return "\(counted) steps of \(expected)" }
        for index in log.indices where model.counted[index] > model.differences[index].steps {
            return "position \(index) counts more than its difference"
        }
        return nil
    }

    /// Under a trusted clock a look shows its date; zones and what is under way make it a day more
    /// or less.
    func wrongToday(_ history: History) -> String? {
        guard history.areTrustedClocksRight else { return nil }
        for look in looks where look.moment.flags.contains(.wallTrusted) {
            let wall = look.moment.stamp.wallMilliseconds
            let today = CivilDate(wallMilliseconds: wall, zoneOffsetMinutes: 0)
            let shown = look.date ?? .epoch
            guard abs(shown.daysSinceEpoch - today.daysSinceEpoch) > 1 else { continue }
            return "look after \(look.events) events: \(shown), on \(today)"
        }
        return nil
    }

    func excess(_ history: History) -> String? {
        // A carried reading counts whole, also what was walked in it before the total's end.
        guard history.isHonest, !history.rules.carryOverlap else { return nil }
        for look in looks {
            guard let truth = look.truth, truth.date == look.date, look.shown > truth.most else {
                continue
            }
            return "\(truth.date) shows \(look.shown), walked \(truth.most)"
        }
        for day in answers.last?.days ?? [] {
            guard let walked = history.truth[day.date], day.displayed > walked else { continue }
            return "\(day.date) ends with \(day.displayed), walked \(walked)"
        }
        return nil
    }

    func dropped(_ history: History) -> (looks: Int, steps: UInt64, text: String?) {
        var worst: (looks: Int, steps: UInt64, text: String?) = (0, 0, nil)
        for look in looks {
            guard let truth = look.truth, truth.date == look.date, look.shown < truth.least else {
                continue
            }
            let text = "\(truth.date) shows \(look.shown), proven \(truth.least)"
            worst = (
                worst.looks + 1, max(worst.steps, truth.least - look.shown), worst.text ?? text
            )
        }
        return history.rules.carryOverlap ? (0, 0, worst.text) : worst
    }

    func mixedCorrection() -> String? {
        for index in log.indices.dropFirst() {
            guard case .stepsCorrected = log[index].event else { continue }
            for day in answers[index - 1].days where answers[index][day.date] != day.displayed {
                return "position \(index) changed what \(day.date) displays"
            }
        }
        return nil
    }
}
