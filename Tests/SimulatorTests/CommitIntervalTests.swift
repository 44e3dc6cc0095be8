import Clocks
import Deciding
import EventStore
import Events
import Projections
import Synchronization
import TestSupport
import Testing

@testable import Recording
@testable import SimulatorModel

@Suite("Commits that are grouped, in virtual time")
struct CommitIntervalTests {
    /// An intake on a timeline, and when everything that it took was committed.
    private final class Intake: Sendable {
        let timeline: Timeline
        let queue: BoundedQueue<WaitingInput>
        let log = InMemoryEventLog()
        private let told = Mutex<[(at: UInt64, events: [RecordedEvent])]>([])
        private let appender: Appender
        private let booted: UInt64 = 50_000
        /// What the wall clock shows at the beginning of the timeline.
        private let wall: Int64

        init(
            seed: UInt64, intervalMilliseconds: UInt64?, capacity: Int = 60_000,
            wall: Int64 = 1_772_355_600_000
        ) {
            timeline = Timeline(seed: seed)
            queue = BoundedQueue(capacity: capacity)
            self.wall = wall
            let machine = Machine(bootID: [UInt8](repeating: 7, count: 16)) { _ in (0, "UTC") }
            appender = Appender(log, machine: machine)
            let runtime = Runtime(
                now: { [timeline, booted] in
                    Arrival(
                        bootMilliseconds: booted + timeline.now,
                        wallMilliseconds: wall + Int64(timeline.now), isWallTrusted: true)
                },
                sleep: { [timeline] duration in
                    let (seconds, attoseconds) = duration.components
                    let rest = UInt64(attoseconds / 1_000_000_000_000_000)
                    await timeline.sleep(milliseconds: UInt64(seconds) * 1_000 + rest)
                    try Task.checkCancellation()
                }, executor: timeline)
            let intake = LogIntake(
                appender, log: log, queue: queue, intervalMilliseconds: intervalMilliseconds,
                on: runtime)
            Task(executorPreference: timeline) { @concurrent [self] in
                await appender.observe { [self] _, events in
                    told.withLock { $0.append((timeline.now, events)) }
                }
                do throws(EventLogError) {
                    try await intake.run { _, _ in }
                } catch {
                    Issue.record("\(error)")
                }
            }
            #expect(timeline.settle())
        }

        /// Lets time pass, and everything that comes of it.
        func pass(to time: UInt64) {
            while let next = timeline.nextWake, next <= time {
                timeline.advance(to: next)
                #expect(timeline.settle())
            }
            timeline.advance(to: time)
            #expect(timeline.settle())
        }

        /// Something arrives now.
        func arrive(_ command: Command, answer: (@Sendable (Outcome?) -> Void)? = nil) {
            let arrival = Arrival(
                bootMilliseconds: booted + timeline.now,
                wallMilliseconds: wall + Int64(timeline.now), isWallTrusted: true)
            let input = Input(command, at: arrival)
            let waiting = WaitingInput(input: input, answer: answer)
            if input.priority == .always { queue.insist(waiting) } else { queue.put(waiting) }
            #expect(timeline.settle())
        }

        /// Everything that was committed: when, and when it had arrived.
        var commits: [(at: UInt64, events: [RecordedEvent])] { told.withLock { $0 } }

        /// How long each reading has waited, in the order of the log.
        var waits: [UInt64] {
            commits.flatMap { commit in
                commit.events.filter { $0.event.kind == .characteristicNotified }.map {
                    commit.at - ($0.header.stamp.bootMilliseconds - booted)
                }
            }
        }
    }

    private static let strap = DeviceID(address: 0xC4_0000_0000_01, space: .random)

    private static func reading(_ number: Int) -> Command {
        .record(
            .characteristicNotified(
                CharacteristicNotified(
                    device: strap,
                    value: [1, UInt8(truncatingIfNeeded: number), UInt8(number >> 8 & 255)])))
    }

    @Test("commits each reading at once without an interval")
    func none() {
        let intake = Intake(seed: 1, intervalMilliseconds: nil)
        for number in 0..<20 {
            intake.pass(to: UInt64(number) * 1_000)
            intake.arrive(Self.reading(number))
        }
        #expect(intake.commits.count == 20 && intake.waits == [UInt64](repeating: 0, count: 20))
        intake.queue.finish()
        #expect(intake.timeline.settle())
    }

    @Test("commits all that came within the interval together, when it is over")
    func grouped() {
        let intake = Intake(seed: 1, intervalMilliseconds: 5_000)
        for number in 0..<20 {
            intake.pass(to: UInt64(number) * 1_000)
            intake.arrive(Self.reading(number))
        }
        #expect(intake.commits.map(\.at) == [5_000, 10_000, 15_000])
        intake.pass(to: 30_000)
        #expect(intake.commits.map(\.at) == [5_000, 10_000, 15_000, 20_000])
        #expect(intake.waits == (0..<20).map { 5_000 - UInt64($0 % 5) * 1_000 })
        intake.queue.finish()
        #expect(intake.timeline.settle())
    }

