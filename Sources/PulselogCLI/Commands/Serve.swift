internal import ArgumentParser
internal import Clocks
internal import EventStore
internal import Interchange
internal import Projections
internal import Recording
internal import Web

/// `pulselog serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Accept health totals over HTTP, and tell how walks stand, until interrupted.",
        discussion: """
            Only this machine can reach the port, and only programs that know a token are let in: \
            that of `pulselog health token` for health totals, that of --token for the rest. It \
            works with or without a recorder. There is no web page yet: what a page needs is told \
            as JSON below /api.
            """)

    /// The port without an option: what is typed into a phone must not change by itself.
    static let defaultPort: UInt16 = 8367

    @Option(help: "The port of 127.0.0.1; 0 for any free one.")
    var port: UInt16 = Serve.defaultPort

    @Flag(help: "Show the secret for the paths below /api, and serve nothing.")
    var token = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard !token else {
            return common.show(try Store.open(common, for: .creating).token(for: .walks))
        }
        let listener = try HealthPort.listen(port)
        let store = try Store.open(common, for: .creating)
        let healthPort = try HealthPort(listener, store)
        let appender = try await store.appender()
        let serving = Task { try await serve(healthPort, appender, store) }
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

    /// Serves, and follows the log for those who listen, until the task is cancelled or either
    /// fails.
    private func serve(_ port: HealthPort, _ appender: Appender, _ store: Store) async throws {
        let follower = LogFollower(appender, log: store.log, machine: try Machine.this()) {
            store.isRecorderAlive
        }
        let walk = WalkEndpoint(
            store.log, appender, follower, token: try store.token(for: .walks), now: Arrival.now)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do throws(EventLogError) {
                    try await follower.run()
                } catch {
                    throw CommandFailure(error, store: store.directory)
                }
            }
            group.addTask { try await port.run(appender, telling: walk) }
            try await group.next()
        }
    }
}
