import Interchange
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("A walk as FIT")
struct FITWalkTests {
    @Test("comes back whole, however it is cut into pieces")
    func pieces() throws {
        let bytes = try #require(RandomWalk(seed: 3, seconds: 60).facts.walks().first).fit()
        let whole = readWalks(.fit, bytes).facts.facts
        for piece in [1, 2, 7, 100, bytes.count] {
            let (facts, damage) = readWalks(.fit, bytes, pieces: piece)
            #expect(damage == nil)
            #expect(facts.facts.map(\.at) == whole.map(\.at))
            #expect(facts.facts.map(\.fact) == whole.map(\.fact))
        }
        // What a file tells twice is one walk.
        let (twice, damage) = readWalks(.fit, bytes + bytes)
        #expect(damage == nil && twice.facts.count == whole.count)
        #expect(twice.leftOut.map(\.count) == [1])
    }

    @Test("of which the end is missing is damaged, and gives what is there")
    func prefixes() throws {
        let walk = try #require(RandomWalk(seed: 3, seconds: 40).facts.walks().first)
        let bytes = walk.fit()
        var most = 0
        for count in bytes.indices {
            let (facts, damage) = readWalks(.fit, Array(bytes.prefix(count)))
            #expect(damage != nil)
            let samples = facts.walks().first?.series.samples ?? []
            #expect(samples.count >= most)
            most = max(most, samples.count)
            #expect(samples.map(\.bpm) == walk.series.samples.prefix(samples.count).map(\.bpm))
        }
        #expect(most == walk.series.samples.count)
    }

    @Test(
        "with bytes that were changed is damaged, whatever they are", arguments: sample(0..<100, 10)
    )
    func changedBytes(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let walk = try #require(RandomWalk(seed: seed % 10, seconds: 40).facts.walks().first)
        for _ in 0..<20 {
            var bytes = walk.fit()
            for _ in 0...random.below(6) {
                let index = Int(random.below(UInt64(bytes.count)))
                bytes[index] ^= UInt8(1 + random.below(255))
            }
            let (facts, damage) = readWalks(.fit, bytes)
            #expect(damage != nil)
            _ = facts.walks()
        }
    }

    @Test("keeps the strap's name")
    func strap() throws {
        var facts = WalkFacts()
        facts.add(.began, at: FITCodecTests.wall)
        facts.add(.heartRate(80, rrTicks: []), at: FITCodecTests.wall + 1_000)
        facts.add(.strap("Strap 7"), at: FITCodecTests.wall + 2_000)
        facts.add(.ended, at: FITCodecTests.wall + 2_000)
        let walk = try #require(facts.walks().first)
        let (back, _) = readWalks(.fit, walk.fit())
        #expect(back.facts.map(\.fact).contains(.strap("Strap 7")))
    }
}
