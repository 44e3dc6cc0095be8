public import Certification
public import EventStore
public import Events
public import Projections

/// Certifiers along a log, so that a day in its middle is certified without what came before it
/// being read again.
public struct Certifiers: Sendable {
    private var parts: [(next: Position, last: EventHeader?, certifier: StepsCertifier)] = []

    private let interval: Position

    /// Begins with none.
    ///
    /// - Parameter interval: How many events are between two.
    public init(interval: Position = EarlierStates.usualInterval) {
        self.interval = interval
    }

    /// The certifier before a position, of the events alone: nothing was compared.
    mutating func last(
        before end: Position, in log: some EventLog
    ) throws(EventLogError) -> StepsCertifier {
        // Of another log, which was put in the place of the one before, nothing is known.
        if let part = parts.last,
            try log.events(in: part.next - 1..<part.next).first?.header != part.last
        {
            parts = []
        }
        let known = parts.prefix { $0.next <= end }
        var (certifier, next) = (
            StepsCertifier(after: known.map(\.certifier)), known.last?.next ?? 0
        )
        while next < end {
            let start = next
            next = min(end, (start / interval + 1) * interval)
            var header: EventHeader?
            try log.read(from: start, until: next) { event in
                certifier.take(event)
                header = event.header
                return true
            }
            let last = parts.last?.next ?? 0
            guard next > last, next.isMultiple(of: interval) else { continue }
            parts.append((next, header, certifier.part(since: last)))
        }
        return certifier
    }
}

extension EventLog {
    /// Follows a date through the stretches of the log that made its count.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - last: The state at the position to stop before.
    ///   - earlier: The states along the log; none to begin with the first event.
    ///   - goOn: Called before each stretch, with the state before it.
    ///   - take: Called with each event of a stretch.
    /// - Throws: `EventLogError`.
    func follow(
        _ date: CivilDate, until last: LogState, from earlier: EarlierStates,
        goOn: (LogState) throws(EventLogError) -> Void, _ take: (borrowing EventView) -> Void
    ) throws(EventLogError) {
        let stretches = earlier.stretches(of: date, until: last) { next, lastEvent in
            bytes(at: next - 1) == lastEvent
        }
        for stretch in stretches {
            try goOn(stretch.state)
            try read(from: stretch.state.next, until: stretch.end) { event in
                take(event)
                return true
            }
        }
    }

    /// Passes each change of a day's count on.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - last: The state at the position to stop before.
    ///   - earlier: The states along the log; none to begin with the first event.
    ///   - take: Called with each change, in order.
    /// - Throws: `EventLogError`.
    public func audit(
        _ date: CivilDate, until last: LogState, from earlier: EarlierStates,
        _ take: (StepsChange) -> Void
    ) throws(EventLogError) {
        var audit = StepsAudit()
        try follow(date, until: last, from: earlier) { state throws(EventLogError) in
            audit.goOn(after: state, note: try note(before: state.next, of: date, last))
        } _: { event in
            if let change = audit.evolve(event), change.date == date { take(change) }
        }
    }

    /// The text of the last note before a position, which names an earlier program, if the day has
    /// a value of one.
    private func note(
        before position: Position, of date: CivilDate, _ last: LogState
    ) throws(EventLogError) -> String? {
        guard last.walked.steps[date]?.legacyTotal != nil else { return nil }
        var certifiers = Certifiers()
        return try certifiers.last(before: position, in: self).note
    }

    /// Holds a second calculation against what was displayed of a day.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - last: The state at the position to stop before.
    ///   - earlier: The states along the log; none to begin with the first event.
    ///   - certifiers: The certifiers along the log; those that are missing are made.
    /// - Returns: The certificate, or the first counter-example of the day.
    /// - Throws: `EventLogError`.
    public func certify(
        _ date: CivilDate, until last: LogState, from earlier: EarlierStates,
        _ certifiers: inout Certifiers
    ) throws(EventLogError) -> Result<[Certificate], CounterExample> {
        var (state, certifier) = (LogState(), StepsCertifier())
        var found: CounterExample?
        try follow(date, until: last, from: earlier) { before throws(EventLogError) in
            state = before
            let later = try certifiers.last(before: before.next, in: self)
            certifier.goOn(from: later, displaying: date)
        } _: { event in
            state.evolve(event)
            do throws(CounterExample) {
                try certifier.take(event) { state.displayedSteps(on: $0) }
            } catch {
                if error.date == date { found = found ?? error }
            }
        }
        if let found { return .failure(found) }
        // Events that changed nothing may have to by its rule.
        certifier.goOn(from: try certifiers.last(before: last.next, in: self), displaying: date)
        return Result { () throws(CounterExample) in
            try certifier.finish(date) { last.displayedSteps(on: $0) }
        }
    }

    /// The changes of a day's count, those by the pedometer within a minute as one.
    ///
    /// - Throws: `EventLogError`.
    public func staircase(
        of date: CivilDate, until last: LogState, from earlier: EarlierStates
    ) throws(EventLogError) -> [StepsChange] {
        var changes: [StepsChange] = []
        try audit(date, until: last, from: earlier) { change in
            if let merged = changes.last?.merging(change) {
                changes[changes.count - 1] = merged
            } else {
                changes.append(change)
            }
        }
        return changes
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
        try follow(date, until: last, from: earlier) { state throws(EventLogError) in
            explanation.goOn(after: state, note: try note(before: state.next, of: date, last))
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
