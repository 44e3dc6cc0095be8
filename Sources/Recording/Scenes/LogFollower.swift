public import EventStore
internal import Events
internal import Projections

/// Shows a log that other processes write: scenes, as a recorder gives them of its own.
public final class LogFollower: Sendable {
    private let appender: Appender
    private let log: any EventLog
    private let machine: Machine
    private let isRecorderAlive: @Sendable () -> Bool
    private let runtime: Runtime
    private let hub = SceneHub()

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

    private func publish(_ state: LogState, _ events: [RecordedEvent]) {
        do throws(EventLogError) {
            var scene = Scene(try situation(state))
            scene.events = events
            hub.publish(scene)
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
            state, of: log, isRecording: isRecorderAlive(), machine: machine, at: runtime.now())
    }
}
