import BluetoothCentral
import Deciding
import EventStore
import Projections
import Recording
import Synchronization

/// A process that records: the real recorder on the simulated machine, with a front that looks.
final class RecorderProcess {
    let number: Int
    let log: StoredLog
    let recorder: Recorder
    let appender: Appender
    let sensor = SimulatedSensor()
    let plan: SessionPlan
    /// How long its front looks at each scene.
    let frontPauseMilliseconds: UInt64
    /// The central, as bluetoothd knows it.
    var central = CentralState()
    /// What the central was told that is wanted.
    var desire: CentralDesire?
    /// When it has the bus again; nil while it has it.
    var busBackAt: UInt64?
    var busFailures = 0
    /// When it ticks next.
    var nextTick: UInt64
    /// When its session began, or was open already; nil before.
    var beganAt: UInt64?
    /// Whether somebody at it wants it to end.
    var isEndWanted = false
    /// The commands elsewhere that end its session, unless they are refused.
    var endCommands: Set<Int> = []
    /// Whether it knows that another program writes while it wants to go.
    var mayGiveUp = false
    /// When it was asked to end, or began to; nil before.
    var endAskedAt: UInt64?
    /// The central's calls that bluetoothd has not answered.
    var openCalls: Set<CallID> = []
    /// The reads among them, and whether what they found was reported already.
    var reads: [(id: CallID, path: String, isReported: Bool)] = []

    private let snapshots: StoredSnapshot
    private let hub = SceneHub()
    private let scenes = Mutex<[Scene]>([])
    private let outcomes = Mutex<[Outcome]>([])
    private let end = Mutex<Recorder.End?>(nil)

    init(
        _ number: Int, _ plan: SessionPlan, _ computer: Computer, _ disk: Disk,
        _ timeline: Timeline, frontPauseMilliseconds: UInt64
    ) {
        self.number = number
        self.plan = plan
        self.frontPauseMilliseconds = frontPauseMilliseconds
        nextTick = timeline.now + 1_000
        log = StoredLog(disk, timeline, process: number)
        snapshots = disk.snapshots
        appender = Appender(log, machine: computer.machine, snapshots: snapshots)
        recorder = Recorder(
            appender, log: log, plan: plan, machine: computer.machine, sensors: [sensor],
            runtime: computer.runtime, hub: hub)
    }

    /// Begins to record; a front takes the scenes, and may be slow.
    func start(_ timeline: Timeline) {
        let feed = hub.subscribe()
        Task(executorPreference: timeline) { @concurrent [self] in
            do throws(EventLogError) {
                try await appender.catchUp()
            } catch {
                end.withLock { $0 = .logFailed(error) }
                return
            }
            let result = await recorder.run()
            hub.finish()
            // It ends with a snapshot of all that it knows, as a command does.
            snapshots.keep(await appender.folded, of: log)
            end.withLock { $0 = result }
        }
        Task(executorPreference: timeline) { @concurrent [self] in
            for await _ in feed.wakes {
                guard let scene = feed.take() else { continue }
                scenes.withLock { $0.append(scene) }
                if frontPauseMilliseconds > 0 {
                    await timeline.wait(milliseconds: frontPauseMilliseconds)
                }
            }
        }
    }

    /// When its session is to end by itself; nil for never, or before it began.
    var plannedEnd: UInt64? {
        guard let beganAt, let duration = plan.durationMilliseconds else { return nil }
        return beganAt + duration
    }

    /// How it ended; nil while it lives.
    var result: Recorder.End? { end.withLock { $0 } }

    /// What its front has seen since it was asked last.
    func takeScenes() -> [Scene] {
        scenes.withLock { scenes in
            defer { scenes = [] }
            return scenes
        }
    }

    /// Asks for something, as a front does that wants to know what becomes of it.
    func ask(_ command: Command, _ timeline: Timeline) {
        Task(executorPreference: timeline) { @concurrent [self] in
            guard let outcome = await recorder.ask(.command(command)) else { return }
            outcomes.withLock { $0.append(outcome) }
        }
    }

    /// What became of what was asked, since it was asked last.
    func takeOutcomes() -> [Outcome] {
        outcomes.withLock { outcomes in
            defer { outcomes = [] }
            return outcomes
        }
    }

    /// What it still does is seen by nobody.
    func kill() {
        sensor.leave()
    }
}

// Its variables are touched only by the thread that plays the world; the timeline runs all tasks
// there, too.
extension RecorderProcess: @unchecked Sendable {}

/// The world, as a recorder senses it.
final class SimulatedSensor: Sensor {
    private struct State {
        var wish = SensorWish()
        var inbox: Inbox?
        var leaving: CheckedContinuation<Void, Never>?
        var isLeaving = false
        var hasLeft = false
    }

    private let state = Mutex(State())

    /// What is wanted.
    var wish: SensorWish { state.withLock { $0.isLeaving ? SensorWish() : $0.wish } }
    /// Where happenings go; nil before it senses.
    var inbox: Inbox? { state.withLock { $0.inbox } }
    /// Whether it lets its devices go.
    var isLeaving: Bool { state.withLock { $0.isLeaving && !$0.hasLeft } }

    func want(_ wish: SensorWish) {
        state.withLock { $0.wish = wish }
    }

    func run(into inbox: Inbox) async {
        state.withLock { $0.inbox = inbox }
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        continuation.finish()
        state.withLock { $0.isLeaving = true }
        await withCheckedContinuation { continuation in
            let hasLeft = state.withLock { state in
                if !state.hasLeft { state.leaving = continuation }
                return state.hasLeft
            }
            if hasLeft { continuation.resume() }
        }
    }

    /// Its devices are gone.
    func leave() {
        let leaving = state.withLock { state in
            state.hasLeft = true
            defer { state.leaving = nil }
            return state.leaving
        }
        leaving?.resume()
    }
}
