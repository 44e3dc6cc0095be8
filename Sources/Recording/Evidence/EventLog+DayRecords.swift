public import EventStore
public import Events
internal import Projections

/// A day's record in the log that is not what the events give.
public struct WrongDayRecord: Hashable, Sendable {
    /// Where it stands.
    public let position: Position
    /// What it says.
    public let recorded: DayClosed
    /// What the events give; nil if no day was over that had no record yet.
    public let expected: DayClosed?
}

extension EventLog {
    /// The last record of a day that the log holds, of the live recorder.
    ///
    /// The costs are those of the way back to it.
    ///
    /// - Parameter isWanted: Whether it is one of those that are looked for.
    /// - Returns: The record and its place; nil if there is none.
    /// - Throws: `EventLogError`.
    public func lastDayRecord(
        where isWanted: (DayClosed) -> Bool = { _ in true }
    ) throws(EventLogError) -> (position: Position, record: DayClosed)? {
        let head = try next
        var end = head
        var window: UInt64 = 4_096
        while end > 0 {
            let start = end - min(end, window)
            var found: (Position, DayClosed)?
            let areThereAny = try readDayLane(from: start, until: end) {
                if isWanted($1) { found = ($0, $1) }
            }
            if let found { return found }
            guard areThereAny else { return nil }
            end = start
            window *= 2
        }
        return nil
    }

    /// The records of days that are over and have none in the log yet.
    ///
    /// Folds the whole log.
    ///
    /// - Returns: The records, in order; none if one in the log is not what the events give.
    /// - Throws: `EventLogError`.
    public func missingDayRecords() throws(EventLogError) -> [DayClosed] {
        var missing: [DayClosed] = []
        let wrong = try forEachDayRecord { missing = $0 }
        return wrong == nil ? missing : []
    }

    /// Derives the records of days again, and compares.
    ///
    /// - Returns: The first record in the log that is not what the events give; nil if all are.
    /// - Throws: `EventLogError`.
    public func wrongDayRecord() throws(EventLogError) -> WrongDayRecord? {
        try forEachDayRecord { _ in }
    }

    private func forEachDayRecord(
        _ tellMissing: ([DayClosed]) -> Void
    ) throws(EventLogError) -> WrongDayRecord? {
        var records = DayRecords()
        var waiting: [DayClosed] = []
        var wrong: WrongDayRecord?
        try read { event in
            if let closed = records.evolve(event) { waiting.append(closed) }
            guard event.header.source == 0, case .dayClosed(let recorded) = event.decoded else {
                return true
            }
            let expected = waiting.isEmpty ? nil : waiting.removeFirst()
            if recorded != expected {
                wrong = WrongDayRecord(
                    position: event.header.position, recorded: recorded, expected: expected)
            }
            return wrong == nil
        }
        tellMissing(waiting)
        return wrong
    }

    /// Hands the live recorder's records of a range on; a block that holds none is not unpacked.
    ///
    /// - Returns: Whether the log holds any event of the lane before the end of the range.
    private func readDayLane(
        from start: Position, until end: Position, _ body: (Position, DayClosed) -> Void
    ) throws(EventLogError) -> Bool {
        var damage: DamagedBlock?
        var areThereAny = false
        try readBlocks(from: start) { block in
            do throws(DamagedBlock) {
                let heads = try BlockReader.heads(of: block)
                let indices = heads.indices(in: .day)
                areThereAny = indices.upperBound > 0
                guard !indices.isEmpty else { return heads.next < end }
                try BlockReader.forEach(in: block, from: start) { event in
                    let header = event.header
                    guard header.position < end else { return false }
                    if header.source == 0, case .dayClosed(let record) = event.decoded {
                        body(header.position, record)
                    }
                    return true
                }
                return heads.next < end
            } catch {
                damage = error
                return false
            }
        }
        if let damage { throw EventLogError(damage) }
        return areThereAny
    }
}
