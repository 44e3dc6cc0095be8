internal import BlueZ
internal import DBus
internal import EventStore
internal import Events
internal import Glibc
internal import Interchange
internal import Projections
internal import Recording
internal import Synchronization
internal import TamperEvidence

/// The state behind the last durable event, for readers on any thread.
private final class LatestState: Sendable {
    private let state = Mutex(LogState())

    var value: LogState {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Leads a recording: wires source, journal and view, and reacts to what happens, one at a time.
struct Director {
    private let store: Store
    private let plan: SessionPlan
    private let source: InputSource
    private let journal: Journal
    private let queue = InputQueue()
    private let latest = LatestState()
    private let wakes: AsyncStream<Wake>
    private let wake: AsyncStream<Wake>.Continuation
    private let machine: Machine
    private var view: any RecordingView
    /// The session that this recording is about, once it is open.
    private var session: Position?
    private var isEnding = false

    /// Folds the store and prepares a recording; nothing is appended yet.
    init(
        _ store: Store, source: InputSource, plan: SessionPlan, output: OutputMode
    ) async throws(CommandFailure) {
        self.store = store
        self.plan = plan
        self.source = source
        // Wake-ups that say the same wait as one; keys and signals are few.
        (wakes, wake) = AsyncStream.makeStream(
            of: Wake.self, bufferingPolicy: .bufferingOldest(1_024))
        machine = try Machine.this()
        let (latest, wake) = (latest, wake)
        journal = try await store.journal { _, state in
            latest.value = state
            wake.yield(.changed)
        }
        latest.value = await journal.state
        view = output.view(of: store, from: await journal.next)
    }

    /// Records until the session has ended, then shows its totals.
    ///
    /// - Throws: ``CommandFailure`` if the log fails, or the session cannot begin.
    mutating func run() async throws(CommandFailure) {
        try await open()
        let sources = WakeSources(wake)
        let keyboard = view.wantsKeys ? Keyboard(wake) : nil
        defer {
            sources.stop()
            keyboard?.stop()
        }
        let central = makeCentral()
        let recording = Task { [journal, queue, wake, log = store.log] in
            defer { wake.yield(.finished) }
            try await Recorder(journal, log: log, queue: queue).run { _, outcome in
                if case .refused(let refusal) = outcome {
                    wake.yield(.message(refusal.description))
                }
            }
        }
        let driving = Task { [source, queue] in await source.drive(central, into: queue) }
        await react(central)
        driving.cancel()
        // Leaving the devices takes the daemon some seconds; the log is done by then.
        await driving.value
        do {
            try await recording.value
        } catch let error as EventLogError {
            throw CommandFailure(error, store: store.directory)
        } catch {
            throw CommandFailure(.internalError, "\(error)")
        }
        view.finish(latest.value, session: session, at: now)
    }
}

// MARK: - Beginning

extension Director {
    /// Starts the recorder in the log, and the session unless one is open that goes on.
    private mutating func open() async throws(CommandFailure) {
        let arrival = Recording.Arrival.now(simulated: source.isSimulated)
        let zone = machine.zone(arrival.wallMilliseconds)
        let found = latest.value.live.sessions.open
        var commands: [Command] = [
            .startRecorder(
                programVersion: Version.text, zoneOffsetMinutes: zone.offsetMinutes,
                zoneName: zone.name), .refresh(.start),
        ]
        if view.wantsKeys { commands.append(.refresh(.foreground)) }
        if found != nil && plan.endsOpenSession { commands.append(.end(.leftOpen)) }
        if found == nil || plan.endsOpenSession {
            commands.append(.start(goal: plan.goal, outAndBack: plan.outAndBack))
        }
        let outcomes: [Outcome]
        do throws(EventLogError) {
            outcomes = try await journal.record(commands.map { Input($0, at: arrival) })
        } catch {
            throw CommandFailure(error, store: store.directory)
        }
        for case .refused(let refusal) in outcomes {
            await stopRecorder(.failure)
            throw CommandFailure(.usage, refusal.description)
        }
        session = latest.value.live.sessions.open?.position
        if let found, !plan.endsOpenSession {
            let start = TimeText.local(
                found.startedAt.wallMilliseconds, offsetMinutes: zone.offsetMinutes)
            view.tell(
                "A session from \(start) is open; going on with it. "
                    + "`record --new` would end it and begin another.")
        }
    }

    private func stopRecorder(_ reason: StopReason) async {
        let input = Input(.stopRecorder(reason), at: .now(simulated: source.isSimulated))
        queue.put(input)
        do throws(EventLogError) {
            for input in queue.take() { _ = try await journal.record([input]) }
        } catch {
            // The failure that ends the recording is told; this one would only repeat it.
            return
        }
    }

    private func makeCentral() -> Central? {
        guard case .central(let strap) = source else { return nil }
        let live = latest.value.live
        let paired = live.devices.paired.map(\.id)
        let pairing: CentralBridge.Pairing =
            if let strap {
                paired.contains { $0.address == strap } ? .none : .address(strap)
            } else {
                live.devices.primary(.heart) == nil ? .firstStrap : .none
            }
        let bridge = CentralBridge(
            paired: live.devices.all.map(\.id), pairing: pairing,
            put: { [queue] in queue.put($0) },
            say: { [wake] in wake.yield(.message($0)) })
        return Central { report, arrival in bridge.take(report, arrival) }
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
        for await event in wakes {
            switch event {
            case .finished: return
            case .changed: break
            case .tick: tick()
            case .key(let key): press(key)
            case .message(let text): view.tell(text)
            case .signal(let number):
                if number == SIGINT { put(.end()) } else { end(.signal) }
            }
            step(central)
        }
    }

    /// Brings the central and the view in line with the state, and notices the session's end.
    private mutating func step(_ central: Central?) {
        let state = latest.value
        if case .central(let strap) = source {
            central?.want(CentralDesire(state, strap: strap.map { BluetoothAddress($0) }))
        }
        view.show(state, session: session, at: now)
        if state.live.sessions.open?.position != session { end(.requested) }
    }

    /// Once a second: midnight, and the end of the time that was set.
    private func tick() {
        put(.rollOver)
        guard let limit = plan.durationMilliseconds, let session,
            let report = latest.value.sessionReport(session, at: now), report.state != .ended,
            report.elapsedMilliseconds >= limit
        else { return }
        put(.end(.durationReached))
    }

    private func press(_ key: Character) {
        switch key {
        case "p": put(.pause)
        case "r": put(.resume)
        case "m": put(.mark())
        case "f": put(.refresh())
        case "s", "q": put(.end())
        default: break
        }
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
