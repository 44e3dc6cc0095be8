internal import ArgumentParser
internal import Interchange
internal import JSON
internal import LookingBack
internal import Stores
internal import Terminal
internal import Text
internal import Words

/// `pulselog export`: the log, or a session of it, as JSON Lines; walks for other programs.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write walks for other programs, or the log.",
        discussion: """
            --format fit, gpx, tcx, csv, rr, gaps or json writes walks: SESSION, or those that \
            began on a --day, or between --from and --until, or --all, into a folder, each in a \
            file named by its start. The command reports what a format cannot hold. FIT holds \
            the most; GPX needs positions. rr is one interval between beats on each line, in \
            milliseconds, with the gaps in a file next to it; gaps is only that file.

            jsonl is for Pulselog. Without SESSION the whole log is written, lossless: `pulselog \
            import` makes the same log from it. With SESSION, only its events and earlier ones \
            that its totals need; positions then count from 0. `pulselog replay FILE` shows the \
            same session.

            --anonymous is for a bug report: devices, names, notes, dates and hosts are \
            replaced, each always by the same one, and positions are left out. What the walker \
            did stays, with heart rate, steps, height and weight; so do the times of day and \
            the zone's offset from UTC. Look through the file before you give it away.
            """)

    /// A format of walks, or that of events.
    struct Format: Hashable, ExpressibleByArgument {
        static let jsonl = Format(walk: nil)
        static let allValueStrings = WalkFormat.allCases.map(\.rawValue) + ["jsonl"]

        /// The format of walks; nil for events.
        let walk: WalkFormat?
        var defaultValueDescription: String { walk?.rawValue ?? "jsonl" }

        init(walk: WalkFormat?) { self.walk = walk }

        init?(argument: String) {
            walk = WalkFormat(rawValue: argument)
            if walk == nil, argument != "jsonl" { return nil }
        }
    }

    @Argument(help: "The session's position, or last; of jsonl default the whole log.")
    var session: String?
    @Option(
        help: ArgumentHelp("The walks that began on a local date.", valueName: "date"))
    var day: String?
    @Option(
        help: ArgumentHelp(
            "The walks that began from a position or a time on: 10:15 of the --day, an instant, or "
                + "milliseconds since 1970.", valueName: "position|time"))
    var from: LogStart?
    @Option(
        help: ArgumentHelp(
            "The walks that began before a position, or until a time.", valueName: "position|time"))
    var until: LogMoment?
    @Flag(help: "All walks, but for simulated ones.")
    var all = false
    @Option(help: "What to write.")
    var format: Format = .jsonl
    @Option(help: "Of csv, a row for each of the seconds or of the samples; default seconds.")
    var rows: NamedOption<WalkFile.Rows>?
    @Option(
        help: ArgumentHelp(
            "The file to write, or of walks the folder; default standard output, as -.",
            valueName: "file|folder"))
    var out: String?
    @Flag(help: "Replace a file that has this name.")
    var force = false
    @Flag(help: "Leave out or replace what identifies the walker.")
    var anonymous = false
    @Flag(
        help: """
            With --anonymous: keep positions, turned about the Earth's axis. Distances stay, and \
            so do latitude and shape: a map still reveals the place.
            """)
    var withTrack = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try refuse(withTrack && !anonymous, "--with-track goes with --anonymous.")
        try refuse(force && file == nil, "--force goes with --out FILE.")
        try refuse(rows != nil && format.walk != .csv, "--rows goes with --format csv.")
        let isSpan = day != nil || from != nil || until != nil
        try refuse(
            [session != nil, isSpan, all].count(where: { $0 }) > 1,
            "Name a walk, a part of the log, or --all.")
        try refuse(
            format == .jsonl && (isSpan || all),
            "jsonl is the whole log, or one session if you name its position; for walks name "
                + "another --format.")
        try refuse(
            format != .jsonl && !isSpan && !all && session == nil,
            "Which walk? Name its position or last, or --day, --from, --until or --all.")
    }

    /// The file to write, unless it is standard output.
    var file: String? { out == "-" ? nil : out }

    func run() async throws {
        if let format = format.walk { return try exportWalks(as: format) }
        let store = try common.open(.reading)
        let excerpt = try session.map { name in
            let report = try store.state().session(called: name)
            return try store.withLog { try SessionExcerpt.least(of: report, in: $0) }
        }
        if let file {
            try write(excerpt, of: store, to: file)
        } else {
            tell(
                try store.withLog {
                    try $0.export(excerpt, anonymity) { Output.standard.write($0) }.omissions
                })
        }
    }

    /// What becomes of positions if nothing is to show whose walks they are.
    var anonymity: Anonymity.Track? { anonymous ? withTrack ? .turned : .leftOut : nil }

    /// Writes a file that is there whole or not at all.
    private func write(_ excerpt: SessionExcerpt?, of store: Store, to path: String) throws {
        let stop = StopRequest()
        let result: (events: UInt64, omissions: Anonymity.Omissions)
        do {
            let file = try OutputFile(path, besides: store.directory, replaces: force)
            result = try store.withLog { log in
                try log.export(excerpt, anonymity) { bytes in
                    try stop.check()
                    try file.write(bytes)
                }
            }
            try file.finish()
        } catch {
            let failure = CommandFailure(error).saying("Nothing was written.")
            stop.endIfRequested(saying: failure.message)
            throw failure
        }
        tell(result.omissions)
        common.write(
            "\(printable(path, limit: 4_096)) holds \(counted(result.events, "event")).\n"
        ) {
            $0.field("file", path)
            $0.field("events", result.events)
        }
    }

    /// Says on standard error what was left out.
    private func tell(_ left: Anonymity.Omissions) {
        let things = [
            (
                counted(left.unreadable, "event"),
                " of a kind or version that this program does not know, or damaged: nothing shows "
                    + "what is in them", left.unreadable
            ),
            (
                counted(left.positions, "position"), "; --with-track keeps their shape",
                left.positions
            ),
            (
                counted(left.days, "record") + " of closed days",
                ", whose hashes would no longer hold", left.days
            ),
        ]
        for (thing, why, count) in things where count > 0 {
            Output.standardError.say("Left out: \(thing)\(why).")
        }
    }
}
