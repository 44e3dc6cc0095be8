internal import Clocks
internal import Dispatch
internal import EventStore
internal import EventStoreLMDB
internal import Glibc
internal import Projections
internal import Recording
internal import Synchronization

/// A recording from a terminal: joins the recorder with clock, signals, keys and a view.
struct RecordingRun {
    let store: Store
    let plan: SessionPlan
    let sensors: [any Sensor]
    let output: OutputMode
    /// Where other programs send health totals, and browsers show the walk; nil for nowhere.
    let port: WebPort?

    /// Records until the session has ended, then shows its totals.
    ///
    /// - Throws: ``CommandFailure`` if the log fails, or the session cannot begin.
    func run() async throws(CommandFailure) {
        let appender = try await store.appender(isRecorder: true, isSimulated: plan.isSimulated)
        store.keepLater(appender)
        var sensors = sensors
        if let port {
            // What a phone reports is not made up, whatever is recorded beside it.
            let reports = plan.isSimulated ? try await store.appender() : appender
            sensors.append(WebPortSensor(port: port, appender: reports))
        }
        let recorder = Recorder(
            appender, log: store.log, plan: plan, machine: try Machine.this(), sensors: sensors,
            seal: store.sealing(appender))
        await port?.page?.host.adopt(recorder)
        let feed = recorder.subscribe()
        // Before anything is printed: a script may signal us as soon as it reads the first line.
        let world = RecordingWorld(recorder) { [store] in store.longWait?.description }
        defer { world.stop() }
        var view = output.view(storeDirectory: store.directory)
        view.listen(for: recorder)
        let recording = Task { @concurrent in await recorder.run() }
        var last: Scene?
        for await _ in feed.wakes {
            guard let scene = feed.take() else { continue }
            view.show(scene)
            last = scene
        }
        // Before a signal can end the process at once.
        view.release()
        world.recordingEnded()
        let unwritten = await view.finish(last.flatMap { $0.isWhole ? $0 : nil })
        switch await recording.value {
        case .done: break
        case .refused(let refusal): throw CommandFailure(.usage, refusal.description)
        case .logFailed(let error): throw CommandFailure(error, store: store.directory)
        }
        if let unwritten { throw unwritten }
    }
}

extension Scene {
    /// Whether everything that was recorded is durable.
    fileprivate var isWhole: Bool {
        switch phase {
        case .ended(.done), .ended(.refused): true
        default: false
        }
    }
}

/// The clock and the signals of a recording.
private struct RecordingWorld {
    private final class Flags: Sendable {
        /// Whether a signal has asked for the end.
        let isSignalled = Atomic(false)
        /// Whether the recording is over: nobody takes signals any more.
        let isOver = Atomic(false)
    }

    private let flags = Flags()
    private let timer: any DispatchSourceTimer
    private let interruption: Interruption

    /// Starts a tick each second and takes over the signals that end a process, except those that
    /// the parent process wanted ignored.
    ///
    /// - Parameters:
    ///   - recorder: Is told of them.
    ///   - awaitedWriter: Names who keeps the log from being appended to for seconds already.
    init(_ recorder: Recorder, awaitedWriter: @escaping @Sendable () -> String?) {
        let queue = DispatchQueue(label: "clock")
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler {
            // Who travels takes the zone along.
            tzset()
            recorder.note(.ticked(awaitedWriter: awaitedWriter()))
        }
        timer.activate()
        // In the background of a terminal a recording goes on; using it would stop the process.
        signal(SIGTTIN, SIG_IGN)
        signal(SIGTTOU, SIG_IGN)
        interruption = Interruption([SIGINT, SIGTERM, SIGHUP, SIGQUIT]) { [flags] number in
            if flags.isOver.load(ordering: .acquiring) {
                // What it asks for is being done; only the next one ends the process.
                signal(number, SIG_DFL)
            } else {
                flags.isSignalled.store(true, ordering: .releasing)
                recorder.note(.signalled(number == SIGINT ? .interrupt : .termination))
            }
        }
    }

    /// The log is done: from here on a second signal ends the process.
    func recordingEnded() {
        if flags.isSignalled.load(ordering: .acquiring) {
            stop()
        } else {
            flags.isOver.store(true, ordering: .releasing)
        }
    }

    /// Ends them; signals act as they do by default again.
    func stop() {
        timer.cancel()
        interruption.stop()
    }
}
