internal import BlueZ
internal import DBus
internal import EventStore
internal import Events
internal import Glibc
internal import Interchange
internal import Projections
internal import Recording
internal import Synchronization

/// The state behind the last durable event, for readers on any thread.
private final class LatestState: Sendable {
    private let state = Mutex(LogState())

    var value: LogState {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Leads a recording: wires source, appender and view, and reacts to what happens, one at a time.
///
/// It lives on the main thread, where a slow terminal holds up nobody else.
@MainActor
struct Director {
    private let store: Store
    private var plan: SessionPlan
    private let source: InputSource
    private let appender: Appender
    private let queue = InputQueue()
    private let latest = LatestState()
    private let wakes = Wakes()
    private let machine: Machine
    private var view: any RecordingView
    /// The session that this recording is about, once it is open.
    private var session: Position?
    /// When this recording began to be about its session, on the boot clock.
    private var began = SystemClock.now().bootMilliseconds
    /// Whether the session is still to begin, with the strap's first heart rate.
    private var isSettingUp = false
    private var isStartAsked = false
    private var isSessionEndAsked = false
    private var isEnding = false
    /// Why the recording ends before its session could begin.
    private var failure: CommandFailure?
    private var narrator = Narrator()
    /// What the central's reports go through; nil without one.
    private var bridge: CentralBridge?
    /// What the central is doing; nil without one.
    private var attempts: CentralAttempts?
    /// The machine's own step counters; nil where the inputs are not this machine's.
    private var counters: KernelStepCounters?
    /// The position of the first event that was neither told nor shown.
    private var next: Position

    /// Folds the store and prepares a recording; nothing is appended yet.
    init(
        _ store: Store, source: InputSource, plan: SessionPlan, output: OutputMode
    ) async throws(CommandFailure) {
        self.store = store
        self.plan = plan
        self.source = source
        machine = try Machine.this()
        let (latest, wakes) = (latest, wakes)
        appender = try await store.appender { state in
            latest.value = state
            wakes.note { _ in }
        }
        latest.value = await appender.state
        next = await appender.next
        view = output.view
        if case .central = source {
            attempts = CentralAttempts()
            counters = KernelStepCounters()
        }
    }

    /// Records until the session has ended, then shows its totals.
    ///
    /// - Throws: ``CommandFailure`` if the log fails, or the session cannot begin.
    mutating func run() async throws(CommandFailure) {
        try await open()
        let sources = WakeSources(wakes)
        let keyboard = view.wantsKeys ? Keyboard(wakes) : nil
        let central = makeCentral()
        let recording = Task { [appender, queue, wakes, log = store.log] in
            defer { wakes.note { $0.isFinished = true } }
            try await Recorder(appender, log: log, queue: queue).run { input, outcome in
                if case .refused(let refusal) = outcome {
                    wakes.note { $0.refuse(input.command, refusal) }
                }
            }
        }
        let driving = Task { [source, queue] in await source.drive(central, into: queue) }
        await react(central)
        keyboard?.stop()
        // From here on a second Ctrl-C ends the process: the log is done.
        sources.stop()
        driving.cancel()
        do {
            try await recording.value
        } catch let error as EventLogError {
            throw CommandFailure(error, store: store.directory)
        } catch {
            throw CommandFailure(.internalError, "\(error)")
        }
        view.finish(scene(latest.value))
        // Leaving the devices takes the daemon some seconds.
        await driving.value
        if let failure { throw failure }
    }
}

// MARK: - Beginning

extension Director {
    /// Starts the recorder in the log, and the session unless one is open that goes on.
    private mutating func open() async throws(CommandFailure) {
        let zone = machine.zone(SystemClock.now().wallMilliseconds)
        let found = latest.value.live.sessions.open
        try await ask(
            .startRecorder(
                programVersion: Version.text, zoneOffsetMinutes: zone.offsetMinutes,
                zoneName: zone.name))
        // Without a clock that was ever set there is no today; heart rate is recorded all the same.
        if let refusal = try await ask(.refresh(.start)) { hear(refusal) }
        if view.wantsKeys { try await ask(.refresh(.foreground)) }
        if found != nil && plan.endsOpenSession { try await ask(.end(.leftOpen)) }
        if attempts != nil { view.tell("Looking for the strap. Wear it, and moisten it.") }
        try await openCounters()
        let isNew = found == nil || plan.endsOpenSession
        isSettingUp = isNew && plan.waitsForStrap
        if isNew && !isSettingUp, let refusal = try await ask(start) {
            try await ask(.stopRecorder(.failure))
            throw CommandFailure(.usage, refusal.description)
        }
        session = latest.value.live.sessions.open?.position
        guard let found, !plan.endsOpenSession else { return }
        let start = TimeText.local(
            found.startedAt.wallMilliseconds, offsetMinutes: zone.offsetMinutes)
        view.tell(
            "A session from \(start) is open; going on with it"
                + (plan.goal.kind == .none ? "" : ", and with its goal")
                + ". `record --new` would end it and begin another.")
    }

    /// Switches the machine's step counters on, and pairs those that were never seen.
    private mutating func openCounters() async throws(CommandFailure) {
        for sentence in counters?.switchOn() ?? [] { view.tell(sentence) }
        for counter in counters?.found ?? []
        where latest.value.live.devices[counter.device] == nil {
            try await ask(.pair(counter.device, name: counter.name, roles: .stepCounter))
        }
    }

    /// The request that begins the session.
    private var start: Command { .start(goal: plan.goal, outAndBack: plan.outAndBack) }

    /// Appends a request before the recorder runs.
    ///
    /// - Returns: Why it was refused, or nil.
    @discardableResult
    private func ask(_ command: Command) async throws(CommandFailure) -> Refusal? {
        let arrival = Recording.Arrival.now(simulated: source.isSimulated)
        do throws(EventLogError) {
            for case .refused(let refusal) in try await appender.record([
                Input(command, at: arrival)
            ]) {
                return refusal
            }
            return nil
        } catch {
            throw CommandFailure(error, store: store.directory)
        }
    }

    private mutating func makeCentral() -> Central? {
        guard case .central(let strap) = source else { return nil }
        let devices = latest.value.live.devices
        let isKnown = devices.paired.contains { $0.id.address == strap }
        let pairing: CentralBridge.Pairing =
            switch strap {
            case let strap?: isKnown ? .none : .address(strap)
            case nil: devices.primary(.heart) == nil ? .firstStrap : .none
            }
        let bridge = CentralBridge(
            paired: devices.all.map(\.id), pairing: pairing, put: { [queue] in queue.put($0) })
        self.bridge = bridge
        return Central { [wakes] report, arrival in
            bridge.take(report, arrival)
            guard let heard = HeardReport(report, at: arrival.bootMilliseconds) else { return }
            wakes.note { $0.reports.append(heard) }
        }
    }

    /// The present moment, as the next event would name it.
    private var now: Moment {
        let number = latest.value.live.recorder.bootNumber(for: machine.bootID)
        return Recording.Arrival.now(simulated: source.isSimulated).moment(bootNumber: number)
    }
}

// MARK: - Reacting

extension Director {
    /// Reacts until the recording has finished.
    private mutating func react(_ central: Central?) async {
        step(central)
        for await _ in wakes.stream {
            let pending = wakes.take()
            for sentence in pending.sentences { view.tell(sentence) }
            if let refusal = pending.dayRefusal { hear(refusal) }
            if let refusal = pending.startRefusal { failToStart(refusal) }
            if pending.hasInputEnded { askSessionEnd(.inputEnded) }
            for heard in pending.reports { hear(heard) }
            for key in pending.keys { press(key) }
            if let signal = pending.signal { obey(signal) }
            if let reading = pending.healthReading { report(reading) }
            if pending.hasTicked { tick() }
            step(central)
            if pending.isFinished { return }
        }
    }

    /// Brings the central and the view in line with the state, and notices the session's end.
    private mutating func step(_ central: Central?) {
        let state = latest.value
        if case .central(let strap) = source {
            if strap == nil { bridge?.note(hasStrap: state.live.devices.primary(.heart) != nil) }
            central?.want(CentralDesire(state, strap: strap.map { BluetoothAddress($0) }))
        }
        let scene = scene(state)
        for event in scene.events {
            let sentence = narrator.hear(event) { Self.name(of: $0.address, in: state) }
            if let sentence { view.tell(sentence) }
        }
        let due = narrator.sentencesDue(
            at: scene.moment.stamp.bootMilliseconds, isScanning: scene.strap.word == .scanning)
        for sentence in due { view.tell(sentence) }
        view.show(scene)
        let open = state.live.sessions.open?.position
        if isSettingUp {
            setUp(scene)
        } else if open == nil || open != session {
            end(.requested)
        }
    }

    /// Begins the session as soon as the strap gives a heart rate, and notes that it began.
    private mutating func setUp(_ scene: Scene) {
        let strap = scene.strap
        let start = scene.events.first { $0.event.kind == .sessionStarted && $0.header.source == 0 }
        // It may have ended since.
        if let start {
            session = start.header.position
            isSettingUp = false
            began = SystemClock.now().bootMilliseconds
        } else if strap.word == .connected, strap.heartRateBPM != nil, !strap.isWithoutContact {
            begin()
        }
    }

    /// Asks for the session, once.
    private mutating func begin() {
        guard isSettingUp, !isStartAsked else { return }
        isStartAsked = true
        put(start)
    }

    /// Ends the recorder: waiting longer would not make the session possible.
    private mutating func failToStart(_ refusal: Refusal) {
        failure = CommandFailure(.usage, refusal.description)
        end(.failure)
    }

    /// What is to be shown now; its events count as shown.
    private mutating func scene(_ state: LogState) -> Scene {
        var events: [RecordedEvent] = []
        let end = state.head.map { $0 + 1 } ?? 0
        if next < end {
            do throws(EventLogError) {
                events = try store.log.events(in: next..<end)
                next = end
            } catch {
                // The recorder meets the same failure and ends with it.
                view.tell(error.description)
            }
        }
        var chosen: UInt64?
        if case .central(let strap) = source { chosen = strap }
        let moment = now
        return Scene(
            state: state, session: session, moment: moment,
            strap: StrapStatus(state, at: moment, attempts, chosen: chosen), goal: plan.goal,
            events: events)
    }

    private mutating func hear(_ heard: HeardReport) {
        attempts?.hear(heard.report)
        let state = latest.value
        let sentence = narrator.hear(heard.report, at: heard.bootMilliseconds) {
            Self.name(of: $0.value, in: state)
        }
        if let sentence { view.tell(sentence) }
    }

    private mutating func hear(_ dayRefusal: Refusal) {
        let now = SystemClock.now().bootMilliseconds
        if let sentence = narrator.hear(dayRefusal, at: now) { view.tell(sentence) }
    }

    /// What the walker calls a device.
    private static func name(of address: UInt64, in state: LogState) -> String {
        let device = state.live.devices.all.first { $0.id.address == address }
        return deviceTitle(
            device?.name, device?.id.description ?? BluetoothAddress(address).description)
    }

    /// Once a second: midnight, travel, the step counters, and the end of the time that was set.
    private mutating func tick() {
        tzset()
        put(.rollOver)
        readCounters()
        plan.healthWatch?.look(wakes)
        guard let limit = plan.durationMilliseconds, !isSettingUp,
            SystemClock.now().bootMilliseconds >= began + limit
        else { return }
        askSessionEnd(.durationReached)
    }

    private mutating func readCounters() {
        let devices = latest.value.live.devices
        guard let (events, sentences) = counters?.read(where: { devices[$0]?.pairedAt != nil })
        else { return }
        for event in events { put(.record(event)) }
        for sentence in sentences { view.tell(sentence) }
    }

    private func report(_ reading: HealthReading) {
        let wall = SystemClock.now().wallMilliseconds
        let today = CivilDate(
            wallMilliseconds: wall, zoneOffsetMinutes: machine.zone(wall).offsetMinutes)
        for request in reading.requests(beyond: latest.value, today: today) { put(request) }
    }

    private mutating func press(_ key: Character) {
        switch key {
        case "p": put(.pause)
        case "r": put(.resume)
        case "m": put(.mark())
        case "f": put(.refresh())
        case "s", "q": askSessionEnd(.requested)
        case "g": chooseGoal()
        case "\n", "\r", " ": begin()
        default: break
        }
    }

    /// Takes the next preset as the goal of the session that is still to begin.
    private mutating func chooseGoal() {
        guard isSettingUp, !isStartAsked else { return }
        let live = latest.value.live
        let isDailyOpen = live.recorder.profile.dailyGoalSteps.map { $0 > live.stepsToday(at: now) }
        plan.goal = GoalPreset.next(after: plan.goal, isDailyOpen: isDailyOpen ?? false)
        if plan.goal.kind == .none { plan.outAndBack = false }
    }

    /// Ctrl-C ends the session; every other signal leaves it open for the next recorder.
    private mutating func obey(_ signal: Int32) {
        if signal == SIGINT && !isSessionEndAsked {
            askSessionEnd(.requested)
        } else {
            end(.signal)
        }
    }

    private mutating func askSessionEnd(_ reason: EndReason) {
        guard !isSessionEndAsked else { return }
        isSessionEndAsked = true
        // While setting up there is no session to end, but its start may be in the queue.
        if !isSettingUp || isStartAsked { put(.end(reason)) }
        if isSettingUp { end(.requested) }
    }

    private func put(_ command: Command) {
        queue.put(Input(command, at: .now(simulated: source.isSimulated)))
    }

    /// Ends the recorder, once; the session stays as it is.
    private mutating func end(_ reason: StopReason) {
        guard !isEnding else { return }
        isEnding = true
        put(.stopRecorder(reason))
        queue.finish()
    }
}
