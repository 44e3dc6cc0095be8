public import BluetoothCentral
internal import Clocks
public import Events
internal import Projections

/// The recorder of a process whose fronts come and go: it begins when one of them sets up a walk,
/// and leaves the devices alone when nobody does any more, unless a session is open.
public actor RecorderHost {
    /// Makes a recorder whose session begins as is said; nil if another process records.
    public typealias Making = @Sendable (SessionPlan.Beginning) async throws(HostRefusal) -> Held?

    /// A recorder that holds the log: nobody else records.
    public struct Held: Sendable {
        let recorder: Recorder
        let release: @Sendable () -> Void

        /// Joins a recorder with what is to be done when it has ended.
        ///
        /// - Parameters:
        ///   - recorder: The recorder; it does not run yet.
        ///   - release: Lets others record.
        public init(_ recorder: Recorder, release: @escaping @Sendable () -> Void) {
            self.recorder = recorder
            self.release = release
        }
    }

    private enum Tenancy {
        /// Nobody records here.
        case none
        /// A recorder is being made.
        case making(Task<Recorder, any Error>)
        /// It runs, or leaves its devices.
        case held(Recorder)
        /// Somebody else runs it.
        case adopted(Recorder)
    }

    /// How long a set-up holds that nobody asks for again.
    private static let leaseMilliseconds: UInt64 = 30_000
    /// How long a pairing may take: longer than each of its steps together.
    private static let pairingMilliseconds: UInt64 = 120_000

    private let follower: LogFollower
    private let runtime: Runtime
    private let eachSecond: @Sendable () -> String?
    private let make: Making
    private let started: AsyncStream<Held>
    private let start: AsyncStream<Held>.Continuation
    private var tenancy = Tenancy.none
    /// Who waits for a recorder that ends to have left its devices.
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Until when somebody sets up, and until when somebody wants to know who is in range, on the
    /// boot clock; nil once that was over.
    private var setUpUntil: UInt64?
    private var listUntil: UInt64?
    private var pickCount: UInt64 = 0

    /// Makes a host without a recorder.
    ///
    /// - Parameters:
    ///   - follower: Shows the recorder's scenes while there is one.
    ///   - runtime: What it runs on.
    ///   - eachSecond: Called each second while there is a recorder; names who keeps the log from
    ///     being appended to for seconds already.
    ///   - make: Makes a recorder.
    public init(
        _ follower: LogFollower, runtime: Runtime = .machine,
        eachSecond: @escaping @Sendable () -> String? = { nil }, make: @escaping Making
    ) {
        self.follower = follower
        self.runtime = runtime
        self.eachSecond = eachSecond
        self.make = make
        (started, start) = AsyncStream.makeStream()
    }

    /// Takes a recorder in that somebody else runs, before ``run()``; it is not left.
    ///
    /// - Parameter recorder: The recorder.
    public func adopt(_ recorder: Recorder) {
        tenancy = .adopted(recorder)
    }

    // MARK: - Running

    /// Runs the recorders until the task is cancelled, and the last one has left its devices; a
    /// session that is open then stays open.
    public func run() async {
        await withDiscardingTaskGroup { group in
            if case .adopted(let recorder) = tenancy {
                await follower.note(isOwn: true)
                group.addTask { await self.show(recorder) }
                group.addTask { await self.tick(recorder, isAdopted: true) }
            }
            for await held in started {
                group.addTask { await self.run(held) }
            }
            group.cancelAll()
        }
    }

    /// Runs a recorder to its end, which it takes its own time for: the devices are to be left.
    private func run(_ held: Held) async {
        let running = Task { await held.recorder.run() }
        let showing = Task { await self.show(held.recorder) }
        let ticking = Task { await self.tick(held.recorder, isAdopted: false) }
        let end = await withTaskCancellationHandler {
            await running.value
        } onCancel: {
            held.recorder.note(.signalled(.termination))
        }
        ticking.cancel()
        await showing.value
        held.release()
        tenancy = .none
        var failure: String?
        if case .logFailed(let error) = end {
            failure = "The recording has ended, because the log cannot be written: \(error)"
        }
        await follower.note(isOwn: false, failure: failure)
        for waiting in waiting { waiting.resume() }
        waiting = []
    }

    private func show(_ recorder: Recorder) async {
        let feed = recorder.subscribe()
        await follower.show(feed)
        recorder.unsubscribe(feed)
    }

    private func tick(_ recorder: Recorder, isAdopted: Bool) async {
        await runtime.eachSecond {
            if !isAdopted { recorder.note(.ticked(awaitedWriter: eachSecond())) }
            let now = runtime.now().bootMilliseconds
            if let until = listUntil, now >= until {
                listUntil = nil
                recorder.note(.asked(.list(nil)))
            }
            if let until = setUpUntil, now >= until {
                setUpUntil = nil
                if !isAdopted { recorder.note(.asked(.leaveSetUp)) }
            }
        }
    }

    // MARK: - What fronts ask for

    /// Connects to the primary strap for somebody who sets up a walk, or looks who is in range.
    ///
    /// It holds for 30 s, and asking again prolongs it.
    ///
    /// - Parameters:
    ///   - isListing: Whether to tell who is in range.
    ///   - isAll: Whether to tell also of devices that advertise neither heart rate nor steps.
    /// - Throws: ``HostRefusal``.
    public func setUp(isListing: Bool, isAll: Bool = false) async throws(HostRefusal) {
        let recorder = try await recorder(.whenAsked)
        let hasStrap = await follower.state.live.devices.primary(.heart) != nil
        guard isListing || !hasStrap else { return }
        listUntil = runtime.now().bootMilliseconds + Self.leaseMilliseconds
        recorder.note(.asked(.list(isAll ? .all : .services(BluetoothUUID.roleServices))))
    }

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - goal: Its goal.
    ///   - outAndBack: Whether to turn at half of the goal.
    /// - Returns: Its events, which are durable.
    /// - Throws: ``HostRefusal``.
    public func begin(_ goal: Goal, outAndBack: Bool) async throws(HostRefusal) -> Range<Position> {
        let command = Command.start(goal: goal, outAndBack: outAndBack)
        var outcome = try await recorder(.whenAsked).ask(command)
        // It may have left just before it was asked; the next one has not.
        if outcome == nil { outcome = try await recorder(.whenAsked).ask(command) }
        switch outcome {
        case .recorded(let range): return range
        case .refused(let refusal): throw HostRefusal("refused", refusal.description)
        case nil: throw .ended
        }
    }

    /// Goes on with the session that was left open.
    ///
    /// - Throws: ``HostRefusal``.
    public func goOn() async throws(HostRefusal) {
        let recorder = try await recorder(.leftOpen)
        let feed = recorder.subscribe()
        defer { recorder.unsubscribe(feed) }
        for await _ in feed.wakes {
            guard let scene = feed.take() else { continue }
            switch scene.phase {
            case .recording: return
            case .failed(let refusal): throw HostRefusal("refused", refusal.description)
            case .settingUp, .starting, .ending, .ended, nil: break
            }
        }
        throw .ended
    }

    /// Ends the session, if a recorder of this process has one: it waits for nothing that keeps
    /// the log from being written.
    ///
    /// - Returns: Whether it has one.
    public func end() -> Bool {
        guard let recorder = running, case .recording = recorder.phase else { return false }
        recorder.note(.asked(.command(.end())))
        return true
    }

    /// Pairs a device, once it has shown what it can do.
    ///
    /// - Parameter address: The device.
    /// - Throws: ``HostRefusal``.
    public func pair(_ address: BluetoothAddress) async throws(HostRefusal) {
        let recorder = try await recorder(.whenAsked)
        let state = await follower.state
        let devices = state.live.devices
        guard !devices.paired.contains(where: { $0.id.address == address.value }) else { return }
        // Whose value it is could not be told while both send.
        if state.live.sessions.open != nil, devices.primary(.heart) != nil { throw .walking }
        let feed = recorder.subscribe()
        pickCount += 1
        let number = pickCount
        keep(for: Self.pairingMilliseconds)
        defer { recorder.unsubscribe(feed) }
        recorder.note(.asked(.pick(Pick(address, number: number))))
        for await _ in feed.wakes {
            guard let scene = feed.take(), let pick = scene.picked, pick.number >= number else {
                continue
            }
            guard pick.device == address else { throw .anotherPick }
            switch pick.outcome {
            case .paired: return
            case .failed(let reason, let name): throw HostRefusal(reason, of: address, name: name)
            case .open: break
            }
            if let hindrance = scene.strap.word.hindrance {
                recorder.note(.asked(.pick(nil)))
                throw HostRefusal(hindrance)
            }
        }
        throw .ended
    }

    // MARK: - The one recorder

    /// The recorder that runs.
    private var running: Recorder? {
        switch tenancy {
        case .held(let recorder), .adopted(let recorder): recorder
        case .none, .making: nil
        }
    }

    /// The recorder; made if there is none.
    private func recorder(_ begins: SessionPlan.Beginning) async throws(HostRefusal) -> Recorder {
        while true {
            switch tenancy {
            case .adopted(let recorder):
                guard begins != .leftOpen else { throw .recording }
                return recorder
            case .held(let recorder) where recorder.isEnding:
                await withCheckedContinuation { waiting.append($0) }
            case .held(let recorder):
                guard begins != .leftOpen else { throw .recording }
                keep(for: Self.leaseMilliseconds)
                return recorder
            case .making(let task): _ = await task.result
            case .none:
                try await check(begins)
                // Meanwhile somebody else may have begun.
                guard case .none = tenancy else { continue }
                let task = Task { try await made(begins) }
                tenancy = .making(task)
                do {
                    return try await task.value
                } catch {
                    throw error as? HostRefusal ?? HostRefusal("notPossible", "\(error)")
                }
            }
        }
    }

    private func made(_ begins: SessionPlan.Beginning) async throws -> Recorder {
        await follower.note(isOwn: true)
        do {
            guard let held = try await make(begins) else { throw HostRefusal.otherRecorder }
            // After the end of ``run()`` nobody would run it, nor let others record.
            if case .terminated = start.yield(held) {
                held.release()
                throw HostRefusal.ended
            }
            tenancy = .held(held.recorder)
            setUpUntil = nil
            keep(for: Self.leaseMilliseconds)
            return held.recorder
        } catch {
            tenancy = .none
            await follower.note(isOwn: false)
            throw error
        }
    }

    /// What a strap sends while somebody sets up belongs to no walk that was left open.
    private func check(_ begins: SessionPlan.Beginning) async throws(HostRefusal) {
        let isOpen = await follower.state.live.sessions.open != nil
        guard isOpen != (begins == .leftOpen) else { return }
        guard !follower.isRecording else { throw .otherRecorder }
        throw isOpen ? .sessionOpen : .noSession
    }

    /// Holds the set-up for a time.
    private func keep(for milliseconds: UInt64) {
        setUpUntil = max(setUpUntil ?? 0, runtime.now().bootMilliseconds + milliseconds)
    }
}
