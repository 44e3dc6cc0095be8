internal import ArgumentParser
internal import BluetoothCaptures
internal import JSON
internal import LookingBack
internal import Sensors
internal import Stores
internal import Text
internal import Words

/// `pulselog import`: a log's JSON Lines into an empty store; a health store's totals or a strap's
/// values out of a Bluetooth capture into any.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Restore a log, or import a health store's steps or a capture.",
        discussion: """
            The format is recognized by content. JSON Lines of any length restore a log to the \
            byte into a store that does not exist yet: whole, or not at all if a \
            line is not an event, the disk is full, or the import is interrupted. From Apple \
            Health's export.xml or a Gadgetbridge database, each day's total is reported if it \
            is greater than the one in the log: importing the same file again reports nothing. \
            What straps sent in a Bluetooth capture (btsnoop, pcapng, pcap, or what btmon, \
            gatttool, bluetoothctl, hcidump, a program with bleak or an app has written) becomes \
            a session of its own, whole or not at all, and once; it changes no totals of your own \
            walks and days. --begin and --zone supply what it does not say of its times.
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

    @Flag(help: "Import what is there of an export that was cut off.")
    var partial = false

    @OptionGroup var handles: HandleOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if files.count > 1, files.contains("-") {
            throw ValidationError("Import standard input by itself.")
        }
    }

    func run() async throws {
        let target = ImportTarget { [common] in try common.open(.creating) }
        var damage: CommandFailure?
        do {
            // The failure is of the last one of which only a part could be read.
            for file in files { damage = try await importFile(file, into: target) ?? damage }
        } catch {
            // Of the files before something may have been recorded.
            await target.seal()
            throw error
        }
        await target.seal()
        if let damage { throw damage }
    }

    /// Imports a file.
    ///
    /// - Returns: The failure of one of which only a part could be read.
    /// - Throws: ``CommandFailure`` if nothing of it could be.
    private func importFile(
        _ file: String, into target: ImportTarget
    ) async throws -> CommandFailure? {
        switch format == nil ? try ImportFormat(ofStore: file) : format {
        case .jsonLines: try restore(file, EventFile(CaptureInput(file)))
        case .store(let format):
            try refuseHandles(for: file)
            let (answer, damage) = try await HealthImport(file, format, target).run()
            if let answer { common.write(answer) }
            return damage
        case .capture(let format):
            return try await importCapture(CaptureInput(file, as: format), format, target)
        case nil:
            let input = try CaptureInput(file)
            if let format = input.format { return try await importCapture(input, format, target) }
            try restore(file, EventFile(input))
        }
        return nil
    }

    private func importCapture(
        _ input: consuming CaptureInput, _ format: CaptureFormat, _ target: ImportTarget
    ) async throws -> CommandFailure? {
        let (answer, damage) = try await CaptureImport(handles.hints, target).run(input, format)
        common.write(answer)
        return damage
    }

    private func refuseHandles(for file: String) throws {
        guard handles.hints.isEmpty, handles.device == nil else {
            throw CommandFailure(
                .usage,
                "--handle, --begin, --zone and --device are for Bluetooth captures; \(file) is "
                    + "not one.")
        }
    }

    private func restore(_ file: String, _ events: consuming EventFile) throws {
        try refuseHandles(for: file)
        guard files.count == 1 else {
            throw CommandFailure(.usage, "\(file) is a log in JSON Lines: import it by itself.")
        }
        let directory = try common.storeDirectory()
        let count = try LogImport(file, into: directory, partially: partial).run(events)
        common.write(
            "\(counted(count, "event")) restored into \(printable(directory, limit: 200))\n"
        ) { $0.field("events", count) }
    }
}

/// What can be imported.
enum ImportFormat: ExpressibleByArgument {
    case jsonLines
    case store(HealthStoreFormat)
    case capture(CaptureFormat)

    private static let stores: [HealthStoreFormat] = [.appleHealth, .gadgetbridge]

    static var allValueStrings: [String] {
        ["jsonl"] + stores.map(\.rawValue) + CaptureFormat.allCases.map(\.rawValue)
    }

    init?(argument: String) {
        if argument == "jsonl" {
            self = .jsonLines
        } else if let format = HealthStoreFormat(rawValue: argument), Self.stores.contains(format) {
            self = .store(format)
        } else if let format = CaptureFormat(rawValue: argument) {
            self = .capture(format)
        } else {
            return nil
        }
    }

    /// Recognizes a health store by its content; nil for any other file, and for a pipe, which is
    /// read only once.
    init?(ofStore file: String) throws {
        guard InputFile.sizeBytes(of: file) != nil,
            let format = try HealthStoreFile(path: file).format(), Self.stores.contains(format)
        else { return nil }
        self = .store(format)
    }
}
