internal import Clocks
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Glibc
internal import Interchange
internal import JSON
internal import LookingBack
internal import Sensors
internal import Terminal
internal import Text
internal import Words

/// Takes a log's JSON Lines into a store that does not exist yet, in constant memory.
///
/// The store takes its name when the last line is on disk: there is never a half import under it,
/// however the import ends.
struct LogImport {
    /// A batch, which is one transaction, has no more events and no more bytes of payloads, but for
    /// those of 64 KiB of lines.
    private static let batchEvents = 1 << 16
    private static let batchBytes = 1 << 20

    let file: String
    let common: CommonOptions

    func run(_ events: consuming EventFile) throws(CommandFailure) {
        let directory = try common.storeDirectory()
        try refuseExisting(directory)
        nameLeftovers(of: directory)
        var events = events
        // Not before the file is open: a pipe that nobody writes to keeps open(2) waiting.
        let stop = StopRequest()
        do throws(CommandFailure) {
            try restore(&events, into: directory, orUntil: stop)
        } catch {
            let failure = CommandFailure(
                error.exitCode, "\(error.message) Nothing was imported.")
            stop.endIfRequested(saying: failure.message)
            throw failure
        }
        if common.json {
            Output.standard.write(JSONWriter.line { $0.field("events", events.count) })
        } else {
            Output.standard.write(
                "\(counted(events.count, "event")) restored into "
                    + "\(printable(directory, limit: 200))\n")
        }
    }

    private func restore(
        _ events: inout EventFile, into directory: String, orUntil stop: StopRequest
    ) throws(CommandFailure) {
        guard let first = try batch(of: &events, orUntil: stop),
            first.headers.first?.kind == .originBegan
        else {
            throw CommandFailure(
                .badData,
                "\(file) does not begin with originBegan: it is not a whole log. "
                    + "`pulselog replay` shows a part of one.")
        }
        let origin = LogOrigin(
            id: Store.randomBytes(LogOrigin.idBytes),
            createdMilliseconds: Arrival.now().wallMilliseconds, events: first)
        do throws(LogCreationError<CommandFailure>) {
            let isNew = try LMDBEventLog.create(directory: directory, origin: origin) {
                () throws(CommandFailure) in try batch(of: &events, orUntil: stop)
            }
            guard isNew else { throw .source(Self.isTaken(directory)) }
        } catch {
            switch error {
            case .log(let cause): throw CommandFailure(cause, store: directory)
            case .source(let failure): throw failure
            }
        }
    }

    /// The next events; nil at the end of the file.
    private func batch(
        of events: inout EventFile, orUntil stop: StopRequest
    ) throws(CommandFailure) -> EventBatch? {
        var batch = EventBatch()
        while batch.count < Self.batchEvents, batch.payloadBytes < Self.batchBytes {
            do throws(FileError) {
                guard try events.read(into: &batch, unless: stop.comes) else { break }
            } catch {
                throw CommandFailure(error)
            }
        }
        if let damage = events.damage { throw CommandFailure(.badData, "\(file): \(damage)") }
        return batch.isEmpty ? nil : batch
    }

    private func refuseExisting(_ directory: String) throws(CommandFailure) {
        do throws(EventLogError) {
            _ = try LMDBEventLog.open(directory: directory, mode: .readOnly)
        } catch {
            guard error.code == .notFound else {
                throw CommandFailure(error, store: directory)
            }
            return
        }
        throw Self.isTaken(directory)
    }

    private func nameLeftovers(of directory: String) {
        for path in LMDBEventLog.unfinishedCreations(of: directory) {
            Output.standardError.write(
                "pulselog: \(printable(path, limit: 4_096)) belongs to an unfinished import. "
                    + "Unless it is still running, delete the folder.\n")
        }
    }

    private static func isTaken(_ directory: String) -> CommandFailure {
        CommandFailure(
            .cannotCreate, "\(directory) already holds a log; name another folder with --store.")
    }
}
