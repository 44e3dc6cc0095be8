import BluetoothCentral
import Deciding
import EventStore
import Events
import Recording
import Synchronization
import WalkService

/// A process that records: the real service and its recorder on the simulated machine, with a front
/// that looks and asks.
final class RecorderProcess {
    let number: Int
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
    private let madeAt: UInt64
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

    private let store: SimulatedStore
    private let running = Mutex<(service: WalkService, recorder: Recorder)?>(nil)
    private let scenes = Mutex<[Scene]>([])
    private let acknowledged = Mutex<[Range<Position>]>([])
    private let end = Mutex<Recorder.End?>(nil)

    init(
        _ number: Int, _ plan: SessionPlan, _ computer: Computer, _ disk: Disk,
        _ timeline: Timeline, frontPauseMilliseconds: UInt64
    ) {
        (self.number, self.plan) = (number, plan)
        self.frontPauseMilliseconds = frontPauseMilliseconds
        madeAt = timeline.now
        nextTick = timeline.now + 1_000
        store = SimulatedStore(disk, of: number, on: computer, timeline)
    }

    var log: StoredLog { store.log }

    /// The recorder; nil before the log was folded.
    var recorder: Recorder? { running.withLock { $0?.recorder } }

    /// Begins to record; a front takes the scenes, and may be slow.
    func start(_ timeline: Timeline) {
        Task(executorPreference: timeline) { @concurrent [self] in
            let service: WalkService
            do throws(EventLogError) {
                service = try await store.service()
            } catch {
                end.withLock { $0 = .logFailed(error) }
                return
            }
            let recorder = await service.makeRecorder(plan, [sensor])
            running.withLock { $0 = (service, recorder) }
            let looking = look(at: await service.views(), timeline)
            let result = await recorder.run()
            // It still takes what waits.
            looking.cancel()
            // It ends with a snapshot of all that it knows, as a command does.
            store.keep(await service.folded)
            end.withLock { $0 = result }
        }
    }

    private func look(at feed: SceneFeed, _ timeline: Timeline) -> Task<Void, Never> {
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

    /// When its session, or the waiting for it, is to end by itself; nil for never, or before it
    /// began.
    var plannedEnd: UInt64? {
        let start = plan.begins == .withHeartRate ? madeAt : beganAt
        guard let start, let duration = plan.durationMilliseconds else { return nil }
        return start + duration
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

    /// Asks for something, as the keys of a terminal do, or a page that somebody leaves.
    func ask(_ request: Request, _ timeline: Timeline, leavingAfter leave: UInt64? = nil) {
        guard let service = running.withLock({ $0?.service }) else { return }
        let asking = Task(executorPreference: timeline) { @concurrent [self] in
            do throws(WalkRefusal) {
                let reply = try await service.perform(.ask(request), within: nil)
                acknowledged.withLock { $0.append(reply.events) }
            } catch {
                return  // It made no sense, or the log failed: nothing was promised.
            }
        }
        guard let leave else { return }
        Task(executorPreference: timeline) { @concurrent in
            await timeline.wait(milliseconds: leave)
            asking.cancel()
        }
    }

    /// The events that it was told are durable, since this was taken last.
    func takeAcknowledged() -> [Range<Position>] {
        acknowledged.withLock { acknowledged in
            defer { acknowledged = [] }
            return acknowledged
        }
    }

    /// What it still does is seen by nobody.
    func kill() { sensor.leave() }
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
