internal import CampaignRuns
internal import EventStore
internal import EventStoreLMDB
internal import Events

/// What a store tells when everything of it is read, and what an append does to it.
enum StoreUse {
    /// The content of a log, in short.
    struct Content: Equatable {
        var next: Position = 0
        /// Of header and payload of all events.
        var fingerprint = Fingerprint()

        mutating func add(_ event: borrowing EventView) {
            next = event.header.position + 1
            fingerprint.add(event)
        }
    }

    /// Reads the events below a position, as every command does.
    static func read(_ folder: String, below end: Position) throws(EventLogError) -> Content {
        let log = try LMDBEventLog.open(directory: folder, mode: .readOnly)
        defer { log.close() }
        _ = try log.statistics()
        var content = Content()
        try log.read(from: 0) { event in
            guard event.header.position < end else { return false }
            content.add(event)
            return true
        }
        return content
    }

    /// Walks the whole log.
    ///
    /// - Returns: The position after it.
    ///
    /// - Returns: Where the log ends, and whether what vouches for it is good too.
    static func verify(
        _ folder: String
    ) throws(EventLogError) -> (next: Position, isVouchedFor: Bool) {
        let log = try LMDBEventLog.open(directory: folder, mode: .readOnly)
        defer { log.close() }
        let found = try log.verify()
        if let damage = found.damage, !found.areEventsGood { throw damage }
        return (found.next, found.damage == nil)
    }

    /// Appends one event.
    static func append(_ folder: String) async throws(EventLogError) {
        let log = try LMDBEventLog.open(directory: folder, mode: .existing)
        defer { log.close() }
        var batch = EventBatch()
        do throws(FieldError) {
            try batch.append(
                .noted(Noted(text: "after the damage", author: "")),
                stamp: Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0), flags: [])
        } catch {
            throw EventLogError(.storage, detail: error.description)
        }
        _ = try await log.append(batch, expecting: nil)
    }
}
