internal import ArgumentParser
internal import Clocks
internal import EventStore
internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import Sensors
internal import Words

/// `pulselog import`: a log's JSON Lines into an empty store, or a health store's totals into any.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Restore a log from JSON Lines, or take a health store's steps into the log.",
        discussion: """
            The format is recognized by content. JSON Lines of any length restore a log to the \
            byte into a store that does not exist yet: whole, or not at all if a \
            line is not an event, the disk is full, or the import is interrupted. From Apple \
            Health's export.xml or a Gadgetbridge database, each day's total is reported if it \
            is greater than the one in the log: importing the same file again reports nothing.
            """)

    @Argument(
        help: ArgumentHelp(
            "What `pulselog export` or `log cat --json` wrote, an export.xml or a Gadgetbridge "
                + "database; - for standard input.", valueName: "file"))
    var files: [String]

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "jsonl, apple-health or gadgetbridge; default by content.", valueName: "format"))
    var format: ImportFormat?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if files.count > 1, files.contains("-") {
            throw ValidationError("Standard input is imported by itself.")
        }
    }

    func run() async throws {
        var damage: CommandFailure?
        for file in files {
            switch try format ?? ImportFormat(recognizing: file) {
            case .jsonLines:
                guard files.count == 1 else {
                    throw CommandFailure(
                        .usage, "\(file) is a log in JSON Lines: import it by itself.")
                }
                try LogImport(file: file, common: common).run()
            case .appleHealth:
                damage = try await HealthImport(file, .appleHealth, common).run() ?? damage
            case .gadgetbridge:
                damage = try await HealthImport(file, .gadgetbridge, common).run() ?? damage
            }
        }
        if let damage { throw damage }
    }
}

/// What can be imported.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
    case jsonLines = "jsonl"
    case appleHealth = "apple-health"
    case gadgetbridge

    /// Recognizes a file by its content; standard input and pipes are taken for JSON Lines.
    init(recognizing file: String) throws(CommandFailure) {
        guard InputFile.sizeBytes(of: file) != nil else {
            self = .jsonLines
            return
        }
        let store = HealthStoreFile(path: file)
        switch try reading({ () throws(FileError) in try store.format() }) {
        case .appleHealth: self = .appleHealth
        case .gadgetbridge: self = .gadgetbridge
        case .total, nil: self = .jsonLines
        }
    }
}

/// Reports a health store's totals.
private struct HealthImport {
    private let file: String
    private let format: HealthStoreFormat
    private let common: CommonOptions

    init(_ file: String, _ format: HealthStoreFormat, _ common: CommonOptions) {
        self.file = file
        self.format = format
        self.common = common
    }

    /// Reads the file and reports what the log does not know.
    ///
    /// - Returns: The failure of a file of which only a part could be read; that part is reported.
    /// - Throws: ``CommandFailure`` if nothing of it could be read, or the log fails.
    func run() async throws(CommandFailure) -> CommandFailure? {
        let progress = ReadingProgress(of: file)
        let reading: HealthReading
        do throws(FileError) {
            reading = try HealthStoreFile(path: file).read(as: format, progress: progress.show)
            progress.clear()
        } catch {
            progress.clear()
            throw CommandFailure(error)
        }
        guard case .days(let days) = reading.content else { return nil }
        common.write(
            HealthImportText(
                file: file, format: format.rawValue, origin: format.origin, days: days,
                receipts: try await report(days), refusedCount: reading.refusedCount,
                isPartial: reading.damage != nil))
        return reading.damage.map {
            CommandFailure(.badData, "\(file), in part: \($0) Everything before that was imported.")
        }
    }

    /// Reports totals, of which the log takes what is news.
    private func report(_ days: [HealthTotal]) async throws(CommandFailure) -> [HealthReceipt] {
        let store = try Store.open(common, for: .creating)
        let appender = try await store.appender()
        let receipts: [HealthReceipt]
        do throws(EventLogError) {
            receipts = try await store.tellingWaits { () async throws(EventLogError) in
                try await appender.record(days, origin: format.origin, at: .now())
            }
        } catch {
            throw CommandFailure(error, store: store.directory)
        }
        await store.sealAtExit(appender)
        return receipts
    }
}
