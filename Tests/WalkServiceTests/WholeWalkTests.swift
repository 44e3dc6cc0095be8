import Clocks
import Deciding
import EventStore
import Events
import Projections
import Recording
import Synchronization
import Testing
import WalkService

@Suite("A walk through the service alone", .timeLimit(.minutes(5)))
struct WholeWalkTests {
    @Test("begins, is recorded, marked, paused, resumed and finished, and every front sees it")
    func wholeWalk() async throws {
        let walker = FakeWalker()
        let machine = Machine(bootID: [UInt8](repeating: 7, count: 16)) { _ in (0, "UTC") }
        let service = try await WalkService(
            MemoryStore(), machine: machine,
            equip: { Equipment(SessionPlan(begins: $0), [walker]) })
        let running = Task { try await service.run() }
        let (asker, onlooker) = (await Front(service), await Front(service))

        try await service.perform(
            .start(Goal(kind: .steps, target: 3_000), outAndBack: false), within: nil)
        for bpm in [90, 91, 92] as [UInt8] { try await walker.send(bpm) }
        await onlooker.see { $0.report?.heartRate.samples == 3 }
        #expect(await asker.ask(.mark("the bridge")) == nil)
        #expect(await asker.ask(.pause) == nil)
        // A refusal goes back to its asker, and nobody else is told.
        #expect(await asker.ask(.pause) == Refusal(.alreadyPaused).description)
        await onlooker.see { $0.report?.state == .paused }
        #expect(await onlooker.ask(.resume) == nil)
        #expect(await onlooker.ask(.end()) == nil)
        for front in [asker, onlooker] {
            await front.see { $0.report?.state == .ended && $0.report?.marks == 1 }
            #expect(!front.news.contains(.said(Refusal(.alreadyPaused).description)))
        }
        running.cancel()
        try await running.value
        let kinds = try service.log.events(in: 0..<service.log.next).map(\.event.kind)
        let walk: [EventKind] = [
            .sessionStarted, .characteristicNotified, .characteristicNotified,
            .characteristicNotified, .sessionMarked, .sessionPaused, .sessionResumed, .sessionEnded,
        ]
        #expect(kinds.filter(walk.contains) == walk)
    }
}

/// The smallest front: what it asks for and what it is shown go through the service alone.
private final class Front {
    private let service: WalkService
    private let feed: SceneFeed
    /// All that it was told.
    private(set) var news: [Scene.News] = []

    init(_ service: WalkService) async {
        self.service = service
        feed = await service.views()
    }

    /// Asks for something.
    ///
    /// - Returns: Why it was refused; nil if it was not.
    func ask(_ command: Command) async -> String? {
        do throws(WalkRefusal) {
            try await service.perform(.ask(.command(command)), within: nil)
            return nil
        } catch {
            return error.message
        }
    }

    /// Waits until it is shown something.
    func see(_ isAwaited: (Scene) -> Bool) async {
        for await _ in feed.wakes {
            guard let scene = feed.take() else { continue }
            news += scene.news
            if isAwaited(scene) { return }
        }
        Issue.record("it was never shown")
    }
}

/// Somebody who walks, with a strap.
private final class FakeWalker: Sensor {
    private let inboxes = AsyncStream.makeStream(of: Inbox.self)
    private let inbox = Mutex<Inbox?>(nil)

    func want(_ wish: SensorWish) {}

    func run(into inbox: Inbox) async {
        inboxes.continuation.yield(inbox)
        for await _ in AsyncStream.makeStream(of: Never.self).stream {}
    }

    /// Sends a heart rate, to whoever records.
    func send(_ bpm: UInt8) async throws {
        if inbox.withLock({ $0 }) == nil {
            for await each in inboxes.stream {
                inbox.withLock { $0 = each }
                break
            }
        }
        let strap = DeviceID(address: 0xC4_0000_0000_01, space: .random)
        let value = CharacteristicNotified(device: strap, value: [0x00, bpm])
        inbox.withLock { $0 }?.put(
            Arrived(.read(.record(.characteristicNotified(value))), at: .now()))
    }
}

/// A store in memory, at which nobody else is.
private final class MemoryStore: WalkStore {
    private let isRecording = Atomic(false)
    let walks: any EventLog = InMemoryEventLog()
    var savedWalks: (any SnapshotStore)? { nil }
    var isRecorderAlive: Bool { isRecording.load(ordering: .relaxed) }
    var awaitedWriter: String? { nil }

    func lockRecorder() throws(WalkRefusal) -> (@Sendable () -> Void)? {
        isRecording.store(true, ordering: .relaxed)
        return { [self] in isRecording.store(false, ordering: .relaxed) }
    }

    func seal(_ appender: Appender) async -> String? { nil }
}
