package import Deciding
package import EventStore
internal import Events
package import Projections
package import Recording
package import Threads

/// The walks of a store, whoever records them: one appender, and at most one recorder.
///
/// All fronts of a process come here. What they ask for goes to the recorder of this process, or
/// into the log; what they are shown is that recorder's, or what the log tells of another one:
/// they cannot tell.
package actor WalkService {
    /// Plans a recorder that begins as is said, and names what senses for it.
    package typealias Equipping = @Sendable (SessionPlan.Beginning) -> Equipment

    /// How long a command may take.
    package static let limit = Duration.seconds(20)
    /// How long a device may take to be found, connected to and paired.
    package static let pairingLimit = Duration.seconds(90)

    /// How much longer than a second it takes at rest until time passes.
    private static let restInterval = Duration.seconds(9)

    nonisolated let store: any WalkStore
    package nonisolated let machine: Machine
    nonisolated let runtime: Runtime
    let equip: Equipping
    let appender: Appender
    nonisolated let hub = SceneHub()
    /// The log, for those who look back.
    package nonisolated let log: LogHistory
    private nonisolated let reader = ReadingThread(label: "history")
    /// Audits take long on a log that is large, the first time: nobody else waits for them.
    package nonisolated let auditor = ReadingThread(label: "audit")
    private let eachSecond: @Sendable () -> Void
    private let atRest: @Sendable () -> Void

    // What concerns the recorder is in WalkService+Recorder.swift.
    var tenancy = Tenancy.none
    var leases = Leases()
    /// Those who wait for a recorder that ends to have left its devices.
    var waiting: [CheckedContinuation<Void, Never>] = []
    let started: AsyncStream<Held>
    let start: AsyncStream<Held>.Continuation

    /// Opens the service of a store, with all that the log holds folded.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - machine: Whose boot and zone the events name.
    ///   - runtime: What it runs on.
    ///   - eachSecond: Called whenever time passes, while ``run()`` does: each second, or seldom
    ///     at rest.
    ///   - atRest: Called whenever time passes at rest.
    ///   - equip: Plans a recorder for whoever sets up a walk.
    /// - Throws: `EventLogError`.
    package init(
        _ store: any WalkStore, machine: Machine, runtime: Runtime = .machine,
        eachSecond: @escaping @Sendable () -> Void = {},
        atRest: @escaping @Sendable () -> Void = {},
        equip: @escaping Equipping = { Equipment(SessionPlan(begins: $0), []) }
    ) async throws(EventLogError) {
        (self.store, self.machine, self.runtime) = (store, machine, runtime)
        (self.eachSecond, self.atRest, self.equip) = (eachSecond, atRest, equip)
        log = LogHistory(store.walks, store.savedWalks)
        appender = Appender(
            store.walks, machine: machine, snapshots: store.savedWalks,
            isRecorderAlive: { store.isRecorderAlive })
        (started, start) = AsyncStream.makeStream()
        try await appender.catchUp()
    }

    // MARK: - What is shown

    /// Views from now on, for one front; one comes at once while ``run()`` does.
    package func views() async -> SceneFeed {
        let feed = hub.subscribe()
        if recorder == nil { await appender.republish() }
        return feed
    }

    /// A front takes no more views.
    ///
    /// - Parameter feed: What it took them from.
    package nonisolated func unsubscribe(_ feed: SceneFeed) {
        hub.unsubscribe(feed)
    }

    /// The current state, as the log has it.
    ///
    /// - Throws: `EventLogError`.
    package func scene() async throws(EventLogError) -> Scene {
        try scene(await appender.state)
    }

    private nonisolated func scene(
        _ state: LogState, _ events: [RecordedEvent] = []
    ) throws(EventLogError) -> Scene {
        var scene = try Scene(
            following: state, of: store.walks, isRecording: store.isRecorderAlive,
            machine: machine, at: runtime.now(), events: events)
        scene.holder = store.recorderHolder
        return scene
    }

    /// Reads what was, on a thread on which nobody records; reading ends when whoever asked has
    /// gone.
    ///
    /// - Parameters:
    ///   - thread: Where; nil for the one on which all that is asked is read in turn.
    ///   - read: Reads ``log``.
    /// - Returns: What `read` returns.
    /// - Throws: What `read` throws; `cancelled` for whoever has gone.
    package nonisolated func history<Value: Sendable>(
        on thread: (any TaskExecutor)? = nil,
        _ read: @escaping @Sendable () throws(EventLogError) -> Value
    ) async throws(EventLogError) -> Value {
        try await withTaskExecutorPreference(thread ?? reader) { @concurrent in
            Result { () throws(EventLogError) in
                guard !Task.isCancelled else { throw EventLogError(.cancelled) }
                return try read()
            }
        }.get()
    }

    /// Seals what the log holds, and signs it.
    ///
    /// - Returns: The sentence that says why it could not.
    @Sendable
    package nonisolated func seal() async -> String? { await store.seal(appender) }

    /// The state, and how much of it came from a snapshot.
    package var folded: FoldedState {
        get async { await appender.folded }
    }

    /// The state after the last event that was folded.
    package var state: LogState {
        get async { await appender.state }
    }

    /// What the store tells of itself.
    package nonisolated var figures: StoreFigures { store.figures }

    /// How many happenings wait for the recorder of this process, and how many inputs for the log;
    /// nil if none runs.
    package var queued: (happenings: Int, inputs: Int)? { recorder?.waiting }

    /// Answers when it can: for a watchdog.
    package func answer() {
        // Whoever gets here has had a turn.
    }

    // MARK: - What is asked for

    /// Does what somebody asks for, wherever the recorder is.
    ///
    /// - Parameters:
    ///   - command: What is asked for.
    ///   - limit: The longest time that it may take, after which it may be done all the same; nil
    ///     for any time.
    /// - Returns: What became of it, when it is durable.
    /// - Throws: ``WalkRefusal``.
    @discardableResult
    package nonisolated func perform(
        _ command: WalkCommand, within limit: Duration? = WalkService.limit
    ) async throws(WalkRefusal) -> WalkReply {
        guard let limit else { return try await act(command) }
        let result = await value(within: limit, on: runtime) { [self] in
            do throws(WalkRefusal) {
                return Result<WalkReply, WalkRefusal>.success(try await act(command))
            } catch {
                return .failure(error)
            }
        }
        guard let result else { throw .late }
        return try result.get()
    }

    private func act(_ command: WalkCommand) async throws(WalkRefusal) -> WalkReply {
        switch command {
        case .ask(let request): return try await ask(request)
        case .decide(let make): return try await decide(make)
        case .report(let report, let rule):
            do {
                let outcome = try await appender.record(report, at: runtime.now(), totals: rule)
                return WalkReply(health: outcome)
            } catch let error as ClockNotSet {
                throw WalkRefusal(.impossible, "clockNotSet", error.description)
            } catch {
                throw WalkRefusal(
                    .impossible, "notRecorded", "The totals cannot be recorded now: \(error)")
            }
        case .phoneFixes(let fixes): try await take(fixes)
        case .setUp(let scan): try await setUp(scan)
        case .start(let goal, let outAndBack, let phone):
            if await appender.state.own.sessions.open == nil { hub.note(startedBy: phone) }
            return try await begin(.start(goal: goal, outAndBack: outAndBack))
        case .continueLeftOpen: try await goOn()
        case .pair(let address): try await pair(address)
        }
        return WalkReply()
    }

    /// Asks the recorder of this process; where none can answer, a command is decided on the log.
    private func ask(_ request: Request) async throws(WalkRefusal) -> WalkReply {
        if let outcome = await recorder?.ask(request) { return try WalkReply(outcome) }
        guard case .command(let command) = request else { throw .ended }
        return try await decide { _ in command }
    }

    /// Nothing is appended of what comes while no walk is open; a set-up shows who sends it.
    private func take(_ fixes: [PhoneFix]) async throws(WalkRefusal) {
        let arrival = runtime.now()
        _ = try await appender.record { (state) throws(WalkRefusal) in
            state.own.sessions.open == nil
                ? [] : fixes.map { Input(.phoneFix($0), at: arrival) }
        }
        let sessions = await appender.state.own.sessions
        if let last = fixes.last, sessions.open == nil || sessions.isAtRest {
            recorder?.note(.phoneHeard(last))
        }
    }

    private func decide(
        _ make: @escaping @Sendable (LogState) throws(WalkRefusal) -> Command
    ) async throws(WalkRefusal) -> WalkReply {
        let arrival = runtime.now()
        let outcomes = try await appender.record { (state) throws(WalkRefusal) in
            [Input(try make(state), at: arrival)]
        }
        return try WalkReply(outcomes[0])
    }

    // MARK: - Running

    /// Follows the log, and runs the recorders that fronts ask for, until the task is cancelled
    /// and the last recorder has left its devices; a session that is open then stays open.
    ///
    /// A view comes for each commit, and each second, for what is shown changes with time alone.
    ///
    /// - Throws: `EventLogError` if the log can no longer be read.
    package func run() async throws(EventLogError) {
        await follow()
        let failure = await withTaskGroup(of: EventLogError?.self) { group in
            group.addTask { await self.watch() }
            group.addTask {
                await self.runRecorders()
                return nil
            }
            group.addTask {
                await self.tick()
                return nil
            }
            let failure = await group.next() ?? nil
            group.cancelAll()
            await group.waitForAll()
            return failure
        }
        start.finish()
        await appender.observe(nil)
        hub.finish()
        if let failure { throw failure }
    }

    /// Shows what the log says, from now on.
    func follow() async {
        await appender.observe { [weak self] state, events in self?.publish(state, events) }
    }

    private nonisolated func publish(_ state: LogState, _ events: [RecordedEvent]) {
        do throws(EventLogError) {
            hub.publish(try scene(state, events))
        } catch {
            return  // Whoever follows the log is told why it cannot be read.
        }
    }

    /// Folds what others append, while no recorder of this process does.
    ///
    /// A full disk is waited for: after a failed commit the store may not open again until there
    /// is room.
    private func watch() async -> EventLogError? {
        while !Task.isCancelled {
            if case .held = tenancy {
                await withCheckedContinuation { waiting.append($0) }
            }
            do throws(EventLogError) {
                try await store.walks.waitForEvent(at: await appender.next)
                try await appender.catchUp()
            } catch {
                guard error.code == .diskFull else { return Task.isCancelled ? nil : error }
                await runtime.pass(.seconds(1))
            }
        }
        return nil
    }

    /// Lets time pass; seldom where nothing but a strap that is put on is waited for, which saves
    /// power, unless a page looks.
    func tick() async {
        while !Task.isCancelled {
            eachSecond()
            if let recorder {
                recorder.note(.ticked(awaitedWriter: store.awaitedWriter))
                passTime(recorder)
            } else if hub.fronts > 0 {
                await appender.republish()
            }
            await runtime.pass(.seconds(1))
            guard isResting else { continue }
            // What the passing of time has led to is done by now.
            atRest()
            await hub.rest(Self.restInterval, on: runtime) { isResting }
        }
    }

    /// Whether nothing but a strap that is put on is waited for: one front is the recorder's own.
    private var isResting: Bool { hub.fronts < 2 && recorder?.isResting ?? false }
}

extension WalkReply {
    /// The reply of a decision.
    ///
    /// - Throws: ``WalkRefusal`` if it made no sense.
    init(_ outcome: Outcome) throws(WalkRefusal) {
        switch outcome {
        case .recorded(let range): self.init(events: range)
        case .refused(let refusal): throw WalkRefusal(refusal)
        }
    }
}
