import DBus
import Synchronization
import TestSupport
import Testing

@testable import FakeStrap

@Suite("The order of steps", .timeLimit(.minutes(5)))
struct PlayerTests {
    /// Plays one part, and gives what was sent: the values and when, in ms from the first.
    private static func play(
        _ steps: [Scenario.Step], speed: Double = 1
    ) async throws -> [(value: UInt8, milliseconds: UInt64)] {
        let bus = try PrivateBus()
        let (end, mark) = AsyncStream.makeStream(of: Void.self)
        let collector = Collector(mark)
        let playback = try await Playback(
            Scenario(straps: [.heart], parts: [steps]), on: bus.address, speed: speed,
            report: collector.take)
        for await _ in end {}
        await playback.close()
        try bus.close()
        let reports = collector.sent
        let first = reports.first?.bootMilliseconds ?? 0
        return reports.map { ($0.value[0], $0.bootMilliseconds - first) }
    }

    /// What a play reports.
    private final class Collector: Sendable {
        private let state = Mutex<[Report.Sent]>([])
        private let mark: AsyncStream<Void>.Continuation

        init(_ mark: AsyncStream<Void>.Continuation) {
            self.mark = mark
        }

        var sent: [Report.Sent] { state.withLock { $0 } }

        func take(_ report: Report) {
            if case .sent(let value) = report { state.withLock { $0.append(value) } }
            if report == .ended { mark.finish() }
        }
    }

    private static func send(_ value: UInt8) -> Scenario.Step {
        .act(.notify(strap: 0, .heartRateMeasurement, [value]))
    }

    @Test("follows the marks, and branches run beside each other")
    func order() async throws {
        let sent = try await Self.play([
            .mark, Self.send(0),
            .pause(milliseconds: 30), .until(milliseconds: 20), Self.send(1),
            .until(milliseconds: 60), Self.send(2),
            .parallel([
                [.pause(milliseconds: 80), Self.send(4)],
                // Counted from the mark of the whole: 20 ms from here.
                [.until(milliseconds: 80), Self.send(3), .mark, .until(milliseconds: 5)],
                [],
            ]),
            // The mark of a branch is its own: 160 from the begin, 20 from here.
            .until(milliseconds: 160), Self.send(5),
            .mark, .until(milliseconds: 10), Self.send(6),
        ])
        #expect(sent.map(\.value) == [0, 1, 2, 3, 4, 5, 6])
        // Never early; a clock that counts whole milliseconds may make it one less.
        for (entry, due) in zip(sent, [0, 30, 60, 80, 140, 160, 170] as [UInt64]) {
            #expect(entry.milliseconds + 2 >= due, "\(entry)")
        }
    }

    @Test("runs at the speed of the play, also without any branches")
    func speed() async throws {
        let sent = try await Self.play(
            [
                Self.send(0), .pause(milliseconds: 3_600_000), .parallel([]),
                .until(milliseconds: 7_200_000), Self.send(1),
            ], speed: 100_000)
        #expect(sent.map(\.value) == [0, 1])
        #expect(sent[1].milliseconds + 2 >= 72)
    }
}
