internal import ArgumentParser
internal import Deciding
internal import EventStoreLMDB
internal import Events
internal import JSON
internal import LookingBack
internal import Projections
internal import Recording
internal import Stores
internal import Terminal
internal import Text
internal import Words

/// `pulselog pause`.
struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause the walk, from any terminal.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform(.pause) { _ in "Paused. `pulselog resume` continues the walk." }
    }
}

/// `pulselog resume`.
struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Continue the paused walk.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform(.resume) { _ in "Resumed." }
    }
}

/// `pulselog finish`; `stop` is another name of it.
struct Finish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "Finish the walk; its recorder ends too, except with --whenever-worn.",
        aliases: ["stop"])
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let directory = try common.storeDirectory()
        try await common.perform { state in
            let seen = state.seenByOthers(isRecording: true)
            // Whoever was sent here by `record` is not sent back to it: what holds it is named.
            if seen.own.sessions.open == nil, seen.isRecording,
                let holder = RecorderLock.holder(in: directory)
            {
                throw CommandFailure(
                    .usage, "No walk has begun. \(holder.failure(isWalkOpen: false).message)")
            }
            return .end()
        } saying: {
            SessionText.finished(in: $0) + " `pulselog sessions show last` shows the totals."
        }
    }
}

/// `pulselog mark`.
struct Mark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark", abstract: "Mark this moment of the walk.")
    @Argument(help: "A few words, at most 512 bytes.")
    var text: [String] = []
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform(.mark(text.joined(separator: " "))) { _ in "Marked." }
    }
}

/// `pulselog lap`.
struct Lap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lap", abstract: "End a lap of the walk; the next begins.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform(.lap()) {
            $0.own.sessions.open?.laps.sentence($0.units) ?? ""
        }
    }
}

/// `pulselog refresh`.
struct Refresh: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Reconcile today's steps with the last health total.")
    @Flag(help: "The clock is right: its day counts from now on, also if the log's is later.")
    var trustClock = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform(.refresh(trustClock ? .clockTrusted : .manual)) {
            $0.own.steps.current.map { "Today: \(grouped($0.displayed)) steps." }
                ?? "There are no steps yet."
        }
    }
}

/// `pulselog sessions`.
struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "Walks: what they add up to, and what is said of them.",
        subcommands: [
            List.self, Show.self, Name.self, Place.self, Note.self, Tag.self, SportCommand.self,
            Hide.self, Exclude.self,
        ], defaultSubcommand: List.self)

    /// `pulselog sessions list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "One line for each walk, the newest first, and what they add up to.",
            discussion: """
                Filters add up. Sums leave out what is hidden or simulated. The JSON is in the \
                order of the log, except with --longest.
                """)
        @OptionGroup var wanted: WalkFilterOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let filter = try wanted.filter()
            let scene = try common.open(.reading).scene()
            let all = scene.state.sessionReports(at: scene.state.lastMoment)
            let found = filter.find(in: all)
            guard !common.json else {
                let walks =
                    filter.longest == nil
                    ? found.walks.sorted { $0.position < $1.position } : found.walks
                return walks.forEach { Output.standard.write($0.jsonLine) }
            }
            let year = scene.state.own.localDate(at: scene.moment)?.components.year
            let list = WalkList(found, columns: common.columns, units: scene.state.units, in: year)
            common.draw(
                found.walks.isEmpty && found.hidden == 0
                    ? WalkList.nothing(like: filter, in: all) : list.text)
        }
    }

    /// `pulselog sessions show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "All totals of one session.",
            discussion: """
                An open session is shown as of the log's last event: the same log gives the same \
                bytes, as `replay session:POSITION` does. While it is \
                recorded `pulselog status` shows it as of now.
                """)
        @Argument(help: "The session's position, or last.")
        var session: String = "last"
        @Flag(
            help: """
                As a picture: heart rate, zones and kilometres, what was special about it, and \
                the same route at other times.
                """)
        var chart = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let store = try common.open(.reading)
            let state = try store.state()
            let report = try state.session(called: session)
            let series = try store.withLog { log in
                common.json || chart
                    ? try log.series(
                        of: report,
                        after: try log.folded(until: report.position, from: store.snapshots).state,
                        until: state.next)
                    : nil
            }
            guard let series, chart, !common.json else {
                return common.write(
                    SessionText(report, in: state, series: series, units: state.units))
            }
            let today = try state.date(nil, at: store.scene().moment)
            let comparison = WalkComparison(
                report, among: state.sessionReports(at: state.lastMoment),
                try store.outlines(of: state), state.calendar(today: today), units: state.units)
            let below = comparison.lines.map {
                "\n" + wrapped($0, to: common.columns - 2).map { "  \($0)\n" }.joined()
            }.joined()
            common.draw(WalkChart(report, series, units: state.units).text + below)
        }
    }

    /// `pulselog sessions exclude`.
    struct Exclude: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "exclude",
            abstract: "Leave a strap's values out of a session; the log keeps them.",
            discussion: """
                For a stranger's strap that was heard in between. `sessions show` names the straps \
                of a session. Heart rate, zones and variability are then those of the others, and \
                its time counts as disconnected; the values stay in the log.
                """)
        @Argument(help: "The strap's address.")
        var device: WrittenAddress
        @Argument(help: "The session's position, or last.")
        var session: String = "last"
        @Flag(help: "Take its values in again.")
        var undo = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let (device, session, isExcluded) = (device, session, !undo)
            try await common.perform { state in
                let report = try state.session(called: session)
                try require(
                    report.provenance == state.own.provenance, .usage,
                    "A strap can only be left out of a walk that was recorded here; the source "
                        + "of this one is \(report.provenance.name).")
                guard let strap = report.straps.first(where: { $0.device.address == device.value })
                else { throw CommandFailure(.noInput, Refusal(.notHeard).description) }
                return .exclude(strap.device, session: report.position, isExcluded)
            } saying: { state in
                let report = try state.session(called: session)
                let mean = report.heartRate.mean.map { "\($0) BPM" } ?? "none"
                return (isExcluded ? "Left out. What is left: " : "Taken in again. All together: ")
                    + "\(counted(report.heartRate.samples, "sample")), mean \(mean)."
            }
        }
    }
}

/// `pulselog status`.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Connection, live values, session and today's steps.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let store = try common.open(.reading)
        var report = StatusReport(try store.scene())
        report.selfCheck = store.lastSelfCheck
        common.write(report)
    }
}
