internal import BlueZ
internal import BluetoothCentral
internal import Clocks
internal import DBus
internal import EventStore
internal import Events
internal import Glibc
internal import Interchange
internal import Projections
internal import Recording
internal import Synchronization

/// The state after the last durable event, for readers on any thread.
final class LatestState: Sendable {
    private let state = Mutex(LogState())

    var value: LogState {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Leads a recording: wires source, appender and view, and reacts to what happens, one at a time.
struct Director {
    /// How long the end waits for the devices to be left; the central gives up after 8 s.
    private static let leavingLimit = Duration.seconds(10)

    let store: Store
    var plan: SessionPlan
    var source: InputSource
    let appender: Appender
    let queue = InputQueue()
    let latest = LatestState()
    let wakes = Wakes()
    let machine: Machine
    var view: any RecordingView
    /// Where other programs send health totals; nil for nowhere.
    let intake: HealthIntake?
    /// The session that this recording is about, once it is open.
    var session: Position?
    /// When this recording began to be about its session, on the boot clock.
    var began = Arrival.now().bootMilliseconds
    /// Whether the session is still to begin, with the strap's first heart rate.
    var isSettingUp = false
    var isStartAsked = false
    /// Why the session is to end, once that was asked.
    var sessionEnd: EndReason?
    /// Whether the recorder waits for a full disk.
    var isDiskFull = false
    /// Whether the recorder waits for another process that writes, and it was said.
    var isWriterAwaited = false
    var isEnding = false
    /// Whether a signal asked for the end.
    var isSignalled = false
    /// Why the recording ends before its session could begin.
    var failure: CommandFailure?
    var narrator = Narrator()
    /// Takes the inputs into the log, once the recorder is open; gives why the log failed.
    var recording: Task<EventLogError?, Never>?
    /// What the central's reports go through; nil without one.
    var bridge: CentralBridge?
    /// What the central is doing; nil without one.
    var attempts: CentralAttempts?
    /// The machine's own step counters; nil where the inputs are not this machine's.
    let counters: KernelStepCounters?
    /// Reads them while recording.
    let counterWatch: StepCounterWatch?
    /// The position of the first event that was neither told nor shown.
    var next: Position

    /// Folds the store and prepares a recording; nothing is appended yet.
    init(
        _ store: Store, source: InputSource, plan: SessionPlan, output: OutputMode,
        intake: HealthIntake? = nil
    ) async throws(CommandFailure) {
        self.store = store
        self.intake = intake
        self.plan = plan
        self.source = source
        machine = try Machine.this()
        let (latest, wakes) = (latest, wakes)
        appender = try await store.appender(isRecorder: true, isSimulated: source.isSimulated)
        await appender.tell { state, _ in
            latest.value = state
            wakes.note { _ in }
        }
        latest.value = await appender.state
        next = await appender.next
        view = output.view
        if case .central = source {
            attempts = CentralAttempts()
            counters = KernelStepCounters()
        } else {
            counters = nil
        }
        counterWatch = counters.map(StepCounterWatch.init)
    }

    /// Records until the session has ended, then shows its totals.
    ///
    /// However it ends, the devices are left: a strap that stays linked is lost to everybody else.
    ///
    /// - Throws: ``CommandFailure`` if the log fails, or the session cannot begin.
    mutating func run() async throws(CommandFailure) {
        let news: [String]
        do throws(CommandFailure) {
            news = try await open()
        } catch {
            _ = await view.finish(nil)
            throw error
        }
        let sources = WakeSources(wakes)
        // Whoever answers what is said with a signal is obeyed.
        for sentence in news { view.tell(sentence) }
        let keyboard = view.wantsKeys ? Keyboard(wakes) : nil
        let central = makeCentral()
        let recording = startRecording()
        self.recording = recording
        if let intake { view.tell(intake.announcement) }
        let taking = intake?.start(appender) { [wakes] sentence in
            wakes.note { $0.sentences.append(sentence) }
        }
        let driving = Task { @concurrent [source, queue] in
            await source.drive(central, into: queue)
        }
        await react(central)
        keyboard?.stop()
        // From here on a second signal ends the process: the log is done.
        if isSignalled { sources.stop() } else { wakes.end() }
        driving.cancel()
        taking?.cancel()
        let logFailure = await recording.value
        if let logFailure { failure = CommandFailure(logFailure, store: store.directory) }
        await wait(atMost: Self.leavingLimit) { await taking?.value }
        let unwritten = await view.finish(logFailure == nil ? scene(latest.value) : nil)
        failure = failure ?? unwritten
        await wait(atMost: Self.leavingLimit) { await driving.value }
        sources.stop()
        if let failure { throw failure }
    }

    /// Takes inputs into the log until the recording ends; gives why the log failed, if it did.
    private func startRecording() -> Task<EventLogError?, Never> {
        Task { @concurrent [appender, queue, wakes, log = store.log] in
            defer { wakes.note { $0.isFinished = true } }
            let patience = DiskPatience.minute { isWaiting in
                wakes.note { $0.isDiskFull = isWaiting }
            }
            let recorder = Recorder(appender, log: log, queue: queue, patience: patience)
            do throws(EventLogError) {
                try await recorder.run { input, outcome in
                    if case .refused(let refusal) = outcome {
                        wakes.note { $0.refuse(input.command, refusal) }
                    }
                }
                return nil
            } catch {
                return error
            }
        }
    }
}

// MARK: - Beginning

extension Director {
    /// Starts the recorder in the log, and the session unless one is open that goes on.
    ///
    /// - Returns: What the walker is to hear of it.
    /// - Throws: ``CommandFailure`` if the log fails, or the session cannot begin.
    mutating func open() async throws(CommandFailure) -> [String] {
        let zone = machine.zone(Arrival.now().wallMilliseconds)
        try await ask(
            .startRecorder(
                programVersion: Version.text, zoneOffsetMinutes: zone.offsetMinutes,
                zoneName: zone.name))
        // Without a clock that was ever set there is no today; heart rate is recorded all the same.
        if let refusal = try await ask(.refresh(.start)) { hear(refusal) }
        if view.wantsKeys { try await ask(.refresh(.foreground)) }
        var news = attempts == nil ? [] : [narrator.begin()]
        try await openCounters()
        let outcomes = try await ask { [plan] in plan.opening(in: $0) }
        if case .refused(let refusal)? = outcomes.last {
            try await ask(.stopRecorder(.failure))
            throw CommandFailure(.usage, refusal.description)
        }
        let open = latest.value.live.sessions.open
        session = open?.position
        isSettingUp = open == nil && plan.waitsForStrap
        guard outcomes.isEmpty, let found = open else { return news }
        let start = TimeText.local(
            found.startedAt.wallMilliseconds, offsetMinutes: zone.offsetMinutes)
        news.append(
            "A session from \(start) is open; going on with it"
                + (plan.goal.kind == .none ? "" : ", and with its goal")
                + ". `record --new` would end it and begin another.")
        return news
    }

    /// Pairs the machine's step counters that were never seen.
    func openCounters() async throws(CommandFailure) {
        for counter in counters?.found ?? [] {
            let (device, name) = (counter.device, counter.name)
            try await ask { state in
                guard state.live.devices[device] == nil else { return [] }
                return [.pair(device, name: name, roles: .stepCounter)]
            }
        }
    }

    /// Appends a request before the recorder runs.
    ///
    /// - Returns: Why it was refused, or nil.
    @discardableResult
    func ask(_ command: Command) async throws(CommandFailure) -> Refusal? {
        let outcomes = try await ask { _ in [command] }
        guard case .refused(let refusal)? = outcomes.first else { return nil }
        return refusal
    }

    /// Appends requests that depend on the state, before the recorder runs.
    @discardableResult
    func ask(
        deciding commands: @Sendable (LogState) -> [Command]
    ) async throws(CommandFailure) -> [Outcome] {
        let arrival = Arrival.now()
        do throws(EventLogError) {
            return try await store.tellingWaits { () async throws(EventLogError) in
                try await appender.record { (state) throws(EventLogError) in
                    commands(state).map { Input($0, at: arrival) }
                }
            }
        } catch {
            throw CommandFailure(error, store: store.directory)
        }
    }

    mutating func makeCentral() -> Central? {
        guard case .central(let strap) = source else { return nil }
        let devices = latest.value.live.devices
        let isKnown = devices.paired.contains { $0.id.address == strap }
        let bridge = CentralBridge(
            paired: devices.all.map(\.id), named: isKnown ? nil : strap,
            put: { [queue] in queue.put($0) })
        self.bridge = bridge
        return Central { [wakes] report, arrival in
            let hasSearchMoved = bridge.take(report, arrival)
            let heard = HeardReport(report, at: arrival.bootMilliseconds)
            guard heard != nil || hasSearchMoved else { return }
            wakes.note { pending in
                if let heard { pending.reports.append(heard) }
            }
        }
    }

    /// The present moment, as the next event would name it.
    var now: Moment {
        let number = latest.value.live.recorder.bootNumber(for: machine.bootID)
        return Arrival.now().moment(bootNumber: number, isSimulated: source.isSimulated)
    }
}
