import Events
import Projections

/// What sessions count.
extension Trial {
    /// A session counts the steps between the readings that it heard, and begins with what the day
    /// displays, whatever totals and reconciliations make of the day (S8).
    ///
    /// What a reading adds to a session it adds to its day, be it set aside there by name, unless
    /// the choice of the pedometer begins with it.
    func misjudged(_ history: History) -> String? {
        var isNew = true
        for (index, (before, after)) in zip(answers, answers.dropFirst()).enumerated() {
            let session = after.sessionSteps - before.sessionSteps
            let day = after.daySteps - before.daySteps
            let event = log[index + 1].event
            isNew = isNew || after.current == nil || event.kind == .pedometerChosen
            guard session == 0 || session == day || isNew && day == 0 else {
                let place = "position \(index + 1), \(event)"
                return "\(place) adds \(day) to its day, \(session) to a session"
            }
            isNew = isNew && session == 0 && day == 0
        }
        let sessions = answers.last?.sessions ?? []
        let sum = answers.last?.sessionSteps ?? 0
        if let own = history.ownSteps, sum > Int64(own) { return "\(sum) steps of \(own) walked" }
        guard let truth = history.truth?.sessions else { return nil }
        guard sessions.map(\.steps) == truth.map(\.heard) else {
            return "\(sessions.map(\.steps)), walked \(truth.map(\.heard))"
        }
        for (session, truth) in zip(sessions, truth) {
            let shown = answers[Int(session.position)][truth.date]?.displayed ?? 0
            guard session.baseline != shown else { continue }
            return "session \(session.position) begins with \(session.baseline) of \(shown)"
        }
        return nil
    }

    /// Each value that a strap sent in a session has one fate (S3).
    func misheard() -> String? {
        var open: Position?
        var (heard, excluded) = ([Position: [Beat]](), [Position: [DeviceID: Bool]]())
        var ignored: [DeviceID: Bool] = [:]
        for (index, recorded) in log.enumerated() where recorded.header.source == 0 {
            switch recorded.event {
            case .sessionStarted: open = recorded.header.position
            case .sessionEnded: open = nil
            case .contactChosen(let event): ignored[event.device] = event.ignored
            case .deviceExcluded(let event):
                excluded[event.session, default: [:]][event.device] = event.excluded
            case .characteristicNotified(let event):
                guard let open else { continue }
                let beat = Beat(
                    strap: event.device, value: event.value,
                    isPaused: answers[index].sessions.last?.isPaused ?? false,
                    isContactIgnored: ignored[event.device] ?? false)
                heard[open, default: []].append(beat)
            default: continue
            }
        }
        for session in answers.last?.sessions ?? [] {
            var expected = HeartAnswer()
            for beat in heard[session.position] ?? []
            where excluded[session.position]?[beat.strap] != true {
                expected.take(beat)
            }
            guard session.hearts != expected else { continue }
            return "session \(session.position): \(session.hearts), sent \(expected)"
        }
        return nil
    }
}

extension Answer {
    /// What the pedometer counted on all days, also where totals had it already, and what came over
    /// midnight.
    fileprivate var daySteps: Int64 {
        days.reduce(0) { $0 + Int64($1.pedometerSteps + $1.coveredSteps + $1.overMidnight) }
    }

    /// What all sessions count.
    fileprivate var sessionSteps: Int64 { sessions.reduce(0) { $0 + Int64($1.steps) } }
}

/// A value that a strap sent.
private struct Beat {
    var strap: DeviceID
    var value: [UInt8]
    var isPaused: Bool
    var isContactIgnored: Bool
}

/// Values of straps in a session by what became of them.
package struct HeartAnswer: Hashable, Sendable {
    /// What counts.
    package var samples: UInt64 = 0
    /// Its sum in BPM.
    package var sum: UInt64 = 0
    /// What came in pauses.
    package var paused: UInt64 = 0
    /// What denied contact.
    package var noContact: UInt64 = 0
    /// What no heart does.
    package var noHeart: UInt64 = 0
}

extension HeartAnswer {
    /// What the fold says.
    init(_ totals: HeartRateTotals) {
        (samples, sum) = (totals.samples, totals.sum)
        (paused, noContact) = (totals.excludedPaused, totals.excludedNoContact)
        noHeart = totals.excludedZero + totals.excludedNoReading + totals.excludedNotCredible
    }

    /// Takes a value by its bytes (Bluetooth HRS 1.0, 3.1): flags, then one byte or two.
    fileprivate mutating func take(_ beat: Beat) {
        let isWide = beat.value[0] % 2 == 1
        let rate = UInt64(beat.value[1]) + (isWide ? 256 * UInt64(beat.value[2]) : 0)
        if beat.isPaused {
            paused += 1
        } else if beat.value[0] / 2 % 4 == 2, !beat.isContactIgnored {
            noContact += 1
        } else if !(20...300).contains(rate) || rate == 255 && !isWide {
            noHeart += 1
        } else {
            (samples, sum) = (samples + 1, sum + rate)
        }
    }
}
