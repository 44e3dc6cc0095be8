package import Certification
package import EventStore
package import Events
package import Projections

extension EventLog {
    /// The certifiers that were kept along the log.
    ///
    /// - Parameter snapshots: Where the log's snapshot is, and they are as well.
    /// - Returns: What is there; none of another version.
    package func certifiers(in snapshots: (any SnapshotStore)?) -> Certifiers {
        let kept = snapshots?.beside(.certifiers)?.read { $0.key == Self.certifiersKey }
        return kept.flatMap { Certifiers(bytes: $0.state) } ?? Certifiers()
    }

    /// Keeps certifiers along the log, if there are new ones.
    package func keep(_ certifiers: inout Certifiers, in snapshots: (any SnapshotStore)?) {
        guard certifiers.hasNews, let bytes = certifiers.bytes() else { return }
        certifiers.hasNews = false
        let head = Snapshot.Head(
            key: Self.certifiersKey, next: certifiers.next, lastEvent: [])
        snapshots?.beside(.certifiers)?.write(Snapshot(head, state: bytes))
    }

    /// The certifier before a position, of the events alone: nothing was compared.
    ///
    /// - Parameters:
    ///   - end: The position; not beyond the end of the log.
    ///   - certifiers: Those along the log; those that are missing are made.
    /// - Returns: The certifier.
    /// - Throws: `EventLogError`.
    package func certifier(
        before end: Position, from certifiers: inout Certifiers
    ) throws(EventLogError) -> StepsCertifier {
        // Of another log, which was put in the place of the one before, nothing is known.
        certifiers.forgetLast(unless: isOfLog)
        var (certifier, next) = certifiers.last(notAfter: end)
        while next < end {
            let start = next
            next = min(end, certifiers.stop(after: start))
            try read(from: start, until: next) { event in
                certifier.take(event)
                return true
            }
            certifiers.keep(certifier, at: next, lastEvent: bytes(at: next - 1))
        }
        return certifier
    }

    /// Holds the certifiers that were kept against fresh ones.
    ///
    /// - Parameter snapshots: Where the log's snapshot is, and they are as well.
    /// - Returns: What they are worth.
    /// - Throws: `EventLogError`.
    package func checkCertifiers(
        in snapshots: some SnapshotStore
    ) throws(EventLogError) -> SnapshotWorth {
        var (kept, fresh) = (certifiers(in: snapshots), Certifiers())
        kept.forgetLast(unless: isOfLog)
        _ = try certifier(before: kept.next, from: &fresh)
        return fresh.bytes() == kept.bytes() ? .holds(next: kept.next) : .differs(next: kept.next)
    }

    private static var certifiersKey: [UInt8] {
        Array("certifiers \(Certifiers.version) each \(Certifiers.usualInterval)".utf8)
    }

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
        let stretches = earlier.stretches(of: date, until: last, where: isOfLog)
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
    package func audit(
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
        return try certifier(before: position, from: &certifiers).note
    }

    /// Passes each change of a day's count on, and holds a second calculation against it.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - last: The state at the position to stop before.
    ///   - earlier: The states along the log; none to begin with the first event.
    ///   - certifiers: The certifiers along the log; those that are missing are made.
    ///   - take: Called with each change, in order.
    /// - Returns: The certificate, or the first counter-example of the day.
    /// - Throws: `EventLogError`.
    package func certify(
        _ date: CivilDate, until last: LogState, from earlier: EarlierStates,
        _ certifiers: inout Certifiers, _ take: (StepsChange) -> Void = { _ in }
    ) throws(EventLogError) -> Result<[Certificate], CounterExample> {
        var (audit, certifier) = (StepsAudit(), StepsCertifier())
        var found: CounterExample?
        try follow(date, until: last, from: earlier) { before throws(EventLogError) in
            let later = try self.certifier(before: before.next, from: &certifiers)
            audit.goOn(after: before, note: later.note)
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
        let end = try self.certifier(before: last.next, from: &certifiers)
        certifier.goOn(from: end, displaying: date)
        return Result { () throws(CounterExample) in
            try certifier.finish(date) { last.displayedSteps(on: $0) }
        }
    }

    /// The changes of a day's count, those by the pedometer within a minute as one.
    ///
    /// - Throws: `EventLogError`.
    package func staircase(
        of date: CivilDate, until last: LogState, from earlier: EarlierStates
    ) throws(EventLogError) -> [StepsChange] {
        var changes: [StepsChange] = []
        try audit(date, until: last, from: earlier) { changes.add($0) }
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
    package func explain(
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
    package func certify() throws(EventLogError) -> Result<[Certificate], CounterExample> {
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
