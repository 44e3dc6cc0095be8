import Clocks
import Deciding
import EventStore
import Events
import Projections
import Synchronization
import TestSupport
import Testing

@testable import Recording

/// A log that takes the first batches and then fails, as a full disk does.
private final class FailingLog: RelayingLog {
    let log = InMemoryEventLog()
    private let room: Mutex<Position>

    init(roomUntil room: Position) { self.room = Mutex(room) }

    func makeRoom() { room.withLock { $0 = .max } }

    func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        guard try next + UInt64(batch.count) <= room.withLock({ $0 }) else {
            throw EventLogError(.diskFull)
        }
        return try await log.append(batch, expecting: expected)
    }
}

private func waiting(_ number: UInt16, _ answer: Answering? = nil) -> Input {
    var input = reading(number)
    input.answer = answer
    return input
}

@Suite("What takes inputs into the log", .timeLimit(.minutes(5)))
struct LogIntakeTests {
    private let log = InMemoryEventLog()

    @Test(
        "lets others append after a slow append of its own",
        arguments: [(100, nil), (101, 20), (2_000, 400), (60_000, 500)] as [(UInt64, Int?)])
    func rest(appendMilliseconds: UInt64, restMilliseconds: Int?) async throws {
        let queue = BoundedQueue<Input>()
        let clock = Mutex<UInt64>(0)
        let rests = Mutex<[Duration]>([])
        let runtime = Runtime(
            now: {
                Arrival(
                    bootMilliseconds: clock.withLock { now in
                        defer { now += appendMilliseconds }
                        return now
                    }, wallMilliseconds: 0, isWallTrusted: true)
            }, sleep: { rest in rests.withLock { $0.append(rest) } }, executor: nil)
        let recorded = waiting(0) { _ in
            queue.put(waiting(1) { _ in queue.finish() })
        }
        queue.put(recorded)
        try await LogIntake(
            appender: Appender(log, machine: machine), log: log, queue: queue, runtime: runtime
        ).run { _, _ in }
        #expect(try values(log.all) == [value(0), value(1)])
        #expect(rests.withLock { $0 } == (restMilliseconds.map { [.milliseconds($0)] } ?? []))
    }

    @Test("records what waits when the queue ends, and makes an event of what found no room")
    func end() async throws {
        let queue = BoundedQueue<Input>(capacity: 1_000)
        for number in 0..<1_015 { queue.put(waiting(UInt16(number))) }
        queue.finish()
        try await LogIntake(appender: Appender(log, machine: machine), log: log, queue: queue)
            .run { _, _ in }
        #expect(try values(log.all) == (0..<1_000).map { value($0) })
        let lost = IntakeOverflowed(intake: .queue, lostEvents: 15)
        #expect(try log.all.last == .intakeOverflowed(lost))
    }

    @Test("records while inputs come, in their order, and folds what others append")
    func live() async throws {
        let queue = BoundedQueue<Input>()
        let (states, state) = AsyncStream.makeStream(of: LogState.self)
        let appender = Appender(log, machine: machine)
        let told = Mutex<[RecordedEvent]>([])
        await appender.observe { latest, events in
            told.withLock { $0 += events }
            state.yield(latest)
        }
        let other = Appender(log, machine: machine)
        let intake = LogIntake(appender: appender, log: log, queue: queue)
        async let recording: Void = intake.run { _, _ in }
        for number in 0..<200 {
            queue.put(waiting(UInt16(number)))
            if number == 100 {
                _ = try await other.record([Input(.start(), at: arrival(after: 100))])
            }
            await Task.yield()
        }
        for await state in states where state.own.devices[strap]?.link.values == 200 { break }
        // Nothing that comes in shows it from here on: only who watches the log sees it.
        _ = try await other.record([Input(.pause, at: arrival(after: 200))])
        for await state in states where state.own.sessions.open?.state == .paused { break }
        queue.finish()
        try await recording
        #expect(try values(log.all) == (0..<200).map { value($0) })
        // Each event was told once, and the state that was adopted is the one the log gives.
        #expect(try told.withLock { $0 } == log.events(in: 0..<log.next))
        let folded = try log.state().canonicalBytes()
        #expect(await appender.state.canonicalBytes() == folded)
    }

    @Test("waits for a full disk, decides again, and says what found no room meanwhile")
    func roomAgain() async throws {
        let log = FailingLog(roomUntil: 9)
        let queue = BoundedQueue<Input>(capacity: 5)
        let appender = Appender(log, machine: machine)
        _ = try await appender.record((0..<8).map { reading($0) })
        let told = Mutex<[Bool]>([])
        let pauses = Mutex(0)
        let patience = DiskPatience(
            attempts: 3,
            pause: {
                pauses.withLock { $0 += 1 }
                let count = pauses.withLock { $0 }
                if count == 1 { for number in 9..<19 { queue.put(waiting(UInt16(number))) } }
                guard count == 3 else { return }
                log.makeRoom()
                queue.finish()
            }, told: { isWaiting in told.withLock { $0.append(isWaiting) } })
        queue.put(waiting(8))
        try await LogIntake(appender: appender, log: log, queue: queue, patience: patience)
            .run { _, _ in }
        #expect(told.withLock { $0 } == [true, false])
        #expect(try values(log.all) == (0..<14).map { value($0) })
        let lost = IntakeOverflowed(intake: .queue, lostEvents: 5)
        #expect(try log.all.last == .intakeOverflowed(lost))
    }

    /// Whether the queue ends in the first pause, whether the first append is waited for, and how
    /// many pauses are made.
    static let patiences = [(false, true, 3), (true, true, 1), (false, false, 0)]

    @Test(
        "waits no longer than its patience, nor when it is ended, nor at first if so asked",
        arguments: patiences)
    func impatience(isEnded: Bool, isForTheFirst: Bool, count: Int) async throws {
        let log = FailingLog(roomUntil: 0)
        let queue = BoundedQueue<Input>()
        let pauses = Mutex(0)
        let told = Mutex<[Bool]>([])
        let answers = Mutex<[Outcome?]>([])
        let patience = DiskPatience(
            attempts: 3, isForTheFirst: isForTheFirst,
            pause: {
                pauses.withLock { $0 += 1 }
                if isEnded { queue.finish() }
            }, told: { isWaiting in told.withLock { $0.append(isWaiting) } })
        queue.put(waiting(0) { answer in answers.withLock { $0.append(answer) } })
        let intake = LogIntake(
            appender: Appender(log, machine: machine), log: log, queue: queue, patience: patience)
        await #expect(throws: EventLogError.self) { try await intake.run { _, _ in } }
        #expect(pauses.withLock { $0 } == count)
        #expect(told.withLock { $0 } == (count > 0 ? [true] : []))
        #expect(answers.withLock { $0 } == [nil], "who waits for an answer gets one")
    }

    @Test("ends with the log's failure; what was acknowledged stays")
    func failure() async throws {
        let log = FailingLog(roomUntil: 9)
        let queue = BoundedQueue<Input>()
        let appender = Appender(log, machine: machine)
        _ = try await appender.record((0..<8).map { reading($0) })
        queue.put(waiting(8))
        await #expect(throws: EventLogError.self) {
            try await LogIntake(appender: appender, log: log, queue: queue).run { _, _ in }
        }
        #expect(try values(log.all) == (0..<8).map { value($0) })
    }
}
