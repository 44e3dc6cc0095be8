import Clocks
import Foundation
import Projections
import Recording
import Sensors
import Synchronization
import TestSupport
import Testing

@Suite("A watched health store")
struct HealthWatchTests {
    /// An export of Apple Health with so many steps on each of the first days of March 2026.
    private func export(_ steps: [Int]) -> String {
        let records = steps.enumerated().map { day, count in
            let hour = "2026-03-0\(day + 1) 09"
            return """
                <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
                startDate="\(hour):00:00 +0000" endDate="\(hour):10:00 +0000" value="\(count)"/>
                """
        }
        return "<HealthData>" + records.joined() + "</HealthData>"
    }

    /// The totals that are read next: so many, in order of date.
    private func steps(_ count: Int, from inbox: Inbox) async -> [UInt64] {
        var steps: [UInt64] = []
        for await _ in inbox.wakes {
            let taken = inbox.take()
            #expect(taken.lost == 0, "what is told again is not lost")
            for arrived in taken.elements {
                if case .read(.news(let total, _)) = arrived.happening { steps.append(total.steps) }
            }
            if steps.count >= count { break }
        }
        return steps
    }

    /// A clock that is set by hand, and pauses that take no time worth waiting for.
    private func runtime(_ clock: Clock) -> Runtime {
        Runtime(
            now: {
                Arrival(
                    bootMilliseconds: 0, wallMilliseconds: clock.milliseconds.withLock { $0 },
                    isWallTrusted: true)
            },
            sleep: { _ in
                clock.pauses.append(())
                try await Task.sleep(for: .milliseconds(1))
            }, executor: nil)
    }

    private final class Clock: Sendable {
        let milliseconds: Mutex<Int64>
        let pauses = Heard<Void>()

        init(_ milliseconds: Int64) {
            self.milliseconds = Mutex(milliseconds)
        }
    }

    /// Some days after those of the exports.
    private let march: Int64 = 1_773_000_000_000

    @Test(
        "waits for a clock that was never set, tells each date, and then what has changed",
        .timeLimit(.minutes(5)))
    func changes() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/export.xml"
        func write(_ steps: [Int]) throws {
            try Data(export(steps).utf8).write(to: URL(filePath: path), options: .atomic)
        }
        try write([1_000, 2_000])
        let clock = Clock(5_000)
        let inbox = Inbox()
        let watch = HealthWatch(path: path, on: runtime(clock)) { _ in 0 }
        let watching = Task { await watch.run(into: inbox) }
        await clock.pauses.wait(for: 20)
        #expect(inbox.take().elements.isEmpty)
        clock.milliseconds.withLock { $0 = march }
        #expect(await steps(2, from: inbox) == [1_000, 2_000])
        try write([1_000, 2_500, 300])
        #expect(await steps(2, from: inbox) == [2_500, 300])
        watching.cancel()
        await watching.value
    }

    @Test("tells again what found no room", .timeLimit(.minutes(5)))
    func noRoom() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/export.xml"
        try Data(export([1_000, 2_000, 3_000]).utf8).write(to: URL(filePath: path))
        let inbox = Inbox(capacity: 1)
        let watch = HealthWatch(path: path, on: runtime(Clock(march))) { _ in 0 }
        let watching = Task { await watch.run(into: inbox) }
        for day: UInt64 in 1...3 { #expect(await steps(1, from: inbox) == [day * 1_000]) }
        watching.cancel()
        await watching.value
    }
}
