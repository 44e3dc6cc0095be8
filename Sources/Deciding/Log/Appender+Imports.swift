package import EventStore
package import Events
package import Projections

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

/// The events of an import, folded once, as if they followed the last event of the log.
package struct ImportDraft: Sendable {
    /// The events, of the source that they would be, and at their positions.
    package let events: EventBatch
    /// The events as they were given.
    fileprivate let given: EventBatch
    fileprivate let source: UInt32
    /// Where they would begin.
    package let start: Position
    /// The sessions in them.
    package let sessions: [SessionReport]
    /// The state after them.
    fileprivate let state: LogState
}

extension Appender {
    /// Folds the events of an import, of which nothing is appended.
    ///
    /// - Parameter events: `importBegan`, a file's events and `importEnded`; of any source, and
    ///   naming sessions by their places in the batch.
    /// - Returns: The draft.
    /// - Throws: `EventLogError` if the log cannot be read.
    package func draft(imported events: EventBatch) async throws(EventLogError) -> ImportDraft {
        try await catchUp()
        return drafted(events)
    }

    /// Folds events as those of an import, which they continue, or of one more.
    private func drafted(
        _ given: EventBatch, isPlaced: Bool = false, continuing source: UInt32? = nil
    ) -> ImportDraft {
        let (start, number) = (next, source ?? state.lastImport + 1)
        // Where there is no room for another import, whoever appends says so.
        var folded =
            source != nil || state.hasRoomForImport ? state : LogState(rules: state.rules)
        var events = isPlaced ? given : given.placed(from: start)
        events.setSource(number)
        events.forEach(from: start) { folded.fold($0) }
        let sessions = folded.sessionReports(of: .imported(number), at: folded.lastMoment)
        return ImportDraft(
            events: events, given: given, source: number, start: start, sessions: sessions,
            state: folded)
    }

    /// Appends the events of a file as a source of their own, in one transaction, unless the log
    /// has the file already, or the same capture in another form.
    ///
    /// Whether it has is decided after the last event of the log: of two processes that import the
    /// same file at once one finds it known.
    ///
    /// - Parameters:
    ///   - draft: The events; folded again if the log has grown since.
    ///   - sha256: The SHA-256 of the file's bytes, as `importBegan` names it.
    ///   - seen: Where the last import of a part of the file began, if this is another part of it.
    /// - Returns: What became of it, when it is durable.
    /// - Throws: `EventLogError`, as ``record(_:)`` does; also `storage` if no number is left for
    ///   another source. Whoever tries again after a lost answer finds it known.
    package func record(
        imported draft: ImportDraft, ofSHA256 sha256: [UInt8], beyond seen: Position? = nil
    ) async throws(EventLogError) -> ImportOutcome {
        var draft = draft
        while true {
            try await catchUp()
            if let known = try known(draft.events, sha256), known.place != seen { return known }
            try checkRoom()
            if draft.start != next { draft = drafted(draft.given) }
            if let range = try await append(draft) {
                return .recorded(range, source: draft.source)
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
            if source == nil { try checkRoom() }
            let draft = drafted(events(next), isPlaced: true, continuing: source)
            if let range = try await append(draft) {
                return .recorded(range, source: draft.source)
            }
        }
    }

    /// Refuses one more import where it could not be told apart from the others.
    private func checkRoom() throws(EventLogError) {
        guard Provenance(number: state.lastImport + 1) != .simulated else {
            throw EventLogError(.storage, detail: "the log has no number for another import")
        }
        guard state.hasRoomForImport else {
            throw EventLogError(
                .storage,
                detail: "the log has as many imports as are told apart; import into a store of "
                    + "its own, with --store")
        }
    }

    /// Appends an import; nil if somebody else appended first.
    private func append(_ draft: ImportDraft) async throws(EventLogError) -> Range<Position>? {
        do throws(EventLogError) {
            let range = try await log.append(draft.events, expecting: draft.start)
            if !adopt(draft.state, after: range) { try await catchUp() }
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
