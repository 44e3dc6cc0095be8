internal import ArgumentParser
internal import JSON
internal import LookingBack
internal import Stores
internal import Terminal
internal import Threads
internal import WalkService
internal import Web

/// `pulselog serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show walks in a browser and record them from there, until interrupted.",
        discussion: """
            Prints the address to open. Only this machine can reach the port, and only browsers \
            that were opened with that address, and programs that know a token, are let in: that \
            of `pulselog health token` for health totals, that of --token for the rest. If a \
            recorder runs in a terminal, shows what it records.
            """)

    /// The port without an option: what is typed into a phone must not change by itself.
    static let defaultPort: UInt16 = 8367

    @Option(help: "The port of 127.0.0.1; 0 for any free one.")
    var port: UInt16 = Serve.defaultPort

    @Flag(help: "Open the page in the browser.")
    var open = false

    @Flag(help: "Show the secret of the page that is being served, for programs.")
    var token = false

    @OptionGroup var map: TilesOption
    @OptionGroup var exports: ExportToOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard !token else { return common.show(try common.open(.creating).token(for: .walks)) }
        let tiles = try map.open()
        let listener = try WebPort.listen(port)
        let store = try common.open(.creating)
        store.tellSurroundings()
        let walks = try exports.walks(of: store)
        let service = try await store.service()
        let port = try store.port(listener, service, hasPage: true, tiles: tiles)
        let serving = Task { try await serve(service, at: port, writing: walks) }
        let interruption = Interruption { _ in serving.cancel() }
        defer { interruption.stop() }
        await announce(port)
        let browser = open ? Browser(in: store.directory) : nil
        if let complaint = browser?.open(port.pageAddress ?? "") {
            let sentences = StreamWriter.sentences()
            sentences.say(complaint)
            await sentences.finish()
        }
        defer { browser?.forget() }
        try await store.tellingWaits { try await serving.value }
        await store.sealAtExit(service.seal)
    }

    /// Serves, follows the log, and runs recorders, until the task is cancelled.
    private func serve(
        _ service: WalkService, at port: WebPort, writing walks: FinishedWalks?
    ) async throws {
        // It is cancelled when the serving has ended.
        async let _ = Self.write(walks)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await port.run() }
            group.addTask { try await service.run() }
            try await group.next()
        }
    }

    /// Writes walks as they end, until the task is cancelled.
    @concurrent
    private static func write(_ walks: FinishedWalks?) async {
        guard var walks else { return }
        let sentences = StreamWriter.sentences()
        // To fold the walk may take seconds.
        await withTaskExecutorPreference(ReadingThread(label: "walks")) {
            await walks.follow(sentences.say)
        }
        await sentences.finish()
    }

    /// Says where the page is, on standard error to whoever cannot read it on standard output.
    private func announce(_ port: WebPort) async {
        let output = StreamWriter(.standard) { _ in [] }
        let end = "Ctrl-C ends this; a walk that is open stays open.\n"
        output.put(
            common.json
                ? JSONWriter.line { json in
                    json.field("address", port.healthAddress)
                    json.field("page", port.pageAddress)
                } : Array("\(port.announcement)\n\(end)".utf8))
        let isTold = await output.finish()
        let sentences = StreamWriter.sentences()
        if !isTold {
            let reason = output.failure.map(Output.failure) ?? "Nobody has read the output yet."
            sentences.say("\(reason) \(port.announcement)")
        }
        let missing = LibraryFile.missingPackages
        if !missing.isEmpty {
            let names = missing.joined(separator: " ")
            sentences.say("The page lacks its map or charts. Run `apt-get install \(names)`.")
        }
        await sentences.finish()
    }
}
