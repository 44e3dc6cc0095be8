public import Clocks
public import EventStore
internal import Events
internal import Projections

extension Appender {
    /// Appends the records of days that are over and have none yet.
    ///
    /// Whether there are any costs little to know; to make them the log is folded beside the
    /// appender, once for each day.
    ///
    /// - Parameter arrival: When.
    /// - Returns: How many were appended, when they are durable.
    /// - Throws: `EventLogError`.
    @discardableResult
    public func closeDays(at arrival: Arrival) async throws(EventLogError) -> Int {
        try await catchUp()
        let last = try log.lastDayRecord()
        let steps = state.live.steps
        let isRecorded = last?.record.endStepsIndex == steps.current?.firstStepsIndex
        let countedDays = steps.days.count { $0.firstStepsIndex != nil }
        guard !isRecorded, last != nil || countedDays > 1 else { return 0 }
        let missing = try await Self.missingRecords(of: log)
        guard !missing.isEmpty else { return 0 }
        _ = try await append { (_) throws(EventLogError) in
            // Another process may have been faster.
            guard try log.lastDayRecord()?.position == last?.position else { return [] }
            return missing.map { Input(.record(.dayClosed($0)), at: arrival) }
        }
        return missing.count
    }

    @concurrent
    private static func missingRecords(
        of log: any EventLog
    ) async throws(EventLogError) -> [DayClosed] {
        try log.missingDayRecords()
    }
}
