import Clocks
import TestSupport
import Testing

@Suite("A jittering clock")
struct JitterTests {
    /// What a clock says at each of a thousand readings, 10 ms apart.
    private func readings(seed: UInt64) -> [(steady: Arrival, read: Arrival)] {
        let steady = ManualClock()
        let clock = JitteringClock(seed: seed, mostMilliseconds: 25, of: steady.read)
        return (0..<1_000).map { _ in
            steady.advance(milliseconds: 10)
            return (steady.read(), clock.read())
        }
    }

    @Test(
        "is ahead by no more than it may, never runs back, and is never regular", arguments: 0..<8)
    func limits(_ seed: UInt64) {
        let readings = readings(seed: seed)
        for (steady, read) in readings {
            let ahead = read.bootMilliseconds - steady.bootMilliseconds
            #expect(ahead <= 25, "seed \(seed)")
            #expect(read.wallMilliseconds - steady.wallMilliseconds == Int64(ahead))
        }
        let times = readings.map(\.read.bootMilliseconds)
        #expect(times == times.sorted(), "seed \(seed)")
        let steps = Set(zip(times.dropFirst(), times).map { $0 - $1 })
        #expect(steps.count >= 20, "seed \(seed): \(steps)")
    }

    @Test("says the same for the same seed, and something else for another")
    func seeds() {
        let first = readings(seed: 1).map(\.read)
        #expect(readings(seed: 1).map(\.read) == first)
        #expect(readings(seed: 2).map(\.read) != first)
    }
}
