import Testing

@testable import Clocks

@Suite("An arrival's two clocks")
struct ArrivalTests {
    @Test("does not flicker, wherever in a millisecond the clocks differ")
    func steady() {
        for offset in stride(from: Int64(-1_500_000), through: 1_500_000, by: 50_000) {
            var pair = ClockPair()
            var differences: Set<Int64> = []
            for index in 0..<1_000 {
                // Read one after the other, the clocks are some 100 microseconds off at times.
                let jitter = Int64(index * 7_919 % 200_000) - 100_000
                let arrival = pair.arrival(
                    boot: 5_000_000_000 + Int64(index) * 999_983, wallMinusBoot: offset + jitter)
                differences.insert(
                    arrival.wallMilliseconds - Int64(arrival.bootMilliseconds))
            }
            #expect(differences.count == 1, "\(offset)")
            let nanoseconds = (differences.first ?? 0) * 1_000_000 - offset
            #expect(nanoseconds.magnitude <= 600_000, "\(offset)")
        }
    }

    @Test(
        "rounds the difference, also before 1970",
        arguments: [
            (1_499_999, 1), (1_500_000, 2), (-1_499_999, -1), (-1_500_001, -2), (0, 0),
        ] as [(Int64, Int64)])
    func rounds(nanoseconds: Int64, milliseconds: Int64) {
        var pair = ClockPair()
        let arrival = pair.arrival(boot: 1_999_999, wallMinusBoot: nanoseconds)
        #expect(arrival.bootMilliseconds == 1)
        #expect(arrival.wallMilliseconds == 1 + milliseconds)
    }

    @Test("follows a clock that is set or slewed, by whole milliseconds")
    func follows() {
        var pair = ClockPair()
        _ = pair.arrival(boot: 0, wallMinusBoot: 0)
        #expect(pair.arrival(boot: 0, wallMinusBoot: 999_999).wallMilliseconds == 0)
        #expect(pair.arrival(boot: 0, wallMinusBoot: 1_000_000).wallMilliseconds == 1)
        #expect(pair.arrival(boot: 0, wallMinusBoot: 1_000_001).wallMilliseconds == 1)
        #expect(
            pair.arrival(boot: 0, wallMinusBoot: -7_200_000_000_000).wallMilliseconds == -7_200_000)
    }

    @Test("holds for the clocks of this machine")
    func real() {
        let differences = (0..<200_000).map { _ in
            let arrival = Arrival.now()
            return arrival.wallMilliseconds - Int64(arrival.bootMilliseconds)
        }
        let flips = zip(differences, differences.dropFirst()).count { $0 != $1 }
        // The kernel may slew the wall clock meanwhile, but only slowly.
        #expect(flips <= 2)
    }
}
