public import EventStore
public import Events

extension EventLog {
    /// The canonical bytes of the events of the steps lane that a day's record is about, one after
    /// the other.
    ///
    /// - Parameters:
    ///   - record: The record, which is in this log.
    ///   - start: A position at or before the first of these events.
    /// - Returns: The bytes.
    /// - Throws: `EventLogError`.
    public func canonicalSteps(
        of record: DayClosed, from start: Position
    ) throws(EventLogError) -> [UInt8] {
        let wanted = record.firstStepsIndex..<max(record.firstStepsIndex, record.endStepsIndex)
        var bytes: [UInt8] = []
        var damage: DamagedBlock?
        try readBlocks(from: start) { block in
            do throws(DamagedBlock) {
                let indices = try BlockReader.heads(of: block).indices(in: .steps)
                var index = indices.lowerBound
                guard indices.overlaps(wanted) else { return index < wanted.upperBound }
                try BlockReader.forEach(in: block) { event in
                    guard event.header.kind.lane == .steps else { return true }
                    if wanted.contains(index) {
                        bytes += event.withPayload {
                            event.header.canonicalBytes(laneIndex: index, payload: $0)
                        }
                    }
                    index += 1
                    return index < wanted.upperBound
                }
                return index < wanted.upperBound
            } catch {
                damage = error
                return false
            }
        }
        if let damage { throw EventLogError(damage) }
        return bytes
    }
}
