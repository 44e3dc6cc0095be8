import BluetoothCentral
import Clocks
import EventStore
import Events
import Projections
import Synchronization
import Testing

@testable import Recording

@Suite("A host of recorders", .timeLimit(.minutes(5)))
struct RecorderHostTests {
    /// A host whose seconds take 5 ms, before a log in memory.
    private final class Bench: Sendable {
        let log = InMemoryEventLog()
        /// What shows the log while a host runs.
        private let follower = Mutex<LogFollower?>(nil)
        /// Milliseconds since the beginning.
        let time = Mutex<UInt64>(0)
        /// How many recorders were made, and how many have left.
        let opened = Atomic(0)
        let left = Atomic(0)
        /// Whether another process records.
        let isTaken = Atomic(false)
        private let isRecording = Atomic(false)

        var now: UInt64 { time.withLock { $0 } }

        func pass(seconds: UInt64) { time.withLock { $0 += seconds * 1_000 } }

        private var runtime: Runtime {
            Runtime(
                now: { [self] in arrival(after: now) },
                sleep: { _ in try await Task.sleep(for: .milliseconds(5)) }, executor: nil)
        }

        private func held(
            _ begins: SessionPlan.Beginning
        ) async throws(HostRefusal) -> RecorderHost.Held? {
            guard !isTaken.load(ordering: .relaxed) else { return nil }
            let appender = Appender(log, machine: machine)
            do throws(EventLogError) {
                try await appender.catchUp()
            } catch {
                throw HostRefusal("notPossible", "\(error)")
            }
            opened.add(1, ordering: .relaxed)
            isRecording.store(true, ordering: .relaxed)
            let recorder = Recorder(
                appender, log: log,
                plan: SessionPlan(source: .simulation, begins: begins), machine: machine,
                sensors: [], runtime: runtime)
            return RecorderHost.Held(recorder) { [self] in
                isRecording.store(false, ordering: .relaxed)
                left.add(1, ordering: .relaxed)
            }
        }

