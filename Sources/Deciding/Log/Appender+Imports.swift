package import EventStore
package import Events
internal import Projections

/// What became of a file that was imported.
package enum ImportOutcome: Hashable, Sendable {
    /// Its events are in the log, as a source of their own.
    case recorded(Range<Position>, source: UInt32)
    /// The log has a file of the same bytes or heart rates, whose import began at a position.
    case known(Position, source: UInt32)

    /// Where the import began.
    package var place: Position {
        switch self {
        case .recorded(let range, _): range.lowerBound
        case .known(let position, _): position
        }
    }

    /// The number of the source.
    package var source: UInt32 {
        switch self {
        case .recorded(_, let source), .known(_, let source): source
        }
    }
}

extension Appender {
    /// Appends the events of a file as a source of their own, in one transaction, unless the log
    /// has the file already, or the same capture in another form.
    ///
    /// Whether it has is decided after the last event of the log: of two processes that import the
    /// same file at once one finds it known.
    ///
    /// - Parameters:
    ///   - events: `importBegan`, the file's events and `importEnded`; of any source, and naming
    ///     sessions by their places in the batch.
    ///   - sha256: The SHA-256 of the file's bytes, as `importBegan` names it.
    ///   - seen: Where the last import of a part of the file began, if this is another part of it.
    /// - Returns: What became of it, when it is durable.
    /// - Throws: `EventLogError`, as ``record(_:)`` does; also `storage` if no number is left for
    ///   another source. Whoever tries again after a lost answer finds it known.
    package func record(
        imported events: EventBatch, ofSHA256 sha256: [UInt8], beyond seen: Position? = nil
    ) async throws(EventLogError) -> ImportOutcome {
        var events = events
        while true {
            try await catchUp()
            if let known = try known(events, sha256), known.place != seen { return known }
            let number = try nextSource
            events.setSource(number)
            if let range = try await append(imported: events.placed(from: next)) {
                return .recorded(range, source: number)
            }
        }
    }

    /// Appends events of another machine's log, in one transaction.
    ///
    /// - Parameters:
    ///   - seen: The logs that were imported before, as the events were chosen by.
    ///   - source: The source that they continue; nil for one of its own.
    ///   - events: Makes them, of any source, for the position of the first.
    /// - Returns: Where they stand, and of which source they are, when they are durable.
    /// - Throws: `EventLogError`, as ``record(imported:ofSHA256:)`` does; `busy` if another log was
    ///   imported meanwhile.
    package func record(
        after seen: [ImportedLog], continuing source: UInt32?,
        _ events: @Sendable (Position) -> EventBatch
    ) async throws(EventLogError) -> ImportOutcome {
        while true {
            try await catchUp()
            guard try log.importedLogs() == seen else {
                throw EventLogError(.busy, detail: "another log was imported meanwhile")
            }
            let number = if let source { source } else { try nextSource }
            var batch = events(next)
            batch.setSource(number)
            if let range = try await append(imported: batch) {
                return .recorded(range, source: number)
            }
        }
    }

    /// The number of one more import.
    private var nextSource: UInt32 {
        get throws(EventLogError) {
            let number = state.lastImport + 1
            guard Provenance(number: number) != .simulated else {
                throw EventLogError(.storage, detail: "the log has no number for another import")
            }
            guard state.hasRoomForImport else {
                throw EventLogError(
                    .storage,
                    detail: "the log has as many imports as are told apart; import into a store of "
                        + "its own, with --store")
            }
            return number
        }
    }

    /// Appends an import; nil if somebody else appended first.
    private func append(imported events: EventBatch) async throws(EventLogError) -> Range<Position>?
    {
        do throws(EventLogError) {
            let range = try await log.append(events, expecting: next)
            try await catchUp()
            return range
        } catch {
            guard case .wrongExpectedPosition = error.code else { throw error }
            return nil
        }
    }

    /// Looks whether the log has a file already.
    ///
    /// - Parameters:
    ///   - events: What would be imported.
    ///   - sha256: The SHA-256 of the file's bytes.
    /// - Returns: Where it is; nil if the log, as far as it was folded, does not have it.
    /// - Throws: `EventLogError`.
    package func known(
        _ events: EventBatch, _ sha256: [UInt8]
    ) throws(EventLogError) -> ImportOutcome? {
        try catchUpImports()
        var known = imports.known(sha256)
        if known == nil { known = try imports.known(byHeartRatesOf: events, in: log) }
        return known.map { .known($0.position, source: $0.source) }
    }
    /// The numbers of the sources that came of a file, part by part.
    ///
    /// - Parameter sha256: The SHA-256 of the file's bytes.
    /// - Returns: The numbers; empty if the log, as far as it was folded, does not have it.
    /// - Throws: `EventLogError`.
    package func sources(ofSHA256 sha256: [UInt8]) throws(EventLogError) -> [UInt32] {
        try catchUpImports()
        return imports.sources(of: sha256)
    }

    private func catchUpImports() throws(EventLogError) {
        // Without an import in it, the log need not be read.
        if state.lastImport == 0 { imports = ImportIndex(from: next) }
        try imports.catchUp(with: log)
    }
}
