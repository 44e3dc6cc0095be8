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
    private let runtime: Runtime
    private let hub = SceneHub()
    /// Whether the recorder that started at a position plays or makes up its values.
    private let simulation = Mutex<(start: Position, isSimulated: Bool)?>(nil)

    /// Makes a follower; it shows nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - appender: Folds what is appended; everything that the log holds is folded.
    ///   - log: The log that it reads.
    ///   - machine: Whose boot now is of.
    ///   - isRecorderAlive: Whether a recorder runs on this log.
    ///   - runtime: What it runs on.
    public init(
        _ appender: Appender, log: any EventLog, machine: Machine,
        isRecorderAlive: @escaping @Sendable () -> Bool, runtime: Runtime = .machine
    ) {
        self.appender = appender
        self.log = log
        self.machine = machine
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
        while !Task.isCancelled {
            if hub.hasFronts { await appender.tellAgain() }
            await pause()
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

    /// Asks the log once for each recorder.
    private func isSimulated(_ recorder: RecorderState) -> Bool {
        guard let start = recorder.startedPosition else { return false }
        return simulation.withLock { simulation in
            if let known = simulation, known.start == start { return known.isSimulated }
            do throws(EventLogError) {
                let isSimulated = try log.isSimulated(recorder)
                simulation = (start, isSimulated)
                return isSimulated
            } catch {
                return false  // Who follows the log is told why it cannot be read.
            }
        }
    }

    private func publish(_ state: LogState, _ events: [RecordedEvent]) {
        let isRecorderAlive = isRecorderAlive()
        // Beside a dead recorder the state is as the next event will tell it.
        let state = isRecorderAlive ? state : state.withoutRecorder()
        let moment = runtime.now().moment(
            bootNumber: state.live.recorder.bootNumber(for: machine.bootID))
        let hasCentral = isRecorderAlive && !isSimulated(state.live.recorder)
        var scene = Scene(
            phase: nil, state: state, session: state.live.sessions.open?.position, moment: moment,
            strap: StrapStatus(
                state, at: moment, hasCentral ? CentralAttempts(state) : nil,
                isRecorderAlive: isRecorderAlive))
        scene.events = events
        hub.publish(scene)
    }
}
