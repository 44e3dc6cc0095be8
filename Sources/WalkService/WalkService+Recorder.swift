internal import BluetoothCentral
internal import Clocks
internal import Deciding
internal import Events
internal import Projections
package import Recording

/// The one recorder of a process: that of a terminal, which lasts as long as its walk, or one that
/// begins when a front sets up a walk, and leaves the devices alone once nobody does,
/// unless a session is open.
extension WalkService {
    enum Tenancy {
        /// Nobody records here.
        case none
        /// A recorder is being made.
        case making(Task<Recorder, any Error>)
        /// It runs, or leaves its devices.
        case held(Recorder)
        /// That of a terminal: it is not left because nobody asks for it.
        case kept(Recorder)
    }

    /// A recorder that holds the log: nobody else records.
    struct Held: Sendable {
        let recorder: Recorder
        let release: @Sendable () -> Void
    }

    /// For how long somebody wants something of a recorder, on the boot clock.
    struct Leases {
        /// How long one holds that nobody asks for again.
        static let milliseconds: UInt64 = 30_000
        /// How long a pairing may take: longer than each of its steps together.
        static let pairingMilliseconds: UInt64 = 120_000

        /// Until when somebody sets up, and until when somebody wants to know who is in range; nil
        /// once that was over.
        var setUpUntil: UInt64?
        var listUntil: UInt64?
        var pickCount: UInt64 = 0
    }

    /// The recorder that runs.
    var recorder: Recorder? {
        switch tenancy {
        case .held(let recorder), .kept(let recorder): recorder
        case .none, .making: nil
        }
    }

    // MARK: - Running

    /// Makes the recorder of a terminal, which holds the lock already.
    ///
    /// - Parameters:
    ///   - plan: What the walker wants.
    ///   - sensors: Where the happenings come from.
    /// - Returns: The recorder; ``record(_:)`` runs it.
    package func makeRecorder(_ plan: SessionPlan, _ sensors: [any Sensor]) -> Recorder {
        let recorder = makeRecorder(Equipment(plan, sensors))
        tenancy = .kept(recorder)
        hub.note(isOwn: true)
        return recorder
    }

    /// Runs the recorder of a terminal to its end.
    ///
    /// - Parameter recorder: The recorder.
    /// - Returns: How it ended.
    package func record(_ recorder: Recorder) async -> Recorder.End {
        let ticking = Task(executorPreference: runtime.executor) { await self.tick() }
        let end = await recorder.run()
        ticking.cancel()
        tenancy = .none
        hub.finish()
        return end
    }

    private func makeRecorder(_ equipment: Equipment) -> Recorder {
        Recorder(
            appender, log: store.walks, plan: equipment.plan, machine: machine,
            sensors: equipment.sensors, runtime: runtime, hub: hub,
            seal: { [store, appender] in await store.seal(appender) })
    }

    func runRecorders() async {
        for await held in started { await run(held) }
    }

    /// Runs a recorder to its end, which it takes its own time for: the devices are to be left.
    private func run(_ held: Held) async {
        let running = Task(executorPreference: runtime.executor) { await held.recorder.run() }
        let end = await withTaskCancellationHandler {
            await running.value
        } onCancel: {
            held.recorder.note(.signalled(.termination))
        }
        held.release()
        tenancy = .none
        var failure: String?
        if case .logFailed(let error) = end {
            failure = "The recording has ended, because the log cannot be written: \(error)"
        }
        hub.note(isOwn: false, failure: failure)
        await follow()
        await appender.republish()
        for waiting in waiting { waiting.resume() }
        waiting = []
    }

    /// Ends what is no longer wanted.
    func passTime(_ recorder: Recorder) {
        let now = runtime.now().bootMilliseconds
        if let until = leases.listUntil, now >= until {
            leases.listUntil = nil
            recorder.note(.asked(.list(nil)))
        }
        // Whoever wants to record goes before whoever only prepares a walk.
        if let until = leases.setUpUntil, now >= until || store.isRecorderRequested {
            leases.setUpUntil = nil
            if case .held = tenancy { recorder.note(.asked(.leaveSetUp)) }
        }
    }

    // MARK: - What fronts ask for

    func setUp(_ scan: CentralDesire.Scan?) async throws(WalkRefusal) {
        let recorder = try await recorder(.whenAsked)
        let hasStrap = await appender.state.own.devices.primary(.heart) != nil
        guard let scan = scan ?? (hasStrap ? nil : .services(BluetoothUUID.roleServices)) else {
            return
        }
        leases.listUntil = runtime.now().bootMilliseconds + Leases.milliseconds
        recorder.note(.asked(.list(scan)))
    }

