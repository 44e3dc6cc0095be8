internal import Clocks
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Glibc
internal import Interchange
internal import LookingBack
internal import Projections
internal import Recording
internal import Sensors
internal import Text
internal import WalkService
internal import Words

extension Store: WalkStore {
    var walks: any EventLog { log }

    var savedWalks: (any SnapshotStore)? { snapshots }

    var awaitedWriter: String? { longWait?.description }

    func lockRecorder() throws(WalkRefusal) -> (@Sendable () -> Void)? {
        do throws(RecorderLockError) {
            let lock = try takeRecorderLock()
            return { lock.release() }
        } catch {
            if case .held = error.code { return nil }
            throw WalkRefusal(.impossible, "notPossible", error.description)
        }
    }

    /// The walks of this store, for all fronts of this process; its snapshot is kept at the end.
    ///
    /// - Throws: ``CommandFailure`` if the log cannot be read.
    func service() async throws(CommandFailure) -> WalkService {
        let machine = try Machine.this()
        do throws(EventLogError) {
            let service = try await WalkService(
                self, machine: machine,
                // Who travels takes the zone along.
                eachSecond: { tzset() }, equip: Self.equipment)
            keepLater(service)
            return service
        } catch {
            throw failure(error)
        }
    }

    /// A recorder from the world, for whoever sets up a walk in a browser.
    private static func equipment(_ begins: SessionPlan.Beginning) -> Equipment {
        let counters = KernelStepCounters(in: CommonOptions.stepCounterFolder)
        let plan = SessionPlan(
            begins: begins, isWatched: true, counters: counters.planned,
            programVersion: Version.text)
        let sensors: [(any Sensor)?] = [
            BluetoothSensor.machine, StepCounterWatch(counters),
            PositionOption.sensor(nil, isLive: true),
        ]
        return Equipment(plan, sensors.compactMap { $0 })
    }

    /// Takes the lock of the one recorder.
    ///
    /// - Returns: The lock, which is held until it is released.
    /// - Throws: ``CommandFailure`` if another process records, or the lock's file cannot be made.
    func recorderLock() throws(CommandFailure) -> RecorderLock {
        do throws(RecorderLockError) {
            return try takeRecorderLock()
        } catch {
            let code: CommandFailure.Code =
                if case .held = error.code { .tryAgain } else { .cannotCreate }
            throw CommandFailure(code, "\(directory): \(error.description)")
        }
    }

    private func takeRecorderLock() throws(RecorderLockError) -> RecorderLock {
        try log.lockRecorder(startText: TimeText.utc(Arrival.now().wallMilliseconds))
    }

    /// Does what a command asks for, however long another process writes.
    ///
    /// - Parameters:
    ///   - options: Which store.
    ///   - access: Whether the store is made if it does not exist.
    ///   - request: Makes the request from the state after the last event of the log; called
    ///     again if somebody else appends first.
    /// - Returns: The events that came of it, and the state after them.
    /// - Throws: ``CommandFailure``; for a refusal with the code for usage.
    static func perform(
        _ options: CommonOptions, _ access: Access = .existing,
        _ request: @escaping @Sendable (LogState) throws(CommandFailure) -> Command
    ) async throws(CommandFailure) -> (events: [RecordedEvent], state: LogState) {
        let store = try Store.open(options, for: access)
        let service = try await store.service()
        let reply: WalkReply
        do throws(WalkRefusal) {
            reply = try await store.tellingWaits { () async throws(WalkRefusal) in
                try await service.perform(
                    .decide { (state) throws(WalkRefusal) in
                        do throws(CommandFailure) {
                            return try request(state)
                        } catch {
                            throw WalkRefusal(error)
                        }
                    }, within: nil)
            }
        } catch {
            throw CommandFailure(error, store: store.directory)
        }
        let events = try store.withLog { (log) throws(EventLogError) in
            try log.events(in: reply.events)
        }
        return (events, await service.state)
    }
}

extension WalkRefusal {
    /// What a command finds senseless; its exit code is the name of the reason.
    fileprivate init(_ failure: CommandFailure) {
        self.init(.senseless, "\(failure.exitCode.rawValue)", failure.message)
    }
}

extension CommandFailure {
    /// The failure of what was asked for.
    init(_ refusal: WalkRefusal, store: String) {
        switch refusal.kind {
        case .senseless:
            let code = Int32(refusal.code).flatMap { Code(rawValue: $0) } ?? .usage
            self.init(code, refusal.message)
        case .impossible: self.init(.unavailable, refusal.message)
        case .log(let error): self.init(error, store: store)
        case .late: self.init(.tryAgain, refusal.message)
        }
    }
}

extension KernelStepCounters {
    /// The counters as a plan names them.
    var planned: [SessionPlan.StepCounter] {
        found.map { SessionPlan.StepCounter($0.device, name: $0.name) }
    }
}

extension BluetoothSensor {
    /// The straps and pedometers of this machine.
    static var machine: BluetoothSensor {
        BluetoothSensor { RadioSwitches(in: CommonOptions.radioSwitchFolder).block }
    }
}
