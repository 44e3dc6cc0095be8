import Events
import Testing

@testable import EventStore

@Suite("Where the clock showed a time")
struct ClockSearchTests {
    /// One event each: seconds of the boot clock, and what the clock shows in seconds.
    typealias Event = (boot: UInt64, shown: Int64)

    /// Finds where a second was shown; the last of the events only tells when that is asked.
    private func positions(_ second: Int64, in events: [Event], boots: [UInt32] = []) -> [Position]
    {
        var search = ClockSearch(second * 1_000 + 999)
        for (index, event) in events.enumerated() {
            let stamp = Stamp(
                bootMilliseconds: event.boot * 1_000, wallMilliseconds: event.shown * 1_000,
                bootNumber: boots.isEmpty ? 0 : boots[index])
            if index == events.count - 1 { return search.end(at: stamp) }
            search.take(Position(index), stamp, aheadMilliseconds: 0)
        }
        return []
    }

    static let straight: [Event] = [(0, 100), (10, 110), (20, 120), (60, 160)]

    @Test(
        "a clock that goes on shows each time once",
        arguments: [
            (99, []), (100, [0]), (105, [0]), (110, [1]), (119, [1]), (120, [2]), (150, [2]),
            (500, [2]),
        ] as [(Int64, [Position])])
    func once(second: Int64, expected: [Position]) {
        #expect(positions(second, in: Self.straight) == expected)
    }

    /// From 100 to 140, then 50 s back, to 120, where it is asked at 125.
    static let setBack: [Event] = [
        (0, 100), (10, 110), (40, 140), (45, 95), (55, 105), (70, 120), (75, 125),
    ]

    @Test(
        "a clock that was set back shows times twice",
        arguments: [
            (94, []), (96, [3]), (104, [0, 3]), (110, [1, 4]), (119, [1, 4]), (122, [1, 5]),
            (130, [1]), (140, [2]), (144, [2]), (200, [5]),
        ] as [(Int64, [Position])])
    func twice(second: Int64, expected: [Position]) {
        #expect(positions(second, in: Self.setBack) == expected)
    }

    @Test("a clock that was set ahead leaves times out: the last event before them answers")
    func ahead() {
        let events: [Event] = [(0, 100), (10, 110), (20, 3_720), (30, 3_730)]
        #expect(positions(500, in: events) == [1])
    }

    @Test("over a boot nobody knows how long the clock went on")
    func boot() {
        let events: [Event] = [(0, 100), (10, 110), (500, 90), (510, 100)]
        #expect(positions(115, in: events, boots: [0, 0, 1, 1]) == [2])
        #expect(positions(105, in: events, boots: [0, 0, 1, 1]) == [0])
    }

    @Test("stamps that run back a little are one clock")
    func jitter() {
        let events: [Event] = [(0, 100), (2, 102), (1, 101), (3, 103), (4, 104)]
        #expect(positions(102, in: events) == [2])
    }
}