    func begin(_ command: Command) async throws(WalkRefusal) -> WalkReply {
        // It may have left just before it was asked; the next one has not.
        for _ in 0..<2 {
            let recorder = try await recorder(.whenAsked)
            if let outcome = await recorder.ask(.command(command)) {
                return try WalkReply(outcome)
            }
        }
        throw .ended
    }

    func goOn() async throws(WalkRefusal) {
        let recorder = try await recorder(.leftOpen)
        let feed = hub.subscribe()
        defer { hub.unsubscribe(feed) }
        for await _ in feed.wakes {
            guard let scene = feed.take() else { continue }
            switch scene.phase {
            case .recording: return
            case .failed(let refusal): throw WalkRefusal(refusal)
            case .ended(.refused(let refusal)): throw WalkRefusal(refusal)
            case .ending, .ended, nil: if recorder.isEnding { throw .ended }
            case .settingUp, .starting: break
            }
        }
        throw .ended
    }

    func pair(_ address: BluetoothAddress) async throws(WalkRefusal) {
        let recorder = try await recorder(.whenAsked)
        let own = await appender.state.own
        guard !own.devices.paired.contains(where: { $0.id.address == address.value }) else {
            return
        }
        // Whose value it is could not be told while both send.
        if own.sessions.open != nil, own.devices.primary(.heart) != nil { throw .walking }
        let feed = hub.subscribe()
        leases.pickCount += 1
        let number = leases.pickCount
        keep(for: Leases.pairingMilliseconds)
        defer { hub.unsubscribe(feed) }
        recorder.note(.asked(.pick(Pick(address, number: number))))
        for await _ in feed.wakes {
            guard let scene = feed.take() else { continue }
            if recorder.isEnding { throw .ended }
            guard let pick = scene.picked, pick.number >= number else { continue }
            guard pick.device == address else { throw .anotherPick }
            switch pick.outcome {
            case .paired: return
            case .failed(let reason, let name): throw WalkRefusal(reason, of: address, name: name)
            case .open: break
            }
            if let bluetoothProblem = scene.strap.word.bluetoothProblem {
                recorder.note(.asked(.pick(nil)))
                throw WalkRefusal(bluetoothProblem)
            }
        }
        throw .ended
    }

    // MARK: - The one recorder

    /// The recorder; made if there is none.
    private func recorder(_ begins: SessionPlan.Beginning) async throws(WalkRefusal) -> Recorder {
        while true {
            switch tenancy {
            case .kept(let recorder):
                guard begins != .leftOpen else { throw .recording }
                return recorder
            case .held(let recorder) where recorder.isEnding:
                await withCheckedContinuation { waiting.append($0) }
            case .held(let recorder):
                guard begins != .leftOpen else { throw .recording }
                keep(for: Leases.milliseconds)
                return recorder
            case .making(let task): _ = await task.result
            case .none:
                try await check(begins)
                // Meanwhile somebody else may have begun.
                guard case .none = tenancy else { continue }
                let task = Task(executorPreference: runtime.executor) {
                    try await self.made(begins)
                }
                tenancy = .making(task)
                do {
                    return try await task.value
                } catch {
                    throw error as? WalkRefusal
                        ?? WalkRefusal(.impossible, "notPossible", "\(error)")
                }
            }
        }
    }

    private var otherRecorder: WalkRefusal { .otherRecorder(store.recorderHolder) }

    private func made(_ begins: SessionPlan.Beginning) async throws -> Recorder {
        hub.note(isOwn: true)
        do {
            guard let release = try store.lockRecorder() else { throw otherRecorder }
            let held = Held(recorder: makeRecorder(equip(begins)), release: release)
            // After the end of ``run()`` nobody would run it, nor let others record.
            if case .terminated = start.yield(held) {
                release()
                throw WalkRefusal.ended
            }
            tenancy = .held(held.recorder)
            leases.setUpUntil = nil
            keep(for: Leases.milliseconds)
            return held.recorder
        } catch {
            tenancy = .none
            hub.note(isOwn: false)
            throw error
        }
    }

    /// What a strap sends while somebody sets up belongs to no walk that was left open.
    private func check(_ begins: SessionPlan.Beginning) async throws(WalkRefusal) {
        let isOpen = await appender.state.own.sessions.open != nil
        guard isOpen != (begins == .leftOpen) else { return }
        guard !store.isRecorderAlive else { throw otherRecorder }
        throw isOpen ? .sessionOpen : .noSession
    }

    /// Holds the set-up for a time.
    private func keep(for milliseconds: UInt64) {
        let until = runtime.now().bootMilliseconds + milliseconds
        leases.setUpUntil = max(leases.setUpUntil ?? 0, until)
    }
}
