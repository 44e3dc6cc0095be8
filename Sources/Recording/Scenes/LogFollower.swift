public import EventStore
internal import Events
internal import Projections
internal import Synchronization

/// Shows a log that other processes write: scenes, as a recorder gives them of its own.
public final class LogFollower: Sendable {
    private let appender: Appender
    private let log: any EventLog
    private let machine: Machine
    private let isRecorderAlive: @Sendable () -> Bool
    private let commitInterval: @Sendable () -> UInt64?
    private let runtime: Runtime
    private let hub = SceneHub()
    private let shown = Mutex(Shown())

    /// What is shown.
    private struct Shown {
        /// Whether a recorder of this process is made, runs, or leaves its devices.
        var isOwn = false
        /// Why the last one ended early, in words for people; nil if it did not.
        var failure: String?
        /// Whether the scenes are its own.
        var isRecorder = false
        /// How far the last scene had come.
        var head: Position?
    }

    /// Makes a follower; it shows nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - appender: Folds what is appended; everything that the log holds is folded.
    ///   - log: The log that it reads.
    ///   - machine: Whose boot now is of.
    ///   - isRecorderAlive: Whether a recorder runs on this log.
    ///   - commitInterval: For how many milliseconds that one keeps readings before it commits
    ///     them; nil if for no time at all.
    ///   - runtime: What it runs on.
    public init(
        _ appender: Appender, log: any EventLog, machine: Machine,
        isRecorderAlive: @escaping @Sendable () -> Bool,
        commitInterval: @escaping @Sendable () -> UInt64? = { nil }, runtime: Runtime = .machine
    ) {
        self.appender = appender
        self.log = log
        self.machine = machine
        self.commitInterval = commitInterval
        self.isRecorderAlive = isRecorderAlive
        self.runtime = runtime
    }

    /// Scenes from now on, for one front; one comes at once.
    public func subscribe() async -> SceneFeed {
        let feed = hub.subscribe()
        await appender.tellAgain()
        return feed
    }

    /// A front takes no scenes any more.
    ///
    /// - Parameter feed: What it took them from.
    public func unsubscribe(_ feed: SceneFeed) {
        hub.unsubscribe(feed)
    }

    /// Shows a recorder of this process in place of the log, until its scenes end.
    ///
    /// - Parameter feed: Its scenes.
    public func show(_ feed: SceneFeed) async {
        shown.withLock { $0.isRecorder = true }
        for await _ in feed.wakes {
            if let scene = feed.take() { publish(scene, isRecorder: true) }
        }
        shown.withLock { $0.isRecorder = false }
        await appender.tellAgain()
    }

    /// Shows a scene of whoever is shown now, unless a later one was shown already.
    private func publish(_ scene: Scene, isRecorder: Bool) {
        var scene = scene
        shown.withLock { shown in
            scene.isOwn = shown.isOwn
            if !isRecorder { scene.standstill = shown.failure }
            let head = scene.state.head
            guard shown.isRecorder == isRecorder, shown.head.map({ $0 <= head ?? 0 }) ?? true
            else { return }
            shown.head = head
            hub.publish(scene)
        }
    }

    /// Notes whether a recorder of this process is made, runs, or leaves its devices.
    ///
    /// - Parameters:
    ///   - isOwn: Whether it does.
    ///   - failure: Why the last one ended early; nil if it did not.
    func note(isOwn: Bool, failure: String? = nil) async {
        shown.withLock {
            $0.isOwn = isOwn
            $0.failure = failure
        }
        await appender.tellAgain()
    }

    /// Whether a recorder runs on this log.
    var isRecording: Bool { isRecorderAlive() }

    /// The state after the last event that was followed.
    var state: LogState {
        get async { await appender.state }
    }

    /// Follows the log until the task is cancelled, or the log cannot be read any more.
    ///
    /// A scene comes for each commit, and each second, for what is shown changes with time alone.
    /// A full disk is waited for: after a failed commit the store may not open again until there
    /// is room.
    ///
    /// - Throws: `EventLogError`.
    public func run() async throws(EventLogError) {
        await appender.observe { [self] state, events in publish(state, events) }
        do throws(EventLogError) {
            try await follow()
        } catch {
            await end()
            throw error
        }
        await end()
    }

    /// Nothing is shown any more.
    private func end() async {
        await appender.observe(nil)
        hub.finish()
    }

    private func follow() async throws(EventLogError) {
        let ticking = Task(executorPreference: runtime.executor) { @concurrent [self] in
            await tick()
        }
        defer { ticking.cancel() }
        while !Task.isCancelled {
            do throws(EventLogError) {
                try await log.waitForEvent(at: await appender.next)
                try await appender.catchUp()
            } catch {
                guard error.code == .diskFull else { throw error }
                await pause()
            }
        }
    }

    /// Shows how things stand each second, if anybody looks.
    private func tick() async {
        await runtime.eachSecond {
            if hub.hasFronts { await appender.tellAgain() }
        }
    }

    /// Waits for a second, or for the end.
    private func pause() async {
        do {
            try await runtime.sleep(.seconds(1))
        } catch {
            // Cancelled: nobody follows any more.
        }
    }

    private func publish(_ state: LogState, _ events: [RecordedEvent]) {
        guard !shown.withLock({ $0.isRecorder }) else { return }
        do throws(EventLogError) {
            var scene = Scene(try situation(state))
            scene.events = events
            publish(scene, isRecorder: false)
        } catch {
            return  // Whoever follows the log is told why it cannot be read.
        }
    }

    /// How things stand now.
    ///
    /// - Throws: `EventLogError`.
    public func situation() async throws(EventLogError) -> Situation {
        try situation(await appender.state)
    }

    private func situation(_ state: LogState) throws(EventLogError) -> Situation {
        try Situation(
            state, of: log, isRecording: isRecorderAlive(),
            commitIntervalMilliseconds: commitInterval(), machine: machine, at: runtime.now())
    }
}
