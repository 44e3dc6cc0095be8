public import Certification
public import EventStore
public import Events
public import Projections

extension EventLog {
    /// The staircase of a day, for a picture: each change of its count, with those by the
    /// pedometer within a minute as one.
    ///
    /// - Parameters:
    ///   - day: A day of this log.
    ///   - audit: What was audited before the day; by default nothing.
    /// - Returns: The changes in order; a day has some thousands of them at most.
    /// - Throws: `EventLogError`.
    public func staircase(
        of day: DayReport, after audit: StepsAudit = StepsAudit()
    ) throws(EventLogError) -> [StepsChange] {
        var audit = audit
        var changes: [StepsChange] = []
        try read(from: audit.state.next) { event in
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
        var days = AuditedDays()
        try days.read(self)
        return days.certified(date)
    }
}
