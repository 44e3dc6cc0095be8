public import Certification
public import EventStore
public import Events
public import Projections

/// What is known of a day's count.
public struct DayAudit: Sendable {
    /// Its changes in order, for a picture: those by the pedometer within a minute are one, so that
    /// a day has some thousands at most.
    public internal(set) var staircase: [StepsChange] = []
    /// Whether the second calculation agrees with what was displayed.
    public internal(set) var certified: Result<[Certificate], CounterExample>
}

extension EventLog {
    /// Follows a date through the stretches of the log that made its count.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - last: The state at the position to stop before.
    ///   - earlier: The states along the log; none to begin with the first event.
    ///   - goOn: Called before each stretch, with the state and the certifier before it.
    ///   - take: Called with each event of a stretch.
    /// - Throws: `EventLogError`.
    func follow(
        _ date: CivilDate, until last: LogState, from earlier: EarlierStates,
        goOn: (LogState, StepsCertifier) -> Void, _ take: (borrowing EventView) -> Void
    ) throws(EventLogError) {
        let stretches = earlier.stretches(of: date, until: last) { next, lastEvent in
            bytes(at: next - 1) == lastEvent
        }
        for stretch in stretches {
            let start = stretch.state.next
            goOn(stretch.state, try certifier(before: start, after: earlier))
            try read(from: start, until: stretch.end) { event in
                take(event)
                return true
            }
        }
    }

    /// Audits a day: each change of its count, and a second calculation held against it.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - last: The state at the position to stop before.
    ///   - earlier: The states along the log; none to begin with the first event.
    ///   - take: Called with each change, in order.
    /// - Returns: The certificate, or the first counter-example of the day.
    /// - Throws: `EventLogError`.
    @discardableResult
    public func audit(
        _ date: CivilDate, until last: LogState, from earlier: EarlierStates,
        _ take: (StepsChange) -> Void
    ) throws(EventLogError) -> Result<[Certificate], CounterExample> {
        var (audit, certifier) = (StepsAudit(), StepsCertifier())
        var found: CounterExample?
        try follow(date, until: last, from: earlier) { state, later in
            audit.goOn(after: state, note: later.note)
            certifier.goOn(from: later, displaying: date)
        } _: { event in
            if let change = audit.evolve(event), change.date == date { take(change) }
            do throws(CounterExample) {
                try certifier.take(event) { audit.state.displayedSteps(on: $0) }
            } catch {
                if error.date == date { found = found ?? error }
            }
        }
        if let found { return .failure(found) }
        // Events that changed nothing may have to by its rule.
        let later = try self.certifier(before: last.next, after: earlier)
        certifier.goOn(from: later, displaying: date)
        return Result { () throws(CounterExample) in
            try certifier.finish(date) { last.displayedSteps(on: $0) }
        }
    }

    /// The audit of a day: ``audit(_:until:from:_:)``.
    ///
    /// - Throws: `EventLogError`.
    public func audit(
        _ date: CivilDate, until last: LogState, from earlier: EarlierStates
    ) throws(EventLogError) -> DayAudit {
        var answer = DayAudit(certified: .success([]))
        answer.certified = try audit(date, until: last, from: earlier) { change in
            if let merged = answer.staircase.last?.merging(change) {
                answer.staircase[answer.staircase.count - 1] = merged
            } else {
                answer.staircase.append(change)
            }
        }
        return answer
    }

    /// Takes what was displayed of a date apart.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - last: The state at the position to stop before.
    ///   - earlier: The states along the log; none to begin with the first event.
    /// - Returns: The explanation.
    /// - Throws: `EventLogError`.
    public func explain(
        _ date: CivilDate, until last: LogState, from earlier: EarlierStates
    ) throws(EventLogError) -> StepsExplanation {
        var explanation = StepsExplanation(of: date)
        try follow(date, until: last, from: earlier) { state, later in
            explanation.goOn(after: state, note: later.note)
        } _: { event in
            explanation.evolve(event)
        }
        explanation.goOn(after: last, note: nil)
        return explanation
    }

    /// Folds the whole log, and certifies every day on the way.
    ///
    /// - Returns: The certificates, or the first counter-example.
    /// - Throws: `EventLogError`.
    public func certify() throws(EventLogError) -> Result<[Certificate], CounterExample> {
        var (state, certifier) = (LogState(), StepsCertifier())
        var found: CounterExample?
        try read { event in
            state.evolve(event)
            do throws(CounterExample) {
                try certifier.take(event) { state.displayedSteps(on: $0) }
            } catch {
                found = error
            }
            return found == nil
        }
        if let found { return .failure(found) }
        return Result { () throws(CounterExample) in
            try certifier.finish { state.displayedSteps(on: $0) }
        }
    }
}
