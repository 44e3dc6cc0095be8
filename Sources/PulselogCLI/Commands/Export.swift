internal import ArgumentParser
internal import Interchange
internal import JSON
internal import LookingBack
internal import Stores
internal import Terminal
internal import Text
internal import Words

/// `pulselog export`: the log, or a session of it, as JSON Lines.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the log, or one session, as JSON Lines.",
        discussion: """
            Without SESSION the whole log is written, lossless: `pulselog import` makes the same \
            log from it. With SESSION, only its events and earlier ones that its totals need; \
            positions then count from 0. `pulselog replay FILE` shows the same session.

            --anonymous is for a bug report: devices, names, notes, dates and hosts are \
            replaced, each always by the same one, and positions are left out. What the walker \
            did stays, with heart rate, steps, height and weight; so do the times of day and \
            the zone's offset from UTC. Look through the file before you give it away.
            """)

    /// The formats there are.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case jsonl
    }

    @Argument(help: "The session's position, or last; default the whole log.")
    var session: String?
    @Option(help: "What to write.")
    var format: Format = .jsonl
    @Option(
        help: ArgumentHelp(
            "The file to write; default standard output, as -.", valueName: "file"))
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
        if withTrack, !anonymous {
            throw ValidationError("--with-track goes with --anonymous.")
        }
        if force, file == nil { throw ValidationError("--force goes with --out FILE.") }
    }

    /// The file to write, unless it is standard output.
    private var file: String? { out == "-" ? nil : out }

    func run() async throws {
        let store = try common.open(.reading)
        let excerpt = try session.map { name in
            let report = try store.state().session(called: name)
            return try store.withLog { try SessionExcerpt.least(of: report, in: $0) }
        }
        let export = EventExport(
            excerpt: excerpt, anonymity: anonymous ? withTrack ? .turned : .leftOut : nil)
        if let file {
            try write(export, of: store, to: file)
        } else if excerpt == nil, !anonymous {
            var printer = EventPrinter()
            try store.withLog { try printer.print(from: 0, $0) }
        } else {
            tell(try store.withLog { try export.run($0) { Output.standard.write($0) } })
        }
    }

    /// Writes a file that is there whole or not at all.
    private func write(_ export: EventExport, of store: Store, to path: String) throws {
        let stop = StopRequest()
        let result: EventExport.Result
        do {
            let file = try OutputFile(path, besides: store.directory, replaces: force)
            result = try store.withLog { log in
                try export.run(log) { bytes in
                    guard !stop.hasCome else { throw CommandFailure(.tryAgain, "Interrupted.") }
                    try file.write(bytes)
                }
            }
            try file.finish()
        } catch {
            let failure = CommandFailure(error).saying("Nothing was written.")
            stop.endIfRequested(saying: failure.message)
            throw failure
        }
        tell(result)
        common.write(
            "\(printable(path, limit: 4_096)) holds \(counted(result.events, "event")).\n"
        ) {
            $0.field("file", path)
            $0.field("events", result.events)
        }
    }

    /// Says on standard error what was left out.
    private func tell(_ result: EventExport.Result) {
        let left = result.omissions
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
