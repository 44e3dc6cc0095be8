internal import EventStore
internal import EventStoreLMDB
internal import Events

/// What a store tells when everything of it is read, and what an append does to it.
enum StoreUse {
    /// The content of a log, in short.
    struct Content: Equatable {
        var next: Position = 0
        /// Of header and payload of all events.
        var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ event: borrowing EventView) {
            let header = event.header
            next = header.position + 1
            add(UInt64(header.kind.rawValue))
            add(UInt64(header.version))
            add(UInt64(header.flags.rawValue))
            add(UInt64(header.source))
            add(header.stamp.bootMilliseconds)
            add(UInt64(bitPattern: header.stamp.wallMilliseconds))
            add(UInt64(header.stamp.bootNumber))
            event.withPayload { payload in
                for index in payload.indices { add(UInt64(payload[index])) }
            }
        }

        private mutating func add(_ value: UInt64) {
            fingerprint = (fingerprint ^ value) &* 0x100_0000_01B3
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
