internal import ArgumentParser
internal import Deciding
internal import EventStore
internal import Events
internal import Interchange
internal import JSON
internal import Projections
internal import Recording
internal import Terminal
internal import Text
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
            let report = try state.session(called: session)
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

extension LogState {
    /// A session as of the log's last event.
    ///
    /// - Parameter name: Its position, or `last`.
    /// - Returns: The session.
    /// - Throws: ``CommandFailure`` if there is none of that name.
    func session(called name: String) throws(CommandFailure) -> SessionReport {
        let report: SessionReport?
        if name == "last" {
            report = sessionReports(at: lastMoment).last
        } else {
            guard let position = WholeNumber.position(name) else {
                throw CommandFailure(
                    .usage, "\(printable(name)) is neither a position nor `last`.")
            }
            report = sessionReport(position, at: lastMoment)
        }
        guard let report else {
            throw CommandFailure(.noInput, "There is no such session; see `pulselog sessions`.")
        }
        return report
    }
}
