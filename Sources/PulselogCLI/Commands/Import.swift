internal import ArgumentParser
internal import Clocks
internal import JSON
internal import LookingBack
internal import Sensors
internal import Stores
internal import Text
internal import Words

/// `pulselog import`: a log's JSON Lines into an empty store; walks of other programs, a health
/// store's totals, or a strap's values out of a Bluetooth capture into any.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import walks, a health store's steps or a capture, or restore a log.",
        discussion: """
            The format is recognized by content. Walks of other programs come as FIT, GPX, TCX, \
            CSV (HRV Logger, intervals.icu, Polar Flow) or lists of RR intervals, also in folders \
            and in zip and gzip archives, such as Strava's. Each file becomes a source of its \
            own, whole or not at all, and once; a likely copy of a walk that is there is named \
            and left out, and what was not on foot is counted and left out, unless you add \
            --anyway. JSON Lines of any length restore a log to the \
            byte into a store that does not exist yet: whole, or not at all if a \
            line is not an event, the disk is full, or the import is interrupted. Into a store \
            that exists they bring the walks of another machine, as does the folder of its store: \
            those that are over and not known yet, and the totals of its days. From Apple \
            Health's export.zip or export.xml, or a Gadgetbridge database, each day's total is \
            reported if it is greater than the one in the log, and each workout on foot becomes a \
            session with its heart rates and its route: importing the same file again brings \
            nothing. \
            What straps sent in a Bluetooth capture (btsnoop, pcapng, pcap, or what btmon, \
            gatttool, bluetoothctl, hcidump, a program with bleak or an app has written) becomes \
            a session of its own, whole or not at all, and once; it changes no totals of your own \
            walks and days. --begin and --zone supply what a file does not say of its times.
            """)

    /// What a date has first.
    enum DateOrder: String, ExpressibleByArgument, CaseIterable {
        case dmy
        case mdy
    }

    @Argument(
        help: ArgumentHelp(
            "Files of walks, folders and archives of them, what `pulselog export` or `log cat "
                + "--json` wrote, an export.zip, a Gadgetbridge database or a Bluetooth capture; - "
                + "for standard input.", valueName: "file"))
    var files: [String]

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "jsonl, apple-health, gadgetbridge, btsnoop, pcap, pcapng, btmon, notifications, lines "
                + "for a value on each, fit, gpx, tcx, csv or rr; default by content.",
            valueName: "format"))
    var format: ImportFormatOption?

    @Option(
        help: ArgumentHelp(
            "What the machine of another log is called; default by its file.", valueName: "name"))
    var machine: String?

    @Flag(help: "Import what is there of an export that was cut off.")
    var partial = false

    @Flag(help: "Say what would be imported, and record nothing.")
    var dryRun = false

    @Flag(help: "Import also likely copies of walks that are there, and what was not on foot.")
    var anyway = false

    @Option(
        help: ArgumentHelp(
            "Which of the two a table's dates such as 3/1/2026 have first: dmy for the day, mdy "
                + "for the month.", valueName: "order"))
    var dates: DateOrder?

    @OptionGroup var handles: HandleOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try refuse(files.count > 1 && files.contains("-"), "Import standard input by itself.")
    }

    func run() async throws {
        let target = ImportTarget(isDry: dryRun, at: .now()) { [common, dryRun] in
            guard dryRun else { return try common.open(.creating) }
            do {
                return try common.open(.reading)
            } catch let failure as CommandFailure where failure.exitCode == .noInput {
                return nil
            }
        }
        // It is decided before the first file makes a store.
        let restores = restores
        if restores, let folder = files.first(where: OtherLogImport.isStore) {
            throw CommandFailure(
                .usage,
                "There is no log yet that the walks of \(folder) could come into. With --machine "
                    + "NAME one is made for them; `pulselog log backup` and `pulselog log restore` "
                    + "copy a whole store.")
        }
        var hints = handles.hints
        hints.isDayFirst = dates.map { $0 == .dmy }
        let run = ImportRun(
            format?.format, hints, isAnyway: anyway, isJSON: common.json, into: target,
            machine: machine, report: { [common] in common.write($0) },
            restore: { (file, events: consuming EventFile) in
                try await take(file, events, into: target, restoring: restores)
            })
        try await run.run(files)
        if !dryRun { prepareToLookBack() }
    }

    private func prepareToLookBack() {
        do {
            try common.open(.reading).prepareToLookBack()
        } catch {
            // What was imported is in the log; whoever looks back makes what is missing.
        }
    }

    /// Whether JSON Lines become the log of the store, which does not exist yet.
    private var restores: Bool {
        do {
            return try machine == nil && LogImport.isFree(common.storeDirectory())
        } catch {
            return false  // Whoever opens the store says what is wrong with it.
        }
    }

    /// Restores a log into a store that does not exist yet, or takes its walks into one that does.
    private func take(
        _ file: String, _ events: consuming EventFile, into target: ImportTarget,
        restoring: Bool
    ) async throws {
        guard restoring else {
            let other = OtherLogImport(file, from: machine, target)
            return common.write(try await other.run(events, partially: partial))
        }
        try require(
            files.count == 1 && !dryRun, .usage,
            "\(file) is a log in JSON Lines: "
                + (dryRun ? "`pulselog replay` shows what is in it." : "import it by itself."))
        let directory = try common.storeDirectory()
        let count = try LogImport(file, into: directory, partially: partial).run(events)
        common.write(
            "\(counted(count, "event")) restored into \(printable(directory, limit: 200))\n"
        ) { $0.field("events", count) }
    }
}

/// The name of a format that can be imported.
struct ImportFormatOption: ExpressibleByArgument {
    let format: ImportFormat

    static var allValueStrings: [String] { ImportFormat.named.map(\.name) }

    init?(argument: String) {
        guard let found = ImportFormat.named.first(where: { $0.name == argument }) else {
            return nil
        }
        format = found.format
    }
}
