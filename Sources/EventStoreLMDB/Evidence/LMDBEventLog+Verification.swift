public import EventStore
public import Events
internal import LMDB

/// What a walk over the whole log has found.
public struct LogVerification: Sendable {
    /// The blocks that are good, up to the first damage.
    public internal(set) var blocks = 0
    /// The position after the last good event.
    public internal(set) var next: Position = 0
    /// The bytes of the good blocks.
    public internal(set) var bytes = 0
    /// The first damage, with its position; nil if there is none.
    public internal(set) var damage: EventLogError?
    /// Whether every event can be read, so that a damage is one of what vouches for them.
    public internal(set) var areEventsGood = true
    /// What vouches for the log.
    public internal(set) var evidence = EvidenceReport()
    /// The pages of the data file that are neither in use nor free; a copy leaves them out.
    public internal(set) var lostPages: UInt64 = 0
    /// Whether the walk was ended by whoever was told of its progress: the rest is unknown.
    public internal(set) var isStopped = false

    /// Those of the last good block.
    var heads: BlockHeads?

    /// The number of good events of a lane.
    public func events(in lane: Lane) -> UInt64 { heads?.indices(in: lane).upperBound ?? 0 }
}

/// The figures of a log, which cost the same whatever its length.
public struct LogStatistics: Sendable {
    /// The number of blocks.
    public let blocks: Int
    /// The number of events.
    public let events: UInt64
    /// The bytes of the data file in use, of all tables, free pages included.
    public let fileBytes: Int
    /// How far the data file can grow before its map has to.
    public let mapSizeBytes: Int

    /// Those of the last block.
    let heads: BlockHeads?

    /// The number of events of a lane.
    public func events(in lane: Lane) -> UInt64 { heads?.indices(in: lane).upperBound ?? 0 }
}

extension LMDBEventLog {
    /// Walks the log in a directory, as ``verify(comparingWith:progress:)`` does.
    ///
    /// - Parameters:
    ///   - directory: The path of the store.
    ///   - folder: Where the key and the last checkpoint of a log are kept; nil not to look there.
    ///   - progress: Called on this thread now and then; false ends the walk there.
    /// - Returns: What is good, and the first damage; nothing is good if it is too damaged to be
    ///   opened.
    /// - Throws: ``EventLogError`` if there is no log to be read.
    public static func verify(
        directory: String, comparingWith folder: (LMDBEventLog) -> CheckpointFolder? = { _ in nil },
        progress: (CopyProgress) -> Bool = { _ in true }
    ) throws(EventLogError) -> LogVerification {
        do throws(EventLogError) {
            let log = try open(directory: directory, mode: .readOnly)
            defer { log.close() }
            return try log.verify(comparingWith: folder(log), progress: progress)
        } catch {
            guard error.code == .damaged else { throw error }
            var found = LogVerification()
            found.areEventsGood = false
            found.damage = error
            return found
        }
    }

    /// Walks all blocks: checksums, every event, positions without gaps, keys, and the lanes'
    /// indices without gaps; and what vouches for them: leaves, roots and signatures.
    ///
    /// Memory is some hundred kilobytes, whatever the length of the log.
    ///
    /// - Parameters:
    ///   - folder: Where the key and the last checkpoint are kept; nil not to look there.
    ///   - progress: Called now and then; false ends the walk there. It begins again if what our
    ///     own key vouches for turns out not to be what was signed.
    /// - Returns: What is good, and the first damage.
    /// - Throws: ``EventLogError`` if the log cannot be read at all.
    public func verify(
        comparingWith folder: CheckpointFolder? = nil,
        progress: (CopyProgress) -> Bool = { _ in true }
    ) throws(EventLogError) -> LogVerification {
        var check = EvidenceCheck(self)
        var forged = try damage { () throws(EventLogError) in try check.begin(folder) }
        var (found, compared) = try walk(forged == nil ? check : nil, progress)
        if found.isStopped { return found }
        if let compared { check = compared }
        if forged == nil { forged = try damage { () throws(EventLogError) in try check.end() } }
        // What was sealed was read whole before, and is the same, if our own key says so. Else it
        // is read again.
        if forged != nil, check.trustsBlocks {
            (found, _) = try walk(nil, progress)
        }
        found.evidence = check.report
        found.lostPages = try store.withEnvironment { UInt64($0.lostPages.count) }
        if forged != nil, found.damage == nil {
            // What keeps readers from a block whose events are good: it is not as it was sealed.
            found.damage = try damage { () throws(EventLogError) in
                try readBlocks(from: 0) { _ in true }
            }
        }
        found.areEventsGood = found.damage == nil
        // Of two damages the first counts.
        if let forged,
            found.damage == nil
                || found.damage?.position ?? .max > forged.position ?? .max
        {
            found.damage = forged
        }
        return found
    }

