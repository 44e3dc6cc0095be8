internal import ArgumentParser
internal import Files
internal import Glibc
internal import JSON
internal import LookingBack
internal import Recording
internal import Stores
internal import Terminal
internal import WalkService
internal import Web
internal import Words

/// `pulselog serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show walks in a browser and record them from there, until interrupted.",
        discussion: """
            Prints the address to open. Only this machine can reach the port, and only browsers \
            that were opened with that address, and programs that know a token, are let in: that \
            of `pulselog health token` for health totals, that of `pulselog serve metrics` for \
            metrics, that of --token for the rest. If a \
            recorder runs in a terminal, shows what it records. Under systemd a socket unit may \
            pass the port on. With --listen, phones that are paired reach it as well.
            """,
        subcommands: [
            PairPhone.self, PhonesCommand.self, Positions.self, Overlay.self, Metrics.self,
        ])

    /// The port without an option: what is typed into a phone must not change by itself.
    static let defaultPort: UInt16 = 8367

    @Option(help: "The port of 127.0.0.1; 0 for any free one.")
    var port: UInt16 = Serve.defaultPort

    @Flag(help: "Open the page in the browser.")
    var open = false

    @Flag(help: "Show the secret of the page that is being served, for programs.")
    var token = false

    @OptionGroup var site: SiteOptions
    @OptionGroup var exports: ExportToOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard !token else { return common.show(try common.open(.creating).token(for: .walks)) }
        // A port that a service manager has passed on is ours, and nobody serves there yet.
        let isPassed = environment("LISTEN_PID") == "\(getpid())"
        if open, !isPassed, Listener.isOurs(port) { return try await openServed() }
        let tiles = try site.openTiles()
        let listeners = try WebPort.listen(port, at: site.listen, orPassedBy: environment)
        let store = try common.open(.creating)
        let manager = ServiceManager(environment)
        store.tellSurroundings()
        let walks = try exports.walks(of: store)
        let service = try await store.service()
        let port = try store.port(listeners, service, hasPage: true, tiles: tiles)
        let commands = try ConfigurationFile.hooks()
        let serving = Task {
            try await serve(
                service, at: port, writing: walks, running: commands, in: store.directory, manager)
        }
        let interruption = Interruption { _ in
            manager?.tell(.stopping)
            serving.cancel()
        }
        defer { interruption.stop() }
        manager?.tell(.ready)
        await announce(port, toManager: manager != nil)
        let browser = open && !isPassed ? Browser(in: store.directory) : nil
        if let complaint = browser?.open(port.pageAddress ?? "") {
            let sentences = StreamWriter.sentences()
            sentences.say(complaint)
            await sentences.finish()
        }
        defer { browser?.forget() }
        try await store.tellingWaits { try await serving.value }
        await store.sealAtExit(service.seal)
    }

    /// Opens the page that is served already.
    private func openServed() async throws {
        // They may stand in the file, and hold for that one too.
        if exports.exportTo != nil || !site.tiles.isEmpty || site.listen != nil {
            Output.standardError.say(
                "The page is served already; --export-to, --listen and --tiles are as they were "
                    + "when that `serve` began.")
        }
        let store = try common.open(.creating)
        let address = WebPort.pageAddress(at: port, try store.token(for: .walks))
        let complaint = Browser(in: store.directory).open(address)
        if let complaint { throw CommandFailure(.unavailable, complaint) }
    }

    /// Serves, follows the log, and runs recorders, until the task is cancelled.
    private func serve(
        _ service: WalkService, at port: WebPort, writing walks: FinishedWalks?,
        running commands: [WalkHooks.Occasion: String], in directory: String,
        _ manager: ServiceManager?
    ) async throws {
        // It is cancelled when the serving has ended.
        async let _ = ExportToOptions.follow(walks)
        async let _ = WalkHooks.follow(service, commands, in: directory)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await port.run() }
            group.addTask { try await service.run() }
            if let manager, let interval = manager.interval {
                group.addTask { await reassure(manager, each: interval, of: service) }
            }
            try await group.next()
        }
    }

    /// Tells the service manager that the service answers, until the task is cancelled.
    private func reassure(
        _ manager: ServiceManager, each interval: Duration, of service: WalkService
    ) async {
        while !Task.isCancelled {
            await service.answer()
            manager.tell(.alive)
            await Runtime.machine.pass(interval)
        }
    }

    /// Says where the page is, on standard error to whoever cannot read it on standard output.
    private func announce(_ port: WebPort, toManager: Bool) async {
        let announcement = toManager ? port.serviceAnnouncement : port.announcement
        let output = StreamWriter(.standard) { _ in [] }
        let end = "Ctrl-C ends this; a walk that is open stays open.\n"
        output.put(
            common.json
                ? JSONWriter.line { json in
                    json.field("address", port.healthAddress)
                    if !toManager { json.field("page", port.pageAddress) }
                    if let address = port.phoneAddress { json.field("phones", address) }
                } : Array("\(announcement)\n\(end)".utf8))
        let isTold = await output.finish()
        let sentences = StreamWriter.sentences()
        if !isTold {
            let reason = output.failure.map(Output.failure) ?? "Nobody has read the output yet."
            sentences.say("\(reason) \(announcement)")
        }
        if LibraryFile.isMissing {
            sentences.say("The page lacks its map. Run `apt-get install libjs-leaflet`.")
        }
        await sentences.finish()
    }
}
