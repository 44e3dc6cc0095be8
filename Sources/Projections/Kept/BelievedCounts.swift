public import Events

/// Steps and distance as version 8 of the folds gave them: whatever is reported counts.
///
/// Version 9 began to hold numbers against time (``Plausibility``). What was another rule then is
/// the rule `countImplausible` now, so the present code gives it.
public struct BelievedCounts: KeptFold {
    /// `steps`.
    public static let name = "steps"
    /// 8.
    public static let version: UInt32 = 8
    /// What was another rule then.
    public static let note =
        "Steps, totals, distances and heights counted that nobody can have made."

    /// The walker's current day and last session.
    public struct Results: Hashable, Sendable {
        /// The day that counts; nil before the first.
        var date: CivilDate?
        /// What it displays.
        var displayed: UInt64 = 0
        /// The same with corrections.
        var corrected: UInt64 = 0
        /// Steps of the last session.
        var sessionSteps: UInt64 = 0
        /// Its distance.
        var sessionMillimetres: UInt64 = 0
    }

    private var state: LogState

    /// The state before the first event.
    public init() {
        state = LogState(rules: .believing)
    }

    /// The figures of the day and the last session.
    public var results: Results { Self.results(of: state) }

    /// Takes one event in.
    ///
    /// - Parameter event: The event that comes next.
    public mutating func evolve(_ event: borrowing EventView) {
        state.evolve(event)
    }

    /// The same figures as the present folds give them.
    ///
    /// - Parameter state: Their state.
    /// - Returns: Those of the walker's current day and last session.
    public static func results(of state: LogState) -> Results {
        let (day, sessions) = (state.walked.steps.current, state.walked.sessions)
        let session = sessions.open ?? sessions.past.last
        return Results(
            date: day?.date, displayed: day?.displayed ?? 0, corrected: day?.corrected ?? 0,
            sessionSteps: session?.steps ?? 0,
            sessionMillimetres: session?.distance(state.rules)?.millimetres ?? 0)
    }
}

extension Rules {
    /// The rules by which records of days were made: each that gave other steps, the latest first.
    public static var formerly: [Rules] {
        var margins = Rules()
        margins.countEachMargin = true
        return [margins, believing]
    }

    /// The rules by which every number counts, as it did up to version 8.
    public static var believing: Rules {
        var rules = Rules()
        rules.countImplausible = true
        return rules
    }
}
