import BluetoothCentral
import Deciding
import EventStore
import Events
import Projections
import Synchronization
import TestSupport
import Testing

@testable import Recording
@testable import WalkService

@Suite("The service of a store's walks", .timeLimit(.minutes(5)))
struct WalkServiceTests {
    /// A store whose seconds take 5 ms, with a log in memory.
    private final class Bench: WalkStore {
        /// What a test looks at and sets.
        struct State {
            var service: WalkService?
            /// Since the beginning.
            var milliseconds: UInt64 = 0
            /// For how long it was to sleep, each time.
            var pauses: [Duration] = []
            /// How many recorders were made, and how many have left.
            var (opened, left) = (0, 0)
            /// Whether another process records.
            var isTaken = false
            /// Whether another process wants to record.
            var isRequested = false
        }

        let log = StuckLog()
        private let shared = Mutex(State())

        var state: State { shared.withLock { $0 } }

        func set(_ change: (inout State) -> Void) { shared.withLock { change(&$0) } }

        func pass(seconds: UInt64) { set { $0.milliseconds += seconds * 1_000 } }

        private var runtime: Runtime {
            Runtime(
                now: { [self] in arrival(after: state.milliseconds) },
                sleep: { [self] pause in
                    set { $0.pauses.append(pause) }
                    // A busy machine is slow: what is asked is not given up for it.
                    let isLimit = pause == WalkService.limit
                    let shortened = pause == .seconds(1) ? .milliseconds(5) : pause
                    try await Task.sleep(for: isLimit ? .seconds(600) : shortened)
                },
                executor: nil)
        }

        var walks: any EventLog { log }
        var savedWalks: (any SnapshotStore)? { nil }
        var isRecorderAlive: Bool { state.opened > state.left }
        var isRecorderRequested: Bool { state.isRequested }
        var awaitedWriter: String? { nil }

        func lockRecorder() throws(WalkRefusal) -> (@Sendable () -> Void)? {
            guard !state.isTaken else { return nil }
            set { $0.opened += 1 }
            return { [self] in set { $0.left += 1 } }
        }

        func seal(_ appender: Appender) async -> String? { nil }

        /// A service of it, as of another process.
        func makeService() async throws -> WalkService {
            try await WalkService(
                self, machine: machine, runtime: runtime,
                equip: { Equipment(SessionPlan(begins: $0), []) })
        }

        /// Lets a service run while `body` does.
        func serving(_ body: (WalkService) async throws -> Void) async throws {
            let service = try await makeService()
            set { $0.service = service }
            let running = Task { try await service.run() }
            let result = await outcome { try await body(service) }
            running.cancel()
            try await running.value
            #expect(state.left == state.opened)
            try result.get()
        }

        /// Waits for a scene.
        func scene(where isAwaited: (Scene) -> Bool) async {
            guard let service = state.service else { return }
            let feed = await service.views()
            defer { service.unsubscribe(feed) }
            for await _ in feed.wakes {
                if let scene = feed.take(), isAwaited(scene) { return }
            }
            Issue.record("no such scene came")
        }

        var kinds: [EventKind] {
            get throws { try log.events(in: 0..<log.next).map(\.event.kind) }
        }
    }

    private let bench = Bench()

