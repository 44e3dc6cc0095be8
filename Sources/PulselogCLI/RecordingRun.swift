internal import Glibc
internal import LookingBack
internal import Projections
internal import Recording
internal import Stores
internal import Synchronization
internal import Terminal
internal import WalkService
internal import Web
internal import Words

/// A recording from a terminal: joins the recorder with clock, signals, keys and a view.
struct RecordingRun {
    let store: Store
    let service: WalkService
    let plan: SessionPlan
    let sensors: [any Sensor]
    let output: OutputMode
    /// Where other programs send health totals, and browsers show the walk; nil for nowhere.
    let port: WebPort?
    /// Writes walks as they end, of a recorder that goes on; nil for nobody.
    let walks: FinishedWalks?
    /// The walker's commands.
    let commands: [WalkHooks.Occasion: String]

    /// Records until the session has ended, then shows its totals.
    ///
    /// - Throws: ``CommandFailure`` if the log fails, or the session cannot begin.
    func run() async throws {
        var sensors = sensors
        if let port {
            let isService = [Output.standard, .standardError].contains { $0.journal != nil }
            sensors.append(WebPortSensor(port: port, isService: isService))
        }
        let recorder = await service.makeRecorder(plan, sensors)
        let feed = await service.views()
        // Before anything is printed: a script may signal us as soon as it reads the first line.
        let began = ContinuousClock.now
        let world = RecordingWorld(recorder)
        defer { world.stop() }
        var view = output.view(
            storeDirectory: store.directory, pageAddress: port?.pageAddress)
        view.listen { [service] request in
            do throws(WalkRefusal) {
                try await service.perform(.ask(request), within: nil)
                return nil
            } catch {
                return error.message
            }
        }
        let sentences = RecordingSentences(recorder)
        let following = Task { [walks] in
            await ExportToOptions.follow(walks, telling: sentences.say)
        }
        defer { following.cancel() }
        var hooks = WalkHooks(commands, in: store.directory, say: sentences.say)
        let publisher = WalkPublisher(service, say: sentences.say)
        let recording = Task { @concurrent in await service.record(recorder) }
        var last: Scene?
        for await _ in feed.wakes {
            guard let scene = feed.take() else { continue }
            view.show(scene)
            hooks?.take(scene)
            publisher?.take(scene)
            last = scene
        }
        // Before a signal can end the process at once.
        view.release()
        world.recordingEnded()
        let unwritten = await view.finish(last.flatMap { $0.isWhole ? $0 : nil })
        following.cancel()
        await following.value
        if hooks != nil { await WalkHooks.settle() }
        await publisher?.settle()
        sentences.tellLate()
        switch await recording.value {
        case .done:
            let limit = plan.durationMilliseconds.map { Duration.milliseconds($0) }
            if last?.session == nil, let limit, ContinuousClock.now - began >= limit {
                throw CommandFailure(
                    .unavailable, "No heart rate with contact came within the time of --for.")
            }
        case .refused(let refusal): throw CommandFailure(.usage, refusal.description)
        case .logFailed(let error): throw CommandFailure(error, store: store.directory)
        }
        if let unwritten { throw CommandFailure(.inputOutput, unwritten) }
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

/// What is said beside a recording: as one of its sentences, or after its end.
private final class RecordingSentences: Sendable {
    private let recorder: Recorder
    private let late = Mutex<[String]>([])

    init(_ recorder: Recorder) {
        self.recorder = recorder
    }

    @Sendable
    func say(_ sentence: String) {
        if recorder.isEnding {
            late.withLock { $0.append(sentence) }
        } else {
            recorder.note(.said(sentence))
        }
    }

    /// Says what the recording could not take.
    func tellLate() {
        late.withLock { $0 }.forEach(Output.standardError.say)
    }
}

/// The signals of a recording.
private struct RecordingWorld {
    private final class Flags: Sendable {
        /// Whether a signal has asked for the end.
        let isSignalled = Atomic(false)
        /// Whether the recording is over: signals are no longer handled.
        let isOver = Atomic(false)
    }

    private let flags = Flags()
    private let interruption: Interruption

    /// Takes over the signals that end a process, except those that the parent process wanted
    /// ignored.
    ///
    /// - Parameter recorder: Is told of them.
    init(_ recorder: Recorder) {
        // In the background of a terminal a recording continues; using it would stop the process.
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
        interruption.stop()
    }
}
