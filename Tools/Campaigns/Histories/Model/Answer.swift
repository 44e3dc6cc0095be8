public import Events
public import Projections

/// The steps of a date, as the fold tells them.
public struct DayAnswer: Hashable, Sendable {
    /// The date.
    public var date: CivilDate
    /// The count that people see.
    public var displayed: UInt64
    /// The count with corrections.
    public var corrected: UInt64
    /// What the pedometer counted on this date in all.
    public var pedometerSteps: UInt64
    /// What it counted besides, that totals already had.
    public var coveredSteps: UInt64
    /// The steps that the last reconciliation added to its total (T9).
    public var carriedSteps: UInt64
}

/// The steps and heart rates of a session, as the fold tells them.
public struct SessionAnswer: Hashable, Sendable {
    /// The event that began it.
    public var position: Position
    /// Whether it is paused.
    public var isPaused: Bool
    /// Steps.
    public var steps: UInt64
    /// What the day displayed at the start.
    public var baseline: UInt64
    /// What became of the values of straps.
    public var hearts: HeartAnswer
}

/// All that is judged after an event.
public struct Answer: Hashable, Sendable {
    /// The date that counts, or nil.
    public var current: CivilDate?
    /// The days, in order of date.
    public var days: [DayAnswer]
    /// The sessions, in order of position.
    public var sessions: [SessionAnswer]

    /// What is known of a date, or nil.
    public subscript(date: CivilDate) -> DayAnswer? { days.first { $0.date == date } }
}

extension Answer {
    /// What the fold says.
    init(_ state: LogState) {
        current = state.own.steps.current?.date
        days = state.own.steps.days.map {
            DayAnswer(
                date: $0.date, displayed: $0.displayed, corrected: $0.corrected,
                pedometerSteps: $0.pedometerSteps, coveredSteps: $0.coveredSteps,
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
public struct Look: Sendable {
    /// How many events the log had.
    public var events: Int
    /// When.
    public var moment: Moment
    /// Which date was shown, or nil if there is no today.
    public var date: CivilDate?
    /// What was shown.
    public var shown: UInt64
    /// What was true.
    public var truth: Happening.Truth?
}
