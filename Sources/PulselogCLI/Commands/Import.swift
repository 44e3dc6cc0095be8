internal import ArgumentParser
internal import BluetoothCaptures
internal import Clocks
internal import Deciding
internal import EventStore
internal import Events
internal import Interchange
internal import LookingBack
internal import Projections
internal import Recording
internal import Sensors
internal import Words

/// `pulselog import`: a log's JSON Lines into an empty store; a health store's totals or a strap's
/// values out of a Bluetooth capture into any.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Restore a log, or take a health store's steps or a capture into the log.",
        discussion: """
            The format is recognized by content. JSON Lines of any length restore a log to the \
            byte into a store that does not exist yet: whole, or not at all if a \
            line is not an event, the disk is full, or the import is interrupted. From Apple \
            Health's export.xml or a Gadgetbridge database, each day's total is reported if it \
            is greater than the one in the log: importing the same file again reports nothing. \
            What straps sent in a Bluetooth capture (btsnoop, pcapng, pcap, or what btmon, \
            gatttool, bluetoothctl, hcidump, a program with bleak or an app has written) becomes \
            a session of its own, whole or not at all, and once; it changes no totals of your own \
            walks and days. What it does not tell of its times, --begin and --zone have to say.
            """)

    @Argument(
        help: ArgumentHelp(
            "What `pulselog export` or `log cat --json` wrote, an export.xml, a Gadgetbridge "
                + "database or a Bluetooth capture; - for standard input.", valueName: "file"))
    var files: [String]

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "jsonl, apple-health, gadgetbridge, btsnoop, pcap, pcapng, btmon, notifications, or "
                + "lines for a value on each; default by content.", valueName: "format"))
    var format: ImportFormat?

    @OptionGroup var handles: HandleOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if files.count > 1, files.contains("-") {
            throw ValidationError("Standard input is imported by itself.")
        }
    }

    func run() async throws {
        let target = ImportTarget(common)
        let damage: CommandFailure?
        do throws(CommandFailure) {
            damage = try await importFiles(into: target)
        } catch {
            // Of the files before something may have been recorded.
            await target.seal()
            throw error
        }
        await target.seal()
        if let damage { throw damage }
    }

    /// Imports one file after the other.
    ///
    /// - Returns: The failure of the last one of which only a part could be read.
    /// - Throws: ``CommandFailure`` of the first of which nothing could be.
    private func importFiles(
        into target: ImportTarget
    ) async throws(CommandFailure) -> CommandFailure? {
        var damage: CommandFailure?
        for file in files {
            damage = try await importFile(file, into: target) ?? damage
        }
        return damage
    }

    /// Imports a file.
    ///
    /// - Returns: The failure of one of which only a part could be read.
    /// - Throws: ``CommandFailure`` if nothing of it could be.
    private func importFile(
        _ file: String, into target: ImportTarget
    ) async throws(CommandFailure) -> CommandFailure? {
        switch format == nil ? try ImportFormat(ofStore: file) : format {
        case .jsonLines: try restore(file, reading { () throws(FileError) in try EventFile(file) })
        case .appleHealth: return try await report(file, .appleHealth, target)
        case .gadgetbridge: return try await report(file, .gadgetbridge, target)
        case .capture(let format):
            let input = try reading { () throws(FileError) in
                try CaptureInput(file, as: format)
            }
            return try await CaptureImport(handles, target).run(input, format)
        case nil:
            let input = try reading { () throws(FileError) in try CaptureInput(file) }
            if let format = input.format {
                return try await CaptureImport(handles, target).run(input, format)
            }
            try restore(file, EventFile(input))
        }
        return nil
    }

    private func report(
        _ file: String, _ format: HealthStoreFormat, _ target: ImportTarget
    ) async throws(CommandFailure) -> CommandFailure? {
        try refuseHandles(for: file)
        return try await HealthImport(file, format, target).run()
    }

    private func refuseHandles(for file: String) throws(CommandFailure) {
        guard handles.isEmpty else {
            throw CommandFailure(
                .usage,
                "--handle, --begin and --zone are for Bluetooth captures; \(file) is not one.")
        }
    }

    private func restore(
        _ file: String, _ events: consuming EventFile
    ) throws(CommandFailure) {
        try refuseHandles(for: file)
        guard files.count == 1 else {
            throw CommandFailure(.usage, "\(file) is a log in JSON Lines: import it by itself.")
        }
        try LogImport(file: file, common: common).run(events)
    }
}

/// The store that files are imported into, opened when the first of them has been read.
///
/// It is opened once: a process cannot open a store again before everything has let go of it.
final class ImportTarget {
    let options: CommonOptions
    private var opened: (store: Store, appender: Appender)?

    init(_ options: CommonOptions) {
        self.options = options
    }

    /// Opens the store, and makes it if there is none, unless that was done.
    func open() async throws(CommandFailure) -> (store: Store, appender: Appender) {
        if let opened { return opened }
        let store = try Store.open(options, for: .creating)
        let appender = try await store.appender()
        store.keepLater(appender)
        opened = (store, appender)
        return (store, appender)
    }

    /// Seals the log, if it was opened.
    func seal() async {
        guard let (store, appender) = opened else { return }
        await store.sealAtExit { await store.seal(appender) }
    }
}

/// What can be imported.
enum ImportFormat: ExpressibleByArgument {
    case jsonLines
    case appleHealth
    case gadgetbridge
    case capture(CaptureFormat)

    private static let others: [(name: String, format: ImportFormat)] = [
        ("jsonl", .jsonLines), ("apple-health", .appleHealth), ("gadgetbridge", .gadgetbridge),
    ]

    static var allValueStrings: [String] {
        others.map(\.name) + CaptureFormat.allCases.map(\.rawValue)
    }

    init?(argument: String) {
        let other = Self.others.first { $0.name == argument }?.format
        guard let format = other ?? CaptureFormat(rawValue: argument).map(Self.capture) else {
            return nil
        }
        self = format
    }

    /// Recognizes a health store by its content; nil for any other file, and for a pipe, which is
    /// read only once.
    init?(ofStore file: String) throws(CommandFailure) {
        guard InputFile.sizeBytes(of: file) != nil else { return nil }
        let store = HealthStoreFile(path: file)
        switch try reading({ () throws(FileError) in try store.format() }) {
        case .appleHealth: self = .appleHealth
        case .gadgetbridge: self = .gadgetbridge
        case .total, nil: return nil
        }
    }
}

/// Reports a health store's totals.
private struct HealthImport {
    private let file: String
    private let format: HealthStoreFormat
    private let target: ImportTarget

    init(_ file: String, _ format: HealthStoreFormat, _ target: ImportTarget) {
        self.file = file
        self.format = format
        self.target = target
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
        target.options.write(
            HealthImportText(
                file: file, format: format.rawValue, origin: format.origin, days: days,
                receipts: try await report(days), refusedCount: reading.refusedCount,
                remarks: reading.remarks, isPartial: reading.damage != nil))
        return reading.damage.map {
            CommandFailure(.badData, "\(file), in part: \($0) Everything before that was imported.")
        }
    }

    /// Reports totals, of which the log takes what is news.
    private func report(_ days: [HealthTotal]) async throws(CommandFailure) -> [HealthReceipt] {
        let (store, appender) = try await target.open()
        let receipts: [HealthReceipt]
        do throws(EventLogError) {
            receipts = try await store.tellingWaits { () async throws(EventLogError) in
                try await appender.record(days, origin: format.origin, at: .now())
            }
        } catch {
            throw CommandFailure(error, store: store.directory)
        }
        return receipts
    }
}