        /// Lets a host run while `body` does.
        func hosting(_ body: (RecorderHost) async throws -> Void) async throws {
            let appender = Appender(log, machine: machine)
            let follower = LogFollower(
                appender, log: log, machine: machine,
                isRecorderAlive: { [self] in isRecording.load(ordering: .relaxed) },
                runtime: runtime)
            self.follower.withLock { $0 = follower }
            let host = RecorderHost(follower, runtime: runtime) {
                [self] begins throws(HostRefusal) in try await held(begins)
            }
            let following = Task { try await follower.run() }
            let hosting = Task { await host.run() }
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await body(host))
            } catch {
                outcome = .failure(error)
            }
            hosting.cancel()
            await hosting.value
            following.cancel()
            try await following.value
            #expect(left.load(ordering: .relaxed) == opened.load(ordering: .relaxed))
            try outcome.get()
        }

        /// Waits for a scene.
        func scene(where isAwaited: (Scene) -> Bool) async {
            guard let follower = follower.withLock({ $0 }) else { return }
            let feed = await follower.subscribe()
            defer { follower.unsubscribe(feed) }
            for await _ in feed.wakes {
                if let scene = feed.take(), isAwaited(scene) { return }
            }
            Issue.record("no such scene came")
        }

        var kinds: [EventKind] {
            get throws { try log.events(in: 0..<log.next).map(\.event.kind) }
        }
    }

    @Test("has one recorder for all who set up, and leaves when nobody does any more")
    func lease() async throws {
        let bench = Bench()
        try await bench.hosting { host in
            await bench.scene { $0.phase == nil && !$0.isRecording }
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await host.setUp(isListing: true) } }
            }
            await bench.scene { $0.phase == .settingUp && $0.range != nil }
            bench.pass(seconds: 29)
            try await host.setUp(isListing: false)
            bench.pass(seconds: 29)
            await bench.scene { $0.phase == .settingUp }
            bench.pass(seconds: 2)
            await bench.scene { $0.phase == nil && !$0.isRecording }
            #expect(bench.opened.load(ordering: .relaxed) == 1)
            #expect(try bench.kinds.last == .recorderStopped)
        }
        #expect(try !bench.kinds.contains(.sessionStarted))
    }

    @Test("begins a session, keeps it however long, and begins another after its end")
    func sessions() async throws {
        let bench = Bench()
        try await bench.hosting { host in
            let goal = Goal(kind: .steps, target: 3_000)
            let first = try await host.begin(goal, outAndBack: true)
            await #expect(throws: HostRefusal("refused", Refusal(.sessionOpen).description)) {
                try await host.begin(Goal(), outAndBack: false)
            }
            bench.pass(seconds: 3_600)
            await bench.scene { scene in
                guard let report = scene.report else { return false }
                return report.goal == goal && report.elapsedMilliseconds >= 3_600_000
            }
            // Somebody ends it, in whatever process: the next one waits for the recorder to leave.
            let other = Appender(bench.log, machine: machine)
            try await other.catchUp()
            _ = try await other.record([Input(.end(), at: arrival(after: bench.now))])
            await bench.scene { $0.state.live.sessions.open == nil }
            let second = try await host.begin(Goal(), outAndBack: false)
            #expect(second.lowerBound > first.upperBound)
            #expect(bench.opened.load(ordering: .relaxed) == 2)
        }
        // The host has ended, and the walk has not.
        #expect(try bench.kinds.last == .recorderStopped)
        #expect(try bench.kinds.count { $0 == .sessionEnded } == 1)
    }

    @Test("goes on with a session that was left open only when asked to")
    func goesOn() async throws {
        let bench = Bench()
        try await bench.hosting { _ = try await $0.begin(Goal(), outAndBack: false) }
        let head = try bench.log.next
        try await bench.hosting { host in
            await bench.scene { $0.phase == nil && $0.session != nil && !$0.isRecording }
            await #expect(throws: HostRefusal.sessionOpen) {
                try await host.setUp(isListing: true)
            }
            await #expect(throws: HostRefusal.sessionOpen) {
                try await host.begin(Goal(), outAndBack: false)
            }
            #expect(try bench.log.next == head)
            try await host.goOn()
            await bench.scene { $0.session != nil && $0.phase != nil }
            await #expect(throws: HostRefusal.recording) { try await host.goOn() }
        }
        #expect(try bench.kinds.count { $0 == .sessionStarted } == 1)
    }

    @Test("leaves the log to another process that records")
    func other() async throws {
        let bench = Bench()
        bench.isTaken.store(true, ordering: .relaxed)
        try await bench.hosting { host in
            await #expect(throws: HostRefusal.otherRecorder) {
                try await host.setUp(isListing: false)
            }
            await #expect(throws: HostRefusal.otherRecorder) {
                try await host.begin(Goal(), outAndBack: false)
            }
            await #expect(throws: HostRefusal.noSession) { try await host.goOn() }
            bench.isTaken.store(false, ordering: .relaxed)
            try await host.setUp(isListing: false)
        }
        #expect(bench.opened.load(ordering: .relaxed) == 1)
    }

    @Test("refuses who asks when it has ended, and holds no recorder for them")
    func afterTheEnd() async throws {
        let bench = Bench()
        var ended: RecorderHost?
        try await bench.hosting { host in ended = host }
        let host = try #require(ended)
        let refusals = [
            await #expect(throws: HostRefusal.self) { try await host.setUp(isListing: true) },
            await #expect(throws: HostRefusal.self) {
                _ = try await host.begin(Goal(), outAndBack: false)
            },
        ]
        #expect(refusals.allSatisfy { $0?.code == HostRefusal.ended.code })
        let (left, opened) = (
            bench.left.load(ordering: .relaxed), bench.opened.load(ordering: .relaxed)
        )
        #expect(left == opened)
    }

    @Test("refuses a session that makes no sense, says why, and goes on setting up")
    func senseless() async throws {
        let bench = Bench()
        try await bench.hosting { host in
            await #expect(throws: HostRefusal.noSession) { try await host.goOn() }
            let senseless = HostRefusal("refused", Refusal(.goalWithoutTarget).description)
            await #expect(throws: senseless) {
                try await host.begin(Goal(kind: .steps), outAndBack: false)
            }
            _ = try await host.begin(Goal(), outAndBack: false)
            #expect(bench.opened.load(ordering: .relaxed) == 1)
        }
    }
}
