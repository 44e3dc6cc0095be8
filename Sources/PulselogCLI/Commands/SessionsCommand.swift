internal import ArgumentParser
internal import EventStore
internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import Words

/// `pulselog sessions`.
struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "Totals of sessions.", subcommands: [List.self, Show.self],
        defaultSubcommand: List.self)

    /// `pulselog sessions list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "One line for each session.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let store = try Store.open(common, for: .reading)
            let state = try store.state()
            let sessions = state.sessionReports(at: state.lastMoment)
            if common.json {
                for session in sessions { Output.standard.write(JSONWriter.line(session)) }
                return
            }
            guard !sessions.isEmpty else {
                Output.standard.write("There is no session yet; `pulselog record` starts one.\n")
                return
            }
            let zones = try store.withLog { (log) throws(EventLogError) in try ZoneHistory(log) }
            Output.standard.write(
                SessionText.table(of: sessions, offsetMinutes: zones.minutes).text)
        }
    }

    /// `pulselog sessions show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "All totals of one session.",
            discussion: """
                An open session is shown as of the log's last event: the same log gives the same \
                bytes, as `replay session:POSITION` does. `pulselog status` shows it as of now.
                """)
        @Argument(help: "The session's position, or last.")
        var session: String = "last"
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let store = try Store.open(common, for: .reading)
            let state = try store.state()
            let reports = state.sessionReports(at: state.lastMoment)
            let report: SessionReport?
            if session == "last" {
                report = reports.last
            } else {
                guard let position = Position(session) else {
                    throw CommandFailure(
                        .usage, "\(printable(session)) is neither a position nor `last`.")
                }
                report = reports.first { $0.position == position }
            }
            guard let report else {
                throw CommandFailure(
                    .noInput, "There is no such session; see `pulselog sessions`.")
            }
            let (offset, series) = try store.withLog { (log) throws(EventLogError) in
                (
                    try log.zoneOffsetMinutes(at: report.position),
                    common.json
                        ? try log.series(
                            of: report, until: state.head.map { $0 + 1 }, from: store.snapshots)
                        : nil
                )
            }
            common.write(SessionText(report, in: state, offsetMinutes: offset, series: series))
        }
    }
}
