import Clocks
import Deciding
import EventStore
import Events
import Projections
import Synchronization
import Testing

@Suite("Beside a dead recorder")
struct DeadRecorderTests {
    private let log = InMemoryEventLog()
    private let start = Input(
        .startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: "UTC"),
        at: arrival(after: 0))

    private var stops: [Event] {
        get throws { try log.all.filter { $0.kind == .recorderStopped } }
    }

    @Test("who appends says first, and once, that it is dead")
    func foundDead() async throws {
        _ = try await Appender(log, machine: machine).record([start, reading(1)])
        let next = try log.next
        let other = Appender(log, machine: machine, isRecorderAlive: { false })
        // The clock was set meanwhile, which is told as well.
        let late = arrival(after: 60_000, clockSetBy: 9_000)
        let date = CivilDate(wallMilliseconds: late.wallMilliseconds, zoneOffsetMinutes: 0)
        _ = try await other.record([
            Input(.legacyTotal(5, date: date, reason: "old", author: "Ann"), at: late),
            Input(.refresh(), at: late),
        ])
        let events = try log.events(in: next..<log.next).map(\.event)
        #expect(events.first == .recorderStopped(RecorderStopped(reason: .foundDead)))
        #expect(events.dropFirst().first?.kind == .clockStepped)
        #expect(try stops.count == 1)
        let link = await other.state.own.devices.strap?.link
        #expect(link?.lostAt == arrival(after: 1).bootMilliseconds)
    }

    @Test("who appends in another boot says so after the boot")
    func anotherBoot() async throws {
        _ = try await Appender(log, machine: machine).record([start, reading(1)])
        let next = try log.next
        let other = Appender(log, machine: rebooted, isRecorderAlive: { false })
        _ = try await other.record([Input(.refresh(), at: arrival(after: 90_000))])
        let kinds = try log.events(in: next..<log.next).map(\.event.kind)
        #expect(kinds.prefix(2) == [.bootBegan, .recorderStopped])
    }

    @Test("nobody is called dead who never began, lives, or has stopped")
    func notDead() async throws {
        let asked = Mutex(0)
        let alone = Appender(
            log, machine: machine,
            isRecorderAlive: {
                asked.withLock { $0 += 1 }
                return false
            })
        _ = try await alone.record([reading(1)])
        let recorder = Appender(log, machine: machine)
        _ = try await recorder.record([start])
        _ = try await Appender(log, machine: machine, isRecorderAlive: { true })
            .record([reading(2)])
        _ = try await recorder.record([Input(.stopRecorder(.signal), at: arrival(after: 3))])
        _ = try await alone.record([reading(4)])
        #expect(asked.withLock { $0 } == 0, "the log tells")
        #expect(try stops == [.recorderStopped(RecorderStopped(reason: .signal))])
    }

    @Test("a recorder that ends while it is looked for is not called dead")
    func endsMeanwhile() async throws {
        let recorder = Appender(log, machine: machine)
        _ = try await recorder.record([start, reading(1)])
        let busy = ContestedLog(log) {
            _ = try await recorder.record([Input(.stopRecorder(.signal), at: arrival(after: 3))])
        }
        _ = try await Appender(busy, machine: machine, isRecorderAlive: { false })
            .record([reading(4)])
        #expect(try stops == [.recorderStopped(RecorderStopped(reason: .signal))])
    }
}
