public import Certification
public import EventStore
public import Events
public import Projections

extension EventLog {
    /// The staircase of a day, for a picture: each change of its count, with those by the
    /// pedometer within a minute as one.
    ///
    /// - Parameter day: A day of this log.
    /// - Returns: The changes in order; a day has some thousands of them at most.
    /// - Throws: `EventLogError`.
    public func staircase(of day: DayReport) throws(EventLogError) -> [StepsChange] {
        var audit = StepsAudit()
        var changes: [StepsChange] = []
        try read { event in
            if let change = audit.evolve(event), change.date == day.date {
                if let merged = changes.last?.merging(change) {
                    changes[changes.count - 1] = merged
                } else {
                    changes.append(change)
                }
            }
            return event.header.position < day.positions?.upperBound ?? 0
        }
        return changes
    }

    /// Folds the whole log and certifies it on the way.
    ///
    /// - Parameter date: The day of interest, or nil for all.
    /// - Returns: The certificates, or the first counter-example.
    /// - Throws: `EventLogError`.
    public func certify(
        _ date: CivilDate?
    ) throws(EventLogError) -> Result<[Certificate], CounterExample> {
        var state = LogState()
        var certifier = StepsCertifier()
        var found: CounterExample?
        func isOfInterest(_ other: CivilDate) -> Bool { date == nil || date == other }
        try read { event in
            state.evolve(event)
            do throws(CounterExample) {
                try certifier.take(event) { state.live.steps[$0]?.displayed }
            } catch {
                if isOfInterest(error.date) { found = error }
            }
            return found == nil
        }
        if let found { return .failure(found) }
        do throws(CounterExample) {
            let certificates = try certifier.finish { state.live.steps[$0]?.displayed }
            return .success(certificates.filter { isOfInterest($0.date) })
        } catch {
            return .failure(error)
        }
    }
}
