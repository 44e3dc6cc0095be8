internal import ArgumentParser
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange

/// `pulselog import`: a log's JSON Lines into an empty store, to the byte.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Restore a log from JSON Lines into a store that does not exist yet.",
        discussion: "Every field is restored as it stands; digests are those of the original.")

    @Argument(
        help: "A file that `pulselog export` or `log cat --json` wrote; - for standard input.")
    var file: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let capture = try Capture(reading: file)
        if let damage = capture.damage {
            throw CommandFailure(.badData, "\(file): \(damage) Nothing was imported.")
        }
        guard capture.events.headers.first?.kind == .originBegan else {
            throw CommandFailure(
                .badData,
                "\(file) does not begin with originBegan: it is not a whole log. "
                    + "`pulselog replay` shows a part of one.")
        }
        let directory = try common.storeDirectory()
        try refuseExisting(directory)
        do {
            let origin = LogOrigin(
                id: Store.randomBytes(LogOrigin.idBytes),
                createdMilliseconds: SystemClock.now().wallMilliseconds, events: capture.events)
            let log = try LMDBEventLog.open(directory: directory, mode: .create(origin))
            let count = try log.next
            log.close()
            if common.json {
                Output.standard.write(JSONWriter.line { $0.field("events", count) })
            } else {
                Output.standard.write("\(grouped(count)) events restored into \(directory)\n")
            }
        } catch {
            throw CommandFailure(error, store: directory)
        }
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
        throw CommandFailure(
            .cannotCreate, "\(directory) holds a log already; name another folder with --store.")
    }
}

/// `pulselog export`: the log as JSON Lines.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the whole log as JSON Lines to standard output, lossless.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let store = try Store.open(common, for: .existing)
        var printer = EventPrinter(json: true)
        do {
            try printer.print(from: 0, store.log)
        } catch {
            throw CommandFailure(error, store: store.directory)
        }
    }
}
