internal import Synchronization

/// Scenes for one front, which may be slow: the newest scene waits, with all events and sentences
/// since the one that was taken before, as far as there is room.
package final class SceneFeed: Sendable {
    /// The most events and the most sentences that wait.
    package static let limit = 10_000

    private let waiting = Mutex<Scene?>(nil)
    private let wake: AsyncStream<Void>.Continuation

    /// Yields when there is a scene to take, and ends after the last one; for one consumer.
    package let wakes: AsyncStream<Void>

    init() {
        // One waiting wake-up stands for all scenes that came since.
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes the newest scene; nil if none has come since.
    package func take() -> Scene? {
        waiting.withLock { scene in
            defer { scene = nil }
            return scene
        }
    }

    /// Puts a scene in place of the one that waits; never waits.
    func put(_ scene: Scene) {
        waiting.withLock { waiting in
            guard var before = waiting else { return waiting = scene }
            // The lists grow in place: a front that has stopped costs little.
            waiting = nil
            var next = scene
            (next.events, before.events) = (before.events, [])
            (next.news, before.news) = (before.news, [])
            next.events += scene.events
            next.news += scene.news
            let excess = (
                max(0, next.events.count - Self.limit), max(0, next.news.count - Self.limit)
            )
            next.events.removeFirst(excess.0)
            next.news.removeFirst(excess.1)
            next.omitted += before.omitted + UInt64(excess.0 + excess.1)
            waiting = next
        }
        wake.yield()
    }

    /// No more scenes will come.
    func finish() {
        wake.finish()
    }
}

/// Hands scenes to any number of fronts.
package final class SceneHub: Sendable {
    private struct Audience {
        var feeds: [SceneFeed] = []
        /// Whether a recorder of this process is made, runs, or leaves its devices.
        var isOwn = false
        /// The phone that has started the last walk; nil for none.
        var startedBy: String?
        /// Why the last one ended early, in words for people; nil if it did not.
        var failure: String?
        /// The last scene, for whoever comes next.
        var last: Scene?
        /// Ends when somebody begins to look, or the recording comes to another phase.
        var rest: Task<Void, Never>?
        /// Whether no more scenes will come.
        var isFinished = false
    }

    private let audience = Mutex(Audience())

    /// Makes a hub without fronts.
    package init() {}

    /// Notes whether a recorder of this process is made, runs, or leaves its devices.
    ///
    /// - Parameters:
    ///   - isOwn: Whether it does.
    ///   - failure: Why the last one ended early; nil if it did not.
    package func note(isOwn: Bool, failure: String? = nil) {
        audience.withLock { ($0.isOwn, $0.failure) = (isOwn, failure) }
    }

    /// Notes which phone starts a walk; nil for none.
    package func note(startedBy phone: String?) {
        audience.withLock { $0.startedBy = phone }
    }

    /// Scenes for one more front, from the last one on.
    package func subscribe() -> SceneFeed {
        let feed = SceneFeed()
        audience.withLock { audience in
            audience.feeds.append(feed)
            audience.rest?.cancel()
            if let last = audience.last { feed.put(last) }
            if audience.isFinished { feed.finish() }
        }
        return feed
    }

    /// A front takes no more scenes.
    package func unsubscribe(_ feed: SceneFeed) {
        audience.withLock { $0.feeds.removeAll { $0 === feed } }
    }

    /// Lets a time pass, but ends when somebody begins to look, or the recording comes to another
    /// phase.
    ///
    /// - Parameters:
    ///   - limit: The time.
    ///   - runtime: Whose time it is.
    ///   - isStill: Whether there is nothing to do yet, asked when those are noticed.
    package func rest(
        _ limit: Duration, on runtime: Runtime, while isStill: () -> Bool
    ) async {
        let rest = Task(executorPreference: runtime.executor) { @concurrent in
            _ = await runtime.pass(limit)
        }
        audience.withLock { $0.rest = rest }
        if !isStill() { rest.cancel() }
        await withTaskCancellationHandler {
            await rest.value
        } onCancel: {
            rest.cancel()
        }
    }

    /// How many look.
    package var fronts: Int { audience.withLock { $0.feeds.count } }

    /// Hands a scene to everybody.
    package func publish(_ scene: Scene) {
        audience.withLock { audience in
            var scene = scene
            (scene.isOwn, scene.startedBy) = (audience.isOwn, audience.startedBy)
            if scene.phase == nil { scene.storageProblem = audience.failure }
            for feed in audience.feeds { feed.put(scene) }
            if scene.phase != audience.last?.phase { audience.rest?.cancel() }
            audience.last = scene
            audience.last?.events = []
            audience.last?.news = []
        }
    }

    /// No more scenes will come.
    package func finish() {
        audience.withLock { audience in
            for feed in audience.feeds { feed.finish() }
            audience.isFinished = true
        }
    }
}
