internal import ArgumentParser
internal import Recording
internal import Words

/// `pulselog status`.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Connection, live values, session and today's steps.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let store = try Store.open(common, for: .reading)
        var report = StatusReport(try store.scene())
        report.selfCheck = store.lastSelfCheck
        common.write(report)
    }
}