    @Test("has one recorder for all who set up, and leaves when nobody does any more")
    func lease() async throws {
        try await bench.serving { service in
            await bench.scene { $0.phase == nil && !$0.isRecording }
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask { try await service.perform(.setUp(listing: .all)) }
                }
            }
            await bench.scene { $0.phase == .settingUp && $0.range != nil }
            bench.pass(seconds: 29)
            try await service.perform(.setUp())
            bench.pass(seconds: 29)
            await bench.scene { $0.phase == .settingUp }
            bench.pass(seconds: 2)
            await bench.scene { $0.phase == nil && !$0.isRecording }
            #expect(bench.state.opened == 1)
            #expect(try bench.kinds.last == .recorderStopped)
        }
        #expect(try !bench.kinds.contains(.sessionStarted))
    }

    @Test("lets time pass seldom for a recorder that waits to be worn, unless a page looks")
    func rests() async throws {
        var batch = EventBatch()
        for event in [
            Event.devicePaired(DevicePaired(device: strap, name: nil, roles: .heart)),
            .primaryChosen(PrimaryChosen(role: .heart, device: strap)),
        ] {
            let moment = arrival(after: 0).moment(bootNumber: 0)
            try batch.append(event, stamp: moment.stamp, flags: moment.flags)
        }
        _ = try await bench.log.append(batch, expecting: nil)
        let service = try await bench.makeService()
        let recorder = await service.makeRecorder(SessionPlan(begins: .wheneverWorn), [])
        let (own, page) = (await service.views(), await service.views())
        let recording = Task { await service.record(recorder) }
        while !recorder.isResting || bench.state.pauses.count < 20 {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(Set(bench.state.pauses) == [.seconds(1)])
        service.unsubscribe(page)
        while bench.state.pauses.last != .seconds(9) { try await Task.sleep(for: .milliseconds(5)) }
        recorder.note(.signalled(.interrupt))
        #expect(await recording.value == .done)
        withExtendedLifetime(own) {}
    }

    @Test("leaves at once for whoever wants to record, unless a session is open")
    func givesWay() async throws {
        try await bench.serving { service in
            try await service.perform(.setUp())
            await bench.scene { $0.phase == .settingUp }
            bench.set { $0.isRequested = true }
            await bench.scene { $0.phase == nil && !$0.isRecording }
            bench.set { $0.isRequested = false }
            try await service.perform(.start(Goal(), outAndBack: false))
            bench.set { $0.isRequested = true }
            bench.pass(seconds: 60)
            await bench.scene { $0.report.map { $0.elapsedMilliseconds >= 60_000 } ?? false }
            #expect(try bench.kinds.count { $0 == .recorderStopped } == 1)
        }
    }

    @Test("begins a session, keeps it however long, and begins another after its end")
    func sessions() async throws {
        try await bench.serving { service in
            let goal = Goal(kind: .steps, target: 3_000)
            let first = try await service.perform(.start(goal, outAndBack: true)).events
            await #expect(throws: WalkRefusal(Refusal(.sessionOpen))) {
                try await service.perform(.start(Goal(), outAndBack: false))
            }
            bench.pass(seconds: 3_600)
            await bench.scene { scene in
                guard let report = scene.report else { return false }
                return report.goal == goal && report.elapsedMilliseconds >= 3_600_000
            }
            // Somebody ends it, in another process: the next one waits for the recorder to leave.
            try await bench.makeService().perform(.ask(.command(.end())))
            await bench.scene { $0.state.own.sessions.open == nil }
            let second = try await service.perform(.start(Goal(), outAndBack: false)).events
            #expect(second.lowerBound > first.upperBound)
            #expect(bench.state.opened == 2)
        }
        // The service has ended, and the walk has not.
        #expect(try bench.kinds.last == .recorderStopped)
        #expect(try bench.kinds.count { $0 == .sessionEnded } == 1)
    }

    @Test("goes on with a session that was left open only when asked to")
    func goesOn() async throws {
        try await bench.serving { try await $0.perform(.start(Goal(), outAndBack: false)) }
        let head = try bench.log.next
        try await bench.serving { service in
            await bench.scene { $0.phase == nil && $0.session != nil && !$0.isRecording }
            await #expect(throws: WalkRefusal.sessionOpen) {
                try await service.perform(.setUp(listing: .all))
            }
            await #expect(throws: WalkRefusal.sessionOpen) {
                try await service.perform(.start(Goal(), outAndBack: false))
            }
            #expect(try bench.log.next == head)
            try await service.perform(.continueLeftOpen)
            await bench.scene { $0.session != nil && $0.phase != nil }
            await #expect(throws: WalkRefusal.recording) {
                try await service.perform(.continueLeftOpen)
            }
        }
        #expect(try bench.kinds.count { $0 == .sessionStarted } == 1)
    }

    @Test("leaves the log to another process that records")
    func other() async throws {
        bench.set { $0.isTaken = true }
        try await bench.serving { service in
            await #expect(throws: WalkRefusal.otherRecorder(nil)) {
                try await service.perform(.setUp())
            }
            await #expect(throws: WalkRefusal.otherRecorder(nil)) {
                try await service.perform(.start(Goal(), outAndBack: false))
            }
            await #expect(throws: WalkRefusal.noSession) {
                try await service.perform(.continueLeftOpen)
            }
            bench.set { $0.isTaken = false }
            try await service.perform(.setUp())
        }
        #expect(bench.state.opened == 1)
    }

    @Test("refuses who asks when it has ended, and holds no recorder for them")
    func afterTheEnd() async throws {
        var ended: WalkService?
        try await bench.serving { ended = $0 }
        let service = try #require(ended)
        let refusals = [
            await #expect(throws: WalkRefusal.self) {
                try await service.perform(.setUp(listing: .all))
            },
            await #expect(throws: WalkRefusal.self) {
                try await service.perform(.start(Goal(), outAndBack: false))
            },
        ]
        #expect(refusals.allSatisfy { $0?.code == WalkRefusal.ended.code })
        #expect(bench.state.left == bench.state.opened)
    }

    @Test("refuses a session that makes no sense, says why, and goes on setting up")
    func senseless() async throws {
        try await bench.serving { service in
            await #expect(throws: WalkRefusal.noSession) {
                try await service.perform(.continueLeftOpen)
            }
            let senseless = WalkRefusal(Refusal(.goalWithoutTarget))
            await #expect(throws: senseless) {
                try await service.perform(.start(Goal(kind: .steps), outAndBack: false))
            }
            try await service.perform(.start(Goal(), outAndBack: false))
            #expect(bench.state.opened == 1)
        }
    }

    @Test("tells who asked that it makes no sense, and nobody else")
    func identity() async throws {
        try await bench.serving { service in
            try await service.perform(.start(Goal(), outAndBack: false))
            let feed = await service.views()
            defer { service.unsubscribe(feed) }
            let other = try await bench.makeService()
            for front in [service, other] {
                try await front.perform(.ask(.command(.pause)))
                await #expect(throws: WalkRefusal(Refusal(.alreadyPaused))) {
                    try await service.perform(.ask(.command(.pause)))
                }
                await #expect(throws: WalkRefusal(Refusal(.alreadyPaused))) {
                    try await other.perform(.ask(.command(.pause)))
                }
                try await service.perform(.ask(.command(.resume)))
            }
            await bench.scene { $0.state.head == (try? bench.log.next - 1) }
            #expect(feed.take()?.news.isEmpty == true)
        }
        #expect(try bench.kinds.count { $0 == .sessionPaused } == 2)
    }

    @Test("answers in time whatever the log does, and ends all the same", arguments: [false, true])
    func stuck(isRecording: Bool) async throws {
        try await bench.serving { service in
            try await service.perform(.start(Goal(), outAndBack: false))
            bench.log.getStuck()
            let front = isRecording ? service : try await bench.makeService()
            for command: Command in [.pause, .mark("here"), .refresh()] {
                await #expect(throws: WalkRefusal.late) {
                    try await front.perform(.ask(.command(command)), within: .milliseconds(50))
                }
            }
            // What is shown, and what was, needs no append.
            #expect(try await service.scene().state.own.sessions.open != nil)
            let bounds = try await service.history { () throws(EventLogError) in
                try bench.log.next
            }
            #expect(bounds == (try bench.log.next))
            bench.log.letGo()
            // The recorder keeps what it was asked for; of whoever does not record it is dropped.
            if !isRecording { try await front.perform(.ask(.command(.pause))) }
            await bench.scene { $0.report?.state == .paused }
        }
    }

    @Test("reads nothing for somebody who has gone")
    func gone() async throws {
        let service = try await bench.makeService()
        let reading = Task { () async throws -> Bool in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await service.history { () throws(EventLogError) in true }
        }
        await #expect(throws: EventLogError.self) { try await reading.value }
    }
}
