public import EventStore
internal import Events

extension LMDBEventLog {
    /// A share of the log, of which so many are the whole.
    private static let shareCount = 60
    /// The least that is compared at a time, and the most: it takes a tenth of a second at most.
    private static let shareBytes = (2 << 20)...(32 << 20)

    /// Compares the next share of the sealed blocks with their seals, and begins again after the
    /// last one: called with each seal it meets damage before somebody asks for a proof.
    ///
    /// What was found bad before is looked at first. Where it stopped, and when, is kept outside of
    /// the store; a log that has no key there yet is left alone.
    ///
    /// - Parameters:
    ///   - folder: Where the key and the last checkpoint are.
    ///   - now: UTC in milliseconds since 1970-01-01.
    /// - Throws: ``CheckpointError``; `log` with `damaged` and the position, which is kept as well.
    public func checkShare(
        in folder: CheckpointFolder, atMilliseconds now: Int64
    ) throws(CheckpointError) {
        guard try folder.signer() != nil else { return }
        let last = try folder.selfCheck()
        var check = SelfCheck(atMilliseconds: now, verifiedBlocks: 0, sealedBlocks: 0)
        if let last, last.next > 0 {
            (check.verifiedBlocks, check.next) = (last.verifiedBlocks, last.next)
        }
        var damage: EventLogError?
        do throws(EventLogError) {
            if let known = last?.damagePosition { try readBlocks(from: known) { _ in false } }
            try compareShare(&check)
        } catch {
            guard error.code == .damaged else { throw CheckpointError(error) }
            damage = error
            check.damagePosition = error.position ?? check.next
        }
        try folder.inTurn { () throws(CheckpointError) in
            // Damage that another process has found since is kept.
            let met = try folder.selfCheck()?.damagePosition
            if met != last?.damagePosition { check.damagePosition = check.damagePosition ?? met }
            try folder.keep(check)
        }
        if let damage { throw CheckpointError(damage) }
    }

    private func compareShare(_ check: inout SelfCheck) throws(EventLogError) {
        let last = try store.read { transaction, environment in
            try transaction.lastLeaf(of: environment)
        }
        guard let last else { return }
        check.sealedBlocks = last.ordinal + 1
        let share = try statistics().fileBytes / Self.shareCount
        var bytes = min(max(share, Self.shareBytes.lowerBound), Self.shareBytes.upperBound)
        var round = (verified: check.verifiedBlocks, next: check.next)
        defer { (check.verifiedBlocks, check.next) = round }
        try readBlocks(from: round.next) { block in
            round.verified += 1
            round.next += UInt64(BlockReader.count(of: block))
            bytes -= block.count
            return round.next <= last.position && bytes > 0
        }
        if round.next > last.position { round = (check.sealedBlocks, 0) }
    }

    /// What is known of the log without looking at it; nil if nothing was ever compared.
    ///
    /// - Parameter folder: Where the key and the last checkpoint are.
    /// - Returns: The last share; nil also for a copy of the log, and if it cannot be read, which
    ///   sealing says.
    public func lastSelfCheck(in folder: CheckpointFolder) -> SelfCheck? {
        do throws(CheckpointError) {
            return try folder.isOfStore(in: directory) ? try folder.selfCheck() : nil
        } catch {
            return nil
        }
    }
}

extension CheckpointFolder {
    /// Keeps what was found while reading the log for another reason, so that others know.
    ///
    /// Nothing is lost if it cannot be kept: whoever reads so far is told as well.
    ///
    /// - Parameters:
    ///   - error: What was found; only damage at a position is kept.
    ///   - directory: The path of the store; of a copy nothing is kept.
    ///   - now: UTC in milliseconds since 1970-01-01.
    public func remember(
        _ error: EventLogError, in directory: String, atMilliseconds now: Int64
    ) {
        guard error.code == .damaged, let position = error.position else { return }
        do throws(CheckpointError) {
            guard try isOfStore(in: directory) else { return }
            try inTurn { () throws(CheckpointError) in
                var check =
                    try selfCheck()
                    ?? SelfCheck(atMilliseconds: now, verifiedBlocks: 0, sealedBlocks: 0)
                check.atMilliseconds = now
                check.damagePosition = position
                try keep(check)
            }
        } catch {
            return
        }
    }

    /// Keeps what a walk over the whole log has found; nothing is lost if that cannot be done.
    ///
    /// - Parameters:
    ///   - found: What it found.
    ///   - directory: The path of the store; of a copy nothing is kept.
    ///   - now: UTC in milliseconds since 1970-01-01.
    public func remember(
        _ found: LogVerification, in directory: String, atMilliseconds now: Int64
    ) {
        if let damage = found.damage {
            // What is wrong with signatures alone concerns the next seal, which finds it again.
            if !found.areEventsGood { remember(damage, in: directory, atMilliseconds: now) }
            return
        }
        let sealed = found.evidence.sealedBlocks
        guard sealed > 0 else { return }
        do throws(CheckpointError) {
            guard try isOfStore(in: directory) else { return }
            try keep(SelfCheck(atMilliseconds: now, verifiedBlocks: sealed, sealedBlocks: sealed))
        } catch {
            return
        }
    }
}
