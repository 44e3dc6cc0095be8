internal import ArgumentParser
internal import Clocks
internal import EventStoreLMDB
internal import Events
internal import LookingBack
internal import Recording
internal import Sensors
internal import Stores
internal import Terminal
internal import Web
internal import Words

/// `pulselog record`: a live session until it is stopped.
struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record a session until it is stopped.",
        discussion: """
            Connects to the strap and shows it, and begins the session at once: a strap that is \
            not there yet is no reason to lose steps. With --wait-for-strap the session begins \
            with the first heart rate. Ctrl-C ends the session; SIGTERM leaves it open, and the \
            next `record` continues it. In a terminal it takes the screen: s finishes, l ends a \
            lap, ? lists all keys. From another terminal: pulselog finish, lap, mark, pause, resume.
            """)

    @Option(
        help: ArgumentHelp(
            "steps=6000, distance=5km, duration=45m or daily.", valueName: "goal"))
    var goal: WrittenGoal?

    @Flag(help: "Say when to turn around, halfway to the goal.")
    var outAndBack = false

    @Option(
        help: ArgumentHelp(
            "The strap to use, such as C4:00:00:00:00:01; default the primary one, or the "
                + "strongest in range if none is paired.", valueName: "address"))
    var device: WrittenAddress?

    @Flag(
        help: ArgumentHelp(
            "Use another paired strap by itself, once the strap has been away for 20 s.",
            discussion: "Otherwise it is named, and `u` uses it."))
    var anyStrap = false

    @Option(
        help: ArgumentHelp(
            "Ring when the heart rate is beyond: above=150, below=100 or above=150,below=100.",
            discussion: "After ten seconds, and at most once a minute; default as in the profile.",
            valueName: "limits"))
    var alert: HeartLimits?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End by itself after this time: 90s, 45m, 1h30m.", valueName: "time"))
    var duration: WrittenDuration?

    @Option(
        help: ArgumentHelp(
            "A file with the day's total, {\"date\":\"2026-03-01\",\"steps\":8123}, a database "
                + "of Gadgetbridge or an export.xml of Apple Health; each change is reported.",
            valueName: "file"))
    var health: String?

    @Flag(help: "Show the walk in a browser as well, as `serve` does; at port 8367 or --port.")
    var serve = false

    @Option(help: "The port of 127.0.0.1 for health totals, as of serve; 0 for any free one.")
    var port: UInt16?

    @Option(help: .hidden)  // The former name of --port.
    var healthPort: UInt16?

    @OptionGroup var site: SiteOptions
    @OptionGroup var exports: ExportToOptions

    @Option(
        help: ArgumentHelp(
            "Where positions come from: gpsd on this machine, HOST:PORT for one elsewhere, a "
                + "FILE.gpx that a logger writes, or none; default gpsd if running.",
            valueName: "source"))
    var position: PositionSource?

    @Option(
        help: ArgumentHelp(
            "Play a capture's inputs in real time instead of using Bluetooth.", valueName: "file"))
    var replay: String?

    @Flag(help: "Record made-up values instead of using Bluetooth, marked as simulated.")
    var simulate = false

    @Flag(help: "End a session that is still open, and start a new one.")
    var new = false

    @Flag(
        help: ArgumentHelp(
            "Begin the session with the strap's first heart rate, or when Return is pressed.",
            discussion: "`--for` counts from the call; exit code 69 if no heart rate came."))
    var waitForStrap = false

    @Flag(
        help: ArgumentHelp(
            "Record by itself: a walk whenever the strap is worn, until it was off for 5 min.",
            discussion: "For a recorder that runs all the time. `stop` ends the walk only, and the "
                + "next begins once the strap was off for a minute."))
    var wheneverWorn = false

    @Flag(help: "Print every event, instead of the screen or sentences.")
    var events = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try refuse(
            device?.isKernel == true, "--device takes a strap; a step counter is always read.")
        try refuse(replay != nil && simulate, "--replay and --simulate exclude each other.")
        try refuse(
            wheneverWorn && (waitForStrap || new || duration != nil || !isLive),
            "--whenever-worn waits for the strap by itself; leave out --wait-for-strap, --new, "
                + "--for, --replay and --simulate.")
        try refuse(
            events && common.json, "--events and --json exclude each other; --json has all events.")
        try refuse(port != nil && healthPort != nil, "--health-port is now --port: give one.")
        try refuse(
            !site.tiles.isEmpty && !serve, "--tiles is a map for the page; give --serve too.")
        try refuse(
            site.listen != nil && servedPort == nil,
            "--listen is for what is served; give --serve too.")
        try refuse(
            outAndBack && goal == nil,
            "--out-and-back turns around halfway to a goal; give --goal too.")
    }

    func run() async throws {
        let capture = try replay.map { try Capture(reading: $0) }
        // A port that cannot be had is said before anything is recorded.
        let tiles = try site.openTiles()
        let listener = try servedPort.map(listen)
        let store = try common.open(.creating)
        store.tellSurroundings()
        var walks = try exports.walks(of: store)
        let lock = try await store.recorderLock()
        defer { lock.release() }
        let service = try await store.service()
        let webPort = try listener.map {
            try store.port($0, service, hasPage: serve, tiles: tiles)
        }
        let counters = isLive ? KernelStepCounters(in: Surroundings.stepCounters) : nil
        let run = RecordingRun(
            store: store, service: service, plan: plan(counters),
            sensors: sensors(capture, counters), output: output, port: webPort,
            walks: wheneverWorn ? walks : nil, commands: try ConfigurationFile.hooks())
        // What was recorded is written also where the recording failed at last.
        defer { if !wheneverWorn { walks?.write().forEach(Output.standardError.say) } }
        try await run.run()
    }

    private var servedPort: UInt16? { port ?? healthPort ?? (serve ? Serve.defaultPort : nil) }

    /// A walk is recorded also where the phone's network is not there.
    private func listen(_ port: UInt16) throws(CommandFailure) -> [Listener] {
        do throws(CommandFailure) {
            return try WebPort.listen(port, at: site.listen)
        } catch {
            guard error.exitCode == .unavailable, site.listen != nil else { throw error }
            let listeners = try WebPort.listen(port)
            Output.standardError.say("\(error.message) It is shown on this machine only.")
            return listeners
        }
    }

    /// How it is shown, by the options and by what standard output is.
    private var output: OutputMode {
        if common.json { return .json }
        if events { return .events }
        return common.screen.map { .terminal($0) } ?? .sentences
    }

    /// Whether the values come from the world.
    private var isLive: Bool { replay == nil && !simulate }

    private func plan(_ counters: KernelStepCounters?) -> SessionPlan {
        SessionPlan(
            source: isLive ? .central(strap: device?.value) : .simulation,
            goal: goal?.goal ?? Goal(), outAndBack: outAndBack,
            begins: wheneverWorn ? .wheneverWorn : waitForStrap ? .withHeartRate : .atOnce,
            durationMilliseconds: duration?.milliseconds,
            endsOpenSession: new, takesSubstitute: anyStrap, limits: alert,
            isWatched: output.isWatched,
            counters: counters?.planned ?? [], programVersion: Version.text)
    }

    private func sensors(_ capture: Capture?, _ counters: KernelStepCounters?) -> [any Sensor] {
        var sensors: [any Sensor] = []
        if let capture {
            sensors.append(CapturePlayer(capture.events))
        } else if simulate {
            sensors.append(SimulatedStrap())
        } else {
            sensors.append(BluetoothSensor.machine)
        }
        if let counters { sensors.append(StepCounterWatch(counters)) }
        if let source = PositionSource.sensor(position, isLive: isLive) { sensors.append(source) }
        if let health {
            sensors.append(
                HealthWatch(path: health) { LocalZone.offsetMinutes(atWallMilliseconds: $0) })
        }
        return sensors
    }
}
