internal import ArgumentParser
internal import Interchange
internal import Projections
internal import Recording
internal import Web

/// `pulselog serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Accept health totals over HTTP until interrupted.",
        discussion: """
            Only this machine can reach the port, and only programs that know the token are let \
            in. It works with or without a recorder. There is no web page yet.
            """)

    /// The port without an option: what is typed into a phone must not change by itself.
    static let defaultPort: UInt16 = 8367

    @Option(help: "The port of 127.0.0.1; 0 for any free one.")
    var port: UInt16 = Serve.defaultPort

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let listener = try HealthPort.listen(port)
        let store = try Store.open(common, for: .creating)
        let healthPort = try HealthPort(listener, store)
        let appender = try await store.appender()
        let serving = Task { try await healthPort.run(appender) }
        let interruption = Interruption { serving.cancel() }
        defer { interruption.stop() }
        let output = StreamWriter(.standard) { _ in [] }
        output.put(
            common.json
                ? JSONWriter.line { $0.field("address", healthPort.address) }
                : Array((healthPort.announcement + "\nCtrl-C ends this.\n").utf8))
        if await !output.finish() {
            let reason = output.failure.map(Output.failure) ?? "Nobody has read the output yet."
            let sentences = StreamWriter.sentences()
            sentences.put(Array("pulselog: \(reason) \(healthPort.announcement)\n".utf8))
            await sentences.finish()
        }
        try await store.tellingWaits { try await serving.value }
    }
}
