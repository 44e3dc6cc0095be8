internal import EventStore
internal import EventStoreLMDB
internal import Events
package import Sensors
internal import Stores
internal import Terminal
internal import Words

/// Takes a log's JSON Lines into a store that does not exist yet, in constant memory.
///
/// The store takes its name when the last line is on disk: there is never a half import under it,
/// however the import ends.
package struct LogImport {
    /// A batch, which is one transaction, has no more events and no more bytes of payloads, but for
    /// those of 64 KiB of lines.
    private static let batchEvents = 1 << 16
    private static let batchBytes = 1 << 20

    private let file: String
    private let directory: String
    private let isPartial: Bool

    /// Prepares an import.
    ///
    /// - Parameters:
    ///   - file: What its lines are called.
    ///   - directory: The folder of the store to be.
    ///   - isPartial: Whether what is there of a file that was cut off is imported.
    package init(_ file: String, into directory: String, partially isPartial: Bool = false) {
        (self.file, self.directory, self.isPartial) = (file, directory, isPartial)
    }

    /// Imports all lines.
    ///
    /// - Parameter events: Gives them.
    /// - Returns: How many events there were.
    /// - Throws: ``CommandFailure``. Nothing was imported.
    package func run(_ events: consuming EventFile) throws -> UInt64 {
        guard try Self.isFree(directory) else { throw isTaken }
        NewFolder.nameLeftovers(of: directory, "import")
        var events = events
        // Not before the file is open: a pipe that nobody writes to keeps open(2) waiting.
        let stop = StopRequest()
        do {
            try restore(&events, orUntil: stop)
            return events.count
        } catch {
            let failure = CommandFailure(error, store: directory).saying("Nothing was imported.")
            stop.endIfRequested(saying: failure.message)
            throw failure
        }
    }

    private func restore(_ events: inout EventFile, orUntil stop: StopRequest) throws {
        guard let first = try batch(of: &events, orUntil: stop),
            first.headers.first?.kind == .originBegan
        else {
            throw CommandFailure(noWholeLog: file)
        }
        let isNew = try LMDBEventLog.create(
            directory: directory, origin: LogOrigin(beginning: first)
        ) { try batch(of: &events, orUntil: stop) }
        guard isNew else { throw isTaken }
    }

    /// The next events; nil at the end of the file.
    private func batch(
        of events: inout EventFile, orUntil stop: StopRequest
    ) throws -> EventBatch? {
        var batch = EventBatch()
        while batch.count < Self.batchEvents, batch.payloadBytes < Self.batchBytes,
            try events.read(into: &batch, unless: stop.comes)
        {}
        try events.refuseDamage(of: file, unless: isPartial)
        return batch.isEmpty ? nil : batch
    }

    /// Whether a folder holds no log yet.
    ///
    /// - Throws: ``CommandFailure`` if it holds something else.
    package static func isFree(_ directory: String) throws -> Bool {
        do throws(EventLogError) {
            _ = try LMDBEventLog.open(directory: directory, mode: .readOnly)
        } catch {
            guard error.code == .notFound else { throw CommandFailure(error, store: directory) }
            return true
        }
        return false
    }

    private var isTaken: CommandFailure {
        CommandFailure(
            .cannotCreate, "\(directory) already holds a log; name another folder with --store.")
    }
}

extension EventFile {
    /// Refuses a file that was cut off, unless what is there of it is to be imported.
    func refuseDamage(of file: String, unless isPartial: Bool) throws(CommandFailure) {
        guard let damage, !isPartial else { return }
        throw CommandFailure(
            .badData, "\(file): \(damage) With --partial what is there is imported.")
    }
}

extension CommandFailure {
    /// A file holds a part of a log only.
    init(noWholeLog file: String) {
        self.init(
            .badData,
            "\(file) does not begin with originBegan: it is not a whole log. "
                + "`pulselog replay` shows a part of one.")
    }
}
