internal import ArgumentParser
internal import Events
internal import Interchange
internal import Projections

/// `pulselog sessions`.
struct Sessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Totals of sessions.", subcommands: [List.self, Show.self],
        defaultSubcommand: List.self)

    /// `pulselog sessions list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "One line for each session.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let (state, moment) = try Store.open(common, for: .reading).stateNow()
            let sessions = state.sessionReports(at: moment)
            if common.json {
                for session in sessions { Output.standard.write(jsonLine(session)) }
                return
            }
            guard !sessions.isEmpty else {
                Output.standard.write("There is no session yet; `pulselog record` begins one.\n")
                return
            }
            let zone = state.live.recorder.zoneOffsetMinutes
            for session in sessions {
                let start = TimeText.local(session.startedAtMilliseconds, offsetMinutes: zone)
                let mean = session.heartRate.mean.map { "\($0) BPM" } ?? "no heart rate"
                let open = session.state == .ended ? "" : " (\(session.state.name))"
                Output.standard.write(
                    "\(session.position)  \(start)  "
                        + "\(TimeText.duration(session.activeMilliseconds))  \(mean)  "
                        + "\(grouped(session.steps)) steps\(open)\n")
            }
        }
    }

    /// `pulselog sessions show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "All totals of one session.")
        @Argument(help: "The session's position, or last.")
        var session: String = "last"
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let (state, moment) = try Store.open(common, for: .reading).stateNow()
            let reports = state.sessionReports(at: moment)
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
            if common.json {
                Output.standard.write(jsonLine(report))
            } else {
                let zone = state.live.recorder.zoneOffsetMinutes
                let lines = SessionText(report, offsetMinutes: zone).lines
                Output.standard.write(lines.joined(separator: "\n") + "\n")
            }
        }
    }
}

/// A value as one line of JSON.
func jsonLine(_ value: some JSONWritable) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(value)
    writer.endLine()
    return writer.bytes
}