    /// Walks all blocks once, a portion at a time.
    private func walk(
        _ check: EvidenceCheck?, _ progress: (CopyProgress) -> Bool
    ) throws(EventLogError) -> (LogVerification, EvidenceCheck?) {
        var (check, found) = (check, LogVerification())
        let table = try store.read { transaction, environment in
            try transaction.statistics(of: environment.log)
        }
        let (blocks, pageBytes) = (table.entryCount, table.pageSizeBytes)
        let verifier = check?.verifier
        var portion = BlockPortion(
            size: BlockPortion.limit, looksAtSeals: verifier != nil, verifier: verifier)
        var next: RecordKey? = RecordKey(0)
        // After a damage only what vouches for the log is looked at, as far as it goes.
        while let key = next, !found.isStopped, found.damage == nil || check?.isOver == false {
            do throws(EventLogError) {
                next = try store.read { try portion.fill(from: key, $0, $1) }
                var judged: [JudgedBlock] = []
                _ = portion.forEach(reading: check?.firstRead ?? 0) { block, _ in
                    judged.append(block)
                    return true
                }
                check?.take(judged, portion.checkpoints)
                for block in judged where found.damage == nil { found.add(block) }
            } catch {
                guard error.code == .damaged else { throw error }
                found.damage = found.damage ?? .damaged(error.detail, at: found.next)
                next = nil
            }
            found.isStopped = !progress(
                CopyProgress(
                    step: .verifying, doneBytes: found.blocks * pageBytes,
                    allBytes: blocks * pageBytes))
        }
        return (found, check)
    }

    /// The figures of the log now.
    ///
    /// - Throws: ``EventLogError``.
    public func statistics() throws(EventLogError) -> LogStatistics {
        try store.read { transaction, environment in
            let last = try transaction.lastEntry(in: environment.log) { key, block in
                try verifyBlock(block, at: key)
            }
            let info = try environment.info
            return LogStatistics(
                blocks: try transaction.statistics(of: environment.log).entryCount,
                events: last?.next ?? 0,
                fileBytes: (info.lastPageNumber + 1) * info.pageSizeBytes,
                mapSizeBytes: info.mapSizeBytes, heads: last)
        }
    }
}

/// Checks one block against its key, then reads every event of it.
///
/// - Throws: ``EventLogError`` `damaged` or `unrecognized`.
func verifyBlock(
    _ block: Span<UInt8>, at key: Span<UInt8>, isRead: Bool = true
) throws(EventLogError) -> BlockHeads {
    let positions = try checkBlock(block, at: key)
    return try readBlock(at: positions.lowerBound) { () throws(DamagedBlock) in
        if isRead { try BlockReader.forEach(in: block) { _ in true } }
        return try BlockReader.heads(of: block)
    }
}

extension LogVerification {
    /// Adds a block, unless it is damaged or does not follow the block before.
    fileprivate mutating func add(_ block: JudgedBlock) {
        do throws(EventLogError) {
            guard block.key == next else {
                throw .damaged("a block is missing", at: next)
            }
            let heads = try block.heads.get()
            for lane in Lane.allCases {
                let start = heads.indices(in: lane).lowerBound
                guard start == events(in: lane) else {
                    throw .damaged("lane \(lane) continues at index \(start)", at: next)
                }
            }
            self.heads = heads
            blocks += 1
            bytes += block.byteCount
            next = heads.next
        } catch {
            damage = error
        }
    }
}
