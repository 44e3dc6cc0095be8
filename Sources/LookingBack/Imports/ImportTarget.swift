internal import Clocks
internal import Deciding
internal import EventStore
internal import Events
internal import Projections
package import Stores
internal import Terminal
internal import Words

/// The store that files are imported into, opened when the first of them has been read.
///
/// It is opened once: a process cannot open a store again before everything has let go of it.
package final class ImportTarget {
    /// Whether nothing is appended.
    package let isDry: Bool
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
    ///   - make: Opens it, and makes it if there is none; nil of a dry run if there is none.
    package init(isDry: Bool = false, _ make: @escaping () throws -> Store?) {
        (self.isDry, self.make) = (isDry, make)
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
    ///   - events: Its events.
    ///   - sha256: The SHA-256 of its bytes.
    ///   - seen: Where its last import began, of which these events are no part.
    /// - Returns: What became of it; nil if it would have been recorded by a run that isn't dry.
    /// - Throws: ``CommandFailure`` if the log fails.
    func record(
        _ file: String, _ events: EventBatch, _ sha256: [UInt8], beyond seen: Position? = nil
    ) async throws -> ImportOutcome? {
        if isDry {
            if let known = try await known(events, sha256), known.place != seen { return known }
            unrecorded.take(events)
            return nil
        }
        let (store, appender) = try await open()
        do {
            return try await waiting(on: store) {
                try await appender.record(imported: events, ofSHA256: sha256, beyond: seen)
            }
        } catch {
            // As after any lost answer, it may be in the log all the same.
            throw CommandFailure(error).saying("Then import \(file) again: it counts once.")
        }
    }

    /// What the log has of a file already, or a dry run would have imported; nil for nothing.
    func known(_ events: EventBatch, _ sha256: [UInt8]) async throws -> ImportOutcome? {
        if isDry, let known = unrecorded.known(sha256) {
            return .known(known.position, source: 0)
        }
        let (store, appender) = try await open()
        return try await waiting(on: store) { try await appender.known(events, sha256) }
    }

    /// The sessions of an import.
    func sessions(of outcome: ImportOutcome?) async throws -> [Session] {
        guard let outcome, outcome.source > 0 else { return [] }
        return try await open().appender.state[.imported(outcome.source)]?.sessions.all ?? []
    }

    /// The walks of the log, and those that a dry run would have imported.
    func known() async throws -> KnownWalks {
        let known = if let walks { walks } else { KnownWalks(try await open().appender.state) }
        walks = known
        return known
    }

    /// Remembers the walks of a file.
    ///
    /// - Parameters:
    ///   - reports: Them, as if the log began with the file.
    ///   - first: Where the file's events begin; nil after a dry run.
    func note(_ reports: [SessionReport], from first: Position?) {
        for report in reports { walks?.add(report, first.map { $0 + report.position }) }
    }

    /// Reports totals of days.
    ///
    /// - Returns: What became of each; none after a dry run.
    func record(_ days: [HealthTotal], origin: String) async throws -> [HealthReceipt] {
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
