internal import Clocks
internal import EventStoreLMDB
internal import Interchange
internal import Projections
internal import Recording
internal import Sensors
internal import Text

extension Store {
    /// Takes the lock of the one recorder.
    ///
    /// - Parameter commitIntervalMilliseconds: For how long that one keeps readings before it
    ///   commits them; nil if for no time at all.
    /// - Returns: The lock, which is held until it is released.
    /// - Throws: ``CommandFailure`` if another process records, or the lock's file cannot be made.
    func lockRecorder(
        commitIntervalMilliseconds: UInt64?
    ) throws(CommandFailure) -> RecorderLock {
        do throws(RecorderLockError) {
            return try takeRecorderLock(commitIntervalMilliseconds)
        } catch {
            let code: CommandFailure.Code =
                if case .held = error.code { .tryAgain } else { .cannotCreate }
            throw CommandFailure(code, "\(directory): \(error.description)")
        }
    }

    private func takeRecorderLock(
        _ commitIntervalMilliseconds: UInt64? = nil
    ) throws(RecorderLockError) -> RecorderLock {
        try log.lockRecorder(
            startText: TimeText.utc(Arrival.now().wallMilliseconds),
            commitIntervalMilliseconds: commitIntervalMilliseconds)
    }

    /// A recorder from the world, for whoever sets up a walk in a browser.
    ///
    /// - Parameter begins: When its session begins.
    /// - Returns: The recorder; nil if another process records.
    /// - Throws: `HostRefusal` if it cannot be made.
    func heldRecorder(
        _ begins: SessionPlan.Beginning
    ) async throws(HostRefusal) -> RecorderHost.Held? {
        let lock: RecorderLock
        do throws(RecorderLockError) {
            lock = try takeRecorderLock()
        } catch {
            if case .held = error.code { return nil }
            throw HostRefusal("notPossible", error.description)
        }
        do throws(CommandFailure) {
            return RecorderHost.Held(try await recorder(begins)) { lock.release() }
        } catch {
            lock.release()
            throw HostRefusal("notPossible", error.message)
        }
    }

    private func recorder(
        _ begins: SessionPlan.Beginning
    ) async throws(CommandFailure) -> Recorder {
        let counters = KernelStepCounters(in: CommonOptions.stepCounterFolder)
        let plan = SessionPlan(
            begins: begins, isWatched: true, counters: counters.planned,
            programVersion: Version.text)
        let sensors: [(any Sensor)?] = [
            BluetoothSensor.machine, StepCounterWatch(counters),
            PositionOption.sensor(nil, isLive: true),
        ]
        let appender = try await appender(isRecorder: true, isSimulated: false)
        return Recorder(
            appender, log: log, plan: plan, machine: try Machine.this(),
            sensors: sensors.compactMap { $0 }, seal: sealing(appender))
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