    /// What does not wait, by name.
    private static let urgentInputs: [(String, Command)] = [
        ("start", .start()), ("pause", .pause), ("end", .end()), ("mark", .mark("here")),
        ("link", .record(.linkUp(LinkUp(device: strap, attempt: 1)))),
        ("stop", .stopRecorder(.requested)),
    ]

    @Test(
        "commits what a person does at once, after the readings before it",
        arguments: urgentInputs)
    func urgent(_ name: String, _ command: Command) throws {
        let intake = Intake(seed: 1, intervalMilliseconds: 60_000)
        intake.arrive(.start())
        for number in 0..<3 {
            intake.pass(to: 1_000 + UInt64(number) * 1_000)
            intake.arrive(Self.reading(number))
        }
        #expect(intake.waits.isEmpty)
        intake.pass(to: 3_500)
        intake.arrive(command)
        #expect(intake.waits == [2_500, 1_500, 500])
        #expect(intake.commits.last?.at == 3_500)
        intake.queue.finish()
        #expect(intake.timeline.settle())
    }

    @Test("answers at once who asks, and takes what waits when it ends")
    func answer() throws {
        let intake = Intake(seed: 1, intervalMilliseconds: 60_000)
        let answers = Mutex<[Outcome?]>([])
        intake.arrive(Self.reading(0))
        intake.arrive(Self.reading(1)) { outcome in answers.withLock { $0.append(outcome) } }
        #expect(answers.withLock { $0.count } == 1 && intake.waits == [0, 0])
        intake.arrive(Self.reading(2))
        #expect(intake.waits.count == 2)
        intake.queue.finish()
        #expect(intake.timeline.settle())
        #expect(intake.waits == [0, 0, 0])
        #expect(intake.timeline.nextWake == nil, "nobody waits for an alarm any more")
    }

    @Test("commits at once when a day begins, and when half of the room is taken")
    func boundaries() {
        // 2026-03-01 23:59:58 UTC.
        let late = Intake(seed: 1, intervalMilliseconds: 60_000, wall: 1_772_409_598_000)
        for number in 0..<4 {
            late.pass(to: UInt64(number) * 1_000)
            late.arrive(Self.reading(number))
        }
        #expect(late.waits == [2_000, 1_000, 0], "the third is the first of a day")
        let full = Intake(seed: 1, intervalMilliseconds: 60_000, capacity: 10)
        for number in 0..<29 { full.arrive(Self.reading(number)) }
        #expect(full.waits.count == 25)
        #expect(full.commits.count == 5)
        for intake in [late, full] {
            intake.queue.finish()
            #expect(intake.timeline.settle())
        }
    }

    @Test(
        "loses to a kill at most what came within the interval, however it comes",
        arguments: 0..<30 as Range<UInt64>)
    func bound(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let interval = [100, 1_000, 5_000, 60_000][Int(generator.below(4))] as UInt64
        let intake = Intake(seed: seed, intervalMilliseconds: interval)
        var now: UInt64 = 0
        var arrivals: [UInt64] = []
        var urgentCount = 0
        for number in 0..<400 {
            now += generator.below(generator.chance(10) ? 2 * interval : 1_500)
            intake.pass(to: now)
            let cut = now - min(now, interval)
            let durable = values(try intake.log.events(in: 0..<intake.log.next))
            #expect(
                arrivals.count { $0 < cut } <= durable, "seed \(seed): killed at \(now) ms")
            if generator.chance(3) {
                intake.arrive(.mark("here"))
                urgentCount += 1
            } else {
                arrivals.append(now)
                intake.arrive(Self.reading(number))
            }
        }
        #expect(intake.waits.allSatisfy { $0 <= interval }, "seed \(seed)")
        #expect(
            intake.commits.count <= urgentCount + Int(now / interval) + 1,
            "seed \(seed): commits are grouped")
        intake.queue.finish()
        #expect(intake.timeline.settle())
        #expect(intake.waits.count == arrivals.count)
    }

    private func values(_ events: [RecordedEvent]) -> Int {
        events.count { $0.event.kind == .characteristicNotified }
    }

    @Test("keeps every promise with each interval", arguments: [100, 5_000, 60_000] as [UInt64])
    func promises(interval: UInt64) {
        for seed in 0..<4 as Range<UInt64> {
            var history = History(seed: seed, hours: 24)
            for index in history.acts.indices {
                guard case .record(var start) = history.acts[index].act else { continue }
                start.commitIntervalMilliseconds = interval
                history.acts[index].act = .record(start)
            }
            let world = World(seed: seed)
            #expect(world.play(history)?.description == nil, "seed \(seed)")
        }
    }
}
