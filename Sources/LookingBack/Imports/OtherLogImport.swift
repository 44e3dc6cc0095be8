internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Glibc
internal import Projections
package import Sensors
internal import Stores
package import Words

/// Takes the walks of another machine's log into a store that has one, and reports its days.
///
/// The log is read and checked to its end before anything is appended, and its events are appended
/// at once. Its days follow in a transaction of their own; where that fails, the next import of the
/// log reports them.
package struct OtherLogImport {
    private let file: String
    private let machine: String?
    private let target: ImportTarget

    /// Prepares an import.
    ///
    /// - Parameters:
    ///   - file: The file with the log's JSON Lines, or the folder of its store.
    ///   - machine: What the machine is called; nil for what its last import, or else the file, is
    ///     called.
    ///   - target: The store.
    package init(_ file: String, from machine: String? = nil, _ target: ImportTarget) {
        (self.file, self.machine, self.target) = (file, machine, target)
    }

    /// Whether a path is the folder of a store.
    package static func isStore(_ path: String) -> Bool {
        var status = stat()
        return stat(path + "/data.mdb", &status) == 0
    }

    /// Imports the log of a folder's store, which is verified first.
    ///
    /// - Returns: What became of it.
    /// - Throws: ``CommandFailure``. Nothing was imported.
    package func run() async throws -> OtherLogText {
        let (store, _) = try await opened()
        var (own, other) = (stat(), stat())
        guard stat(store.directory + "/data.mdb", &own) == 0, stat(file + "/data.mdb", &other) == 0,
            (own.st_dev, own.st_ino) != (other.st_dev, other.st_ino)
        else { throw CommandFailure(.usage, "\(file) is the store itself; name another one.") }
        let verified = try failing(in: file) { try LMDBEventLog.verify(directory: file) }
        if let damage = verified.damage { throw CommandFailure(damage, store: file) }
        let source = try Store.open(file, for: .reading)
        let checkpoint = try source.withLog { try $0.lastCheckpoint() }
        return try await run(over: source.log, checkpoint: checkpoint)
    }

    /// Imports the log of a file, whose digest is compared with what its end says.
    ///
    /// - Parameters:
    ///   - events: Gives its events.
    ///   - isPartial: Whether what is there of a file that was cut off is imported.
    /// - Returns: What became of it.
    /// - Throws: ``CommandFailure``. Nothing was imported.
    package func run(
        _ events: consuming EventFile, partially isPartial: Bool
    ) async throws -> OtherLogText {
        var events = events
        let log = InMemoryEventLog()
        var batch = EventBatch()
        while try events.read(into: &batch) || !batch.isEmpty {
            let range = try await log.append(batch, expecting: nil)
            guard range.upperBound <= OtherLog.limit else { throw overfull }
            batch = EventBatch()
        }
        try events.refuseDamage(of: file, unless: isPartial)
        return try await run(over: log, isPartial: events.damage != nil)
    }

    private func run(
        over log: any EventLog, checkpoint: String? = nil, isPartial: Bool = false
    ) async throws -> OtherLogText {
        let (store, appender) = try await opened()
        let seen = try store.withLog { try $0.importedLogs() }
        let state = await appender.state
        let known = state.sources.filter { $0.provenance != .simulated }
            .flatMap { $0.sessions.all.map(\.startedAt) }
        var other = OtherLog(after: seen, knowing: Set(known))
        var failure: (any Error)?
        try failing(in: file) {
            try log.read { event in
                do throws(FieldError) {
                    try other.take(event)
                } catch {
                    failure = error
                }
                return failure == nil && !other.isOverfull
            }
            if let failure { throw failure }
        }
        guard !other.isOverfull else { throw overfull }
        guard other.isWhole else {
            throw CommandFailure(noWholeLog: file)
        }
        other.finish()
        let name = machine ?? other.continued?.machine ?? defaultName
        var source = other.continued?.source
        if other.bringsEvents {
            let sessions = source.flatMap { state[.imported($0)]?.sessions.all } ?? []
            let places = Dictionary(
                sessions.map { ($0.startedAt, $0.position) }, uniquingKeysWith: { $1 })
            let events = other.events(of: name, checkpoint: checkpoint, knowing: places)
            let continued = source
            source = try await store.tellingWaits {
                try await appender.record(after: seen, continuing: continued, events).source
            }
            target.forgetWalks()
        }
        let days = other.days
        let reporter = Reporter(.anotherLog, named: name)
        // What is displayed already says nothing new, whoever counted it.
        let shown = await appender.state.walked.steps
        let more = days.filter { $0.steps > shown[$0.date]?.displayed ?? 0 }
        let receipts = try await target.record(more, origin: reporter)
        var told = HealthImportText(
            file: file, format: ImportedLog.format, origin: reporter, days: days)
        (told.receipts, told.isPartial) = (receipts, isPartial)
        var answer = OtherLogText(file: file, machine: name, days: told)
        (answer.source, answer.walks) = (source, other.walks)
        (answer.knownWalks, answer.hasOpenWalk) = (other.knownWalks, other.hasOpenWalk)
        answer.leftOut = (other.simulatedEvents, other.importedEvents)
        return answer
    }

    private func opened() async throws -> (store: Store, appender: Appender) {
        let (store, appender) = try await target.open()
        guard !target.isDry, let store else {
            throw CommandFailure(
                .usage,
                "--dry-run does not work for \(file), which is a log. `pulselog sessions --store` "
                    + "shows what is in a store, `pulselog replay` what is in JSON Lines.")
        }
        return (store, appender)
    }

    /// What the file or the folder is called, without what its format ends with.
    private var defaultName: String {
        let name = file.split(separator: "/").last.map(String.init) ?? ""
        let stem = name.hasSuffix(".jsonl") ? String(name.dropLast(6)) : name
        return stem.isEmpty || stem == "-" || stem == "." ? "another machine" : stem
    }

    private var overfull: CommandFailure {
        CommandFailure(
            .badData,
            "\(file) holds more than 4 million events. Keep it in a store of its own, and name "
                + "that with --store.")
    }
}
