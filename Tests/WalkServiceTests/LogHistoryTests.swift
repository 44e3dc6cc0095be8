import Clocks
import Deciding
import EventStore
import Projections
import TestSelection
import TestSupport
import Testing

@testable import WalkService

@Suite("The log for those who look back")
struct LogHistoryTests {
    private let machine = Machine(bootID: [UInt8](repeating: 7, count: 16)) { _ in (0, "UTC") }

    /// A log of a walk in batches, which are blocks of many sizes.
    private func makeLog(_ random: inout SeededGenerator) async throws -> InMemoryEventLog {
        let log = InMemoryEventLog()
        let appender = Appender(log, machine: machine)
        var second: UInt64 = 0
        func input(_ command: Command) -> Input {
            second += 1
            return Input(
                command,
                at: Arrival(
                    bootMilliseconds: second * 1_000,
                    wallMilliseconds: 1_772_355_600_000 + Int64(second) * 1_000,
                    isWallTrusted: true))
        }
        _ = try await appender.record([input(.start())])
        for _ in 0..<40 {
            let marks = (0...random.below(60)).map { input(.mark("\($0)")) }
            _ = try await appender.record(marks)
        }
        return log
    }

    @Test(
        "tells of each position what a fold from the first event on gives",
        arguments: sample(1...6, 2))
    func states(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let log = try await makeLog(&random)
        let earlier = EarlierStates(interval: 1 + random.below(40))
        let past = LogHistory(log, nil, earlier: earlier)
        for _ in 0..<100 {
            let end = random.below(try log.next + 1)
            var expected = LogState()
            try log.fold(until: end, into: &expected)
            #expect(try past.state(until: end) == expected, "seed \(seed), end \(end)")
        }
        #expect(past.keptStates > 2)
    }

    @Test("ends as soon as whoever reads has gone")
    func gone() async throws {
        var random = SeededGenerator(seed: 1)
        let log = try await makeLog(&random)
        let reading = Task { () async throws -> Int in
            let past = LogHistory(log, nil)
            withUnsafeCurrentTask { $0?.cancel() }
            var blocks = 0
            try past.readBlocks(from: 0) { _ in
                blocks += 1
                return true
            }
            return blocks
        }
        let error = await #expect(throws: EventLogError.self) { try await reading.value }
        #expect(error?.code == .cancelled)
    }
}
