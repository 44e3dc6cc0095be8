internal import ArgumentParser
internal import EventStoreLMDB
internal import Recording
internal import Words

/// `pulselog status`.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Connection, live values, session and today's steps.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let store = try Store.open(common, for: .reading)
        var report = StatusReport(try store.situation())
        let folder = CommonOptions.checkpointFolder(of: store.log)
        report.selfCheck = folder.flatMap { store.log.lastSelfCheck(in: $0) }
        common.write(report)
    }
}
