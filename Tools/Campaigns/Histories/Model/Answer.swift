package import Events
package import Projections

/// The steps of a date, as the fold tells them.
package struct DayAnswer: Hashable, Sendable {
    /// The date.
    package var date: CivilDate
    /// The count that people see.
    package var displayed: UInt64
    /// The count with corrections.
    package var corrected: UInt64
    /// What the pedometer counted on this date in all.
    package var pedometerSteps: UInt64
    /// What it counted besides, that totals already had.
    package var coveredSteps: UInt64
    /// What it gained over midnight that was set aside.
    package var overMidnight: UInt64
    /// The steps that the last reconciliation added to its total (T9).
    package var carriedSteps: UInt64
}

/// The steps and heart rates of a session, as the fold tells them.
package struct SessionAnswer: Hashable, Sendable {
    /// The event that began it.
    package var position: Position
    /// Whether it is paused.
    package var isPaused: Bool
    /// Steps.
    package var steps: UInt64
    /// What the day displayed at the start.
    package var baseline: UInt64
    /// What became of the values of straps.
    package var hearts: HeartAnswer
}

/// All that is judged after an event.
package struct Answer: Hashable, Sendable {
    /// The date that counts, or nil.
    package var current: CivilDate?
    /// The days, in order of date.
    package var days: [DayAnswer]
    /// The sessions, in order of position.
    package var sessions: [SessionAnswer]

    /// What is known of a date, or nil.
    package subscript(date: CivilDate) -> DayAnswer? { days.first { $0.date == date } }
}

extension Answer {
    /// What the fold says.
    init(_ state: LogState) {
        current = state.own.steps.current?.date
        days = state.own.steps.days.map {
            DayAnswer(
                date: $0.date, displayed: $0.displayed, corrected: $0.corrected,
                pedometerSteps: $0.pedometerSteps, coveredSteps: $0.coveredSteps,
                overMidnight: $0.setAside.reduce(0) {
                    $0 + ($1.kind == .overMidnight ? $1.steps : 0)
                },
                carriedSteps: $0.lastReconciliation?.carriedSteps ?? 0)
        }
        sessions = state.own.sessions.all.map {
            SessionAnswer(
                position: $0.position, isPaused: $0.state == .paused, steps: $0.steps,
                baseline: $0.stepsBaseline, hearts: HeartAnswer($0.heartRate))
        }
    }
}

/// A look at today's count.
package struct Look: Sendable {
    /// How many events the log had.
    package var events: Int
    /// When.
    package var moment: Moment
    /// Which date was shown, or nil if there is no today.
    package var date: CivilDate?
    /// What was shown.
    package var shown: UInt64
    /// What was true.
    package var truth: Happening.Truth?
}
