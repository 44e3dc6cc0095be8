import Certification
package import Events
import Projections

/// What the fold said of a log, and the questions it is asked.
///
/// Each answers with what is wrong, or nil.
package struct Trial: Sendable {
    /// The log.
    package var log: [RecordedEvent]
    /// After each event.
    package var answers: [Answer]
    /// The looks, in order.
    package var looks: [Look]

    /// The certifier, which shares no code with the fold, finds every day right after every event.
    ///
    /// It knows no rule but the one as written: what a total carries is as if the total said it.
    func uncertified() throws -> String? {
        var certifier = StepsCertifier()
        for (var recorded, answer) in zip(log, answers) {
            if case .reconciliationTriggered(var event) = recorded.event,
                let total = event.healthTotal, event.date == answer.current,
                let carried = answer[event.date]?.carriedSteps, carried > 0
            {
                // More it does not believe of a total.
                guard total + carried <= 200_000 else { return nil }
                event.healthTotal = total + carried
                recorded.event = .reconciliationTriggered(event)
            }
            try recorded.withView { certifier.take($0) }
            for day in answer.days {
                let found = certifier.certificate(of: day.date)
                guard found?.displayed != day.displayed || found?.walked != day.pedometerSteps
                else { continue }
                let right = found.map { "\($0.displayed), walked \($0.walked)" } ?? "nothing"
                let place = "after position \(recorded.header.position), \(recorded.event)"
                return "\(place): \(day), certified \(right)"
            }
        }
        let dates = try certifier.finish { answers.last?[$0]?.displayed }.map(\.date)
        return dates == answers.last?.days.map(\.date) ?? [] ? nil : "days are missing of \(dates)"
    }

    /// No date shows less than before, nor does any look.
    func fall() -> String? {
        for (before, after) in zip(answers, answers.dropFirst()) {
            for day in before.days {
                let shown = after[day.date]?.displayed ?? 0
                guard shown < day.displayed else { continue }
                return "\(day.date) fell from \(day.displayed) to \(shown)"
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
                let shown = answers[index][event.date]?.displayed ?? 0
                let total = totals[event.date] ?? 0
                if shown < total { return "position \(index): \(shown) of \(total)" }
            default: break
            }
        }
        return nil
    }

    /// The corrections of a date are in its second figure alone, and sum up there (T8).
    func miscorrected() -> String? {
        var sums: [CivilDate: Int64] = [:]
        for (recorded, answer) in zip(log, answers) {
            switch recorded.event {
            case .stepsCorrected(let event): sums[event.date, default: 0] += event.correction
            case .setAsideTaken(let event) where event.reading != nil:
                sums[event.date, default: 0] += Int64(event.steps)
            default: break
            }
            for day in answer.days {
                let expected = UInt64(max(0, Int64(day.displayed) + (sums[day.date] ?? 0)))
                guard day.corrected != expected else { continue }
                return "\(day.date) is corrected to \(day.corrected), not to \(expected)"
            }
        }
        return nil
    }

    /// A total that says until when it counts brings what readings added after that, by the rule
    /// `carryOverlap` (T9); without it, and else, nothing but itself.
    func miscarried(_ rules: Rules) -> String? {
        var counted: [(wallMilliseconds: Int64, steps: UInt64)] = []
        var before = Answer(days: [], sessions: [])
        for (recorded, answer) in zip(log, answers) {
            defer { before = answer }
            if answer.current != before.current { counted = [] }
            guard recorded.header.source == 0, let day = answer.current.flatMap({ answer[$0] })
            else { continue }
            switch recorded.event {
            case .pedometerRead where rules.carryOverlap:
                let steps = min(before[day.date]?.pedometerSteps ?? 0, day.pedometerSteps)
                counted.append(
                    (recorded.header.stamp.wallMilliseconds, day.pedometerSteps - steps))
            case .reconciliationTriggered(let event) where event.date == day.date:
                guard let total = event.healthTotal, total <= 200_000 else { continue }
                let until = event.validUntilMilliseconds ?? .max
                let carried = counted.reduce(0) {
                    $0 + ($1.wallMilliseconds > until ? $1.steps : 0)
                }
                guard day.carriedSteps != carried else { continue }
                return "position \(recorded.header.position): \(day), counted \(carried)"
            default: continue
            }
        }
        return nil
    }
}
