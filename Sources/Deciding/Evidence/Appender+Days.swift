package import Clocks
package import EventStore
package import Events
internal import Projections

extension Appender {
    /// Appends the records of days that are over and have none yet.
    ///
    /// Whether there are any costs little to know; to make them the log is folded beside the
    /// appender.
    ///
    /// - Parameter arrival: When.
    /// - Returns: How many were appended, when they are durable.
    /// - Throws: `EventLogError`.
    @discardableResult
    package func closeDays(at arrival: Arrival) async throws(EventLogError) -> Int {
        try await catchUp()
        let steps = state.walked.steps
        let over = steps.days.filter { $0.firstStepsIndex != nil && $0.date != steps.current?.date }
        // The day that ended last was opened last, or is one that has counted again.
        let candidates = [
            over.max { $0.firstStepsIndex ?? 0 < $1.firstStepsIndex ?? 0 },
            over.max { $0.positions.upperBound < $1.positions.upperBound },
        ].compactMap(\.self)
        for day in candidates where try isRecordMissing(of: day) {
            var ledger = try await Self.ledger(of: log)
            return try await record(at: arrival) { (next) throws(EventLogError) in
                // Others may have appended meanwhile: a record is of the moment at which it stands.
                try ledger.follow(log, until: next)
                return ledger.missing
            }
        }
        return 0
    }

    /// Whether a day that is over has no record, or walked further since.
    private func isRecordMissing(of day: Day) throws(EventLogError) -> Bool {
        guard let known = try log.lastDayRecord(of: day.date) else { return true }
        return known.record.map { $0.walked != day.pedometerSteps } ?? false
    }

    /// Appends the record of a day that is over, unless the log has it as it is now.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - arrival: When.
    /// - Returns: The record and its place; nil if the day counts now, or nothing is known of it.
    /// - Throws: `EventLogError`.
    package func recordDay(
        _ date: CivilDate, at arrival: Arrival
    ) async throws(EventLogError) -> (position: Position, record: DayRecorded)? {
        try await catchUp()
        let (log, earlier) = (log, log.earlierStates(in: snapshots))
        _ = try await record(at: arrival) { (next) throws(EventLogError) in
            let ledger = try log.ledger(of: date, asOf: next, from: earlier)
            guard let record = ledger.record(of: date) else { return [] }
            return try log.lastDayRecord(of: date)?.record == record ? [] : [record]
        }
        guard let last = try log.lastDayRecord(of: date), let record = last.record else {
            return nil
        }
        return (last.position, record)
    }

    /// Appends records that are decided after the last event of the log.
    private func record(
        at arrival: Arrival,
        _ records: (_ next: Position) throws(EventLogError) -> [DayRecorded]
    ) async throws(EventLogError) -> Int {
        var count = 0
        _ = try await append { (state) throws(EventLogError) in
            let records = try records(state.next)
            count = records.count
            return records.map { Input(.record(.dayRecorded($0)), at: arrival) }
        }
        return count
    }

    @concurrent
    private static func ledger(of log: any EventLog) async throws(EventLogError) -> DayLedger {
        var ledger = DayLedger()
        try ledger.follow(log, until: try log.next)
        return ledger
    }
}
