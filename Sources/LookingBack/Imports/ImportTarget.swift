package import Clocks
internal import Deciding
internal import EventStore
internal import Events
internal import Interchange
internal import Projections
package import Stores
internal import Words

/// The store that files are imported into, opened when the first of them has been read.
///
/// It is opened once: a process cannot open a store again before everything has let go of it.
package final class ImportTarget {
    /// Whether nothing is appended.
    package let isDry: Bool
    /// Where the day after tomorrow begins, in UTC milliseconds; nothing can have been then.
    let end: Int64
    private let make: () throws -> Store?
    private var opened: (store: Store?, appender: Appender)?
    /// The walks of the log, made when they are asked for.
    private var walks: KnownWalks?
    /// What a dry run would have imported.
    private var unrecorded = ImportIndex()

    /// Prepares a store.
    ///
    /// - Parameters:
    ///   - isDry: Whether nothing is to be appended.
    ///   - now: When.
    ///   - make: Opens it, and makes it if there is none; nil of a dry run if there is none.
    package init(isDry: Bool = false, at now: Arrival, _ make: @escaping () throws -> Store?) {
        (self.isDry, self.make) = (isDry, make)
        // By a clock that was never set, everything is after tomorrow.
        let (wall, day): (Int64, Int64) = (now.wallMilliseconds, 86_400_000)
        let isSet = wall >= Arrival.earliestTrustedMilliseconds
        end = isSet ? (wall / day + 2) * day : WalkFacts.endOfTime
    }

    /// Opens the store, unless that was done.
    func open() async throws -> (store: Store?, appender: Appender) {
        if let opened { return opened }
        guard let store = try make() else {
            let appender = Appender(InMemoryEventLog(), machine: try .this())
            opened = (nil, appender)
            return (nil, appender)
        }
        let appender = try await store.appender()
        if !isDry { store.keepLater { await appender.folded } }
        opened = (store, appender)
        return (store, appender)
    }

    /// Seals the log, if it was opened.
    package func seal() async {
        guard !isDry, let (store, appender) = opened, let store else { return }
        await store.sealAtExit { await store.seal(appender) }
    }

    /// Imports a file, unless the log has it.
    ///
    /// - Parameters:
    ///   - file: What it is called.
    ///   - draft: Its events.
    ///   - sha256: The SHA-256 of its bytes.
    ///   - seen: Where its last import began, of which these events are no part.
    /// - Returns: What became of it; nil if it would have been recorded by a run that isn't dry.
    /// - Throws: ``CommandFailure`` if the log fails.
    func record(
        _ file: String, _ draft: ImportDraft, _ sha256: [UInt8], beyond seen: Position? = nil
    ) async throws -> ImportOutcome? {
        if isDry {
            if let known = try await known(draft.events, sha256), known.place != seen {
                return known
            }
            unrecorded.take(draft.events)
            note(draft, from: nil)
            return nil
        }
        let (store, appender) = try await open()
        do {
            let outcome = try await waiting(on: store) {
                try await appender.record(imported: draft, ofSHA256: sha256, beyond: seen)
            }
            if case .recorded(let range, _) = outcome {
                note(draft, from: range.lowerBound)
            }
            return outcome
        } catch {
            // As after any lost answer, it may be in the log all the same.
            throw CommandFailure(error).saying("Then import \(file) again: it counts once.")
        }
    }

    /// Folds the events of a file, as the log would.
    func draft(_ events: EventBatch) async throws -> ImportDraft {
        let (store, appender) = try await open()
        return try await waiting(on: store) { try await appender.draft(imported: events) }
    }

    /// What the log has of a file already, or a dry run would have imported; nil for nothing.
    func known(_ events: EventBatch, _ sha256: [UInt8]) async throws -> ImportOutcome? {
        if isDry, let known = unrecorded.known(sha256) {
            return .known(known.position, source: 0)
        }
        let (store, appender) = try await open()
        return try await waiting(on: store) { try await appender.known(events, sha256) }
    }

    /// The first session of an import.
    func session(of outcome: ImportOutcome?) async throws -> Position? {
        guard let outcome, outcome.source > 0 else { return nil }
        return try await sessions(of: outcome.source).first?.position
    }

    /// The sessions that came of a file, part by part; none in a dry run of what it would import.
    func sessions(ofSHA256 sha256: [UInt8]) async throws -> [Session] {
        var sessions: [Session] = []
        for source in try await open().appender.sources(ofSHA256: sha256) {
            sessions += try await self.sessions(of: source)
        }
        return sessions
    }

    private func sessions(of source: UInt32) async throws -> [Session] {
        try await open().appender.state[.imported(source)]?.sessions.all ?? []
    }

    /// The walks of the log, and those that a dry run would have imported.
    func known() async throws -> KnownWalks {
        let known = if let walks { walks } else { KnownWalks(try await open().appender.state) }
        walks = known
        return known
    }

    /// Reads the walks of the log again when they are asked for: it has grown by others.
    func forgetWalks() { walks = nil }

    /// Remembers the walks of a file among those of the log, if anybody has asked for them.
    private func note(_ draft: ImportDraft, from first: Position?) {
        for report in draft.sessions {
            walks?.add(report, first.map { $0 + (report.position - draft.start) })
        }
    }

    /// Reports totals of days.
    ///
    /// - Returns: What became of each; none after a dry run.
    func record(_ days: [HealthTotal], origin: Reporter) async throws -> [HealthReceipt] {
        let (store, appender) = try await open()
        guard !isDry else { return [] }
        return try await waiting(on: store) {
            try await appender.record(days, origin: origin, at: .now())
        }
    }

    private func waiting<Value>(
        on store: Store?, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let store else { return try await body() }
        return try await store.tellingWaits(body)
    }
}

extension ImportBegan {
    /// The beginning of an import of a file, named by the last part of its path as far as an event
    /// holds it; that of a pipe is `-`.
    init(ofFile path: String, format: String, sha256: [UInt8]) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        self.init(fileName: name.fitting(1_024), format: format, sha256: sha256)
    }
}
