import Events
import Interchange
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("A walk as FIT")
struct FITWalkTests {
    private static func read(_ bytes: [UInt8], piece: Int = 4_096) -> (WalkFacts, String?) {
        let read = FITCodecTests.read(bytes, piece: piece)
        return (read.facts, read.damage)
    }

    @Test("comes back as it left", arguments: 0..<30)
    func outAndIn(_ seed: UInt64) throws {
        for walk in try RandomWalk(seed: seed, seconds: 20 + seed * 8).facts.walks() {
            let bytes = walk.fit()
            #expect(bytes == walk.fit())
            let (facts, damage) = Self.read(bytes)
            #expect(damage == nil && facts.leftOut.isEmpty)
            let walks = try facts.walks()
            let back = try #require(walks.first)
            #expect(walks.count == 1)
            try Self.compare(walk, back)
        }
    }

    private static func compare(_ walk: WalkFile, _ back: WalkFile) throws {
        let (left, right) = (walk.series, back.series)
        #expect(walk.report.startedAtMilliseconds == back.report.startedAtMilliseconds)
        #expect(walk.report.elapsedMilliseconds == back.report.elapsedMilliseconds)
        #expect(walk.report.activeMilliseconds == back.report.activeMilliseconds)
        #expect(walk.report.steps == back.report.steps)
        #expect(left.offsetMinutes == right.offsetMinutes)
        #expect(left.samples.map(\.elapsedMilliseconds) == right.samples.map(\.elapsedMilliseconds))
        #expect(left.samples.map(\.bpm) == right.samples.map(\.bpm))
        #expect(left.samples.map(\.rrTicks) == right.samples.map(\.rrTicks))
        #expect(left.points.map(\.elapsedMilliseconds) == right.points.map(\.elapsedMilliseconds))
        #expect(left.points.map(\.latitudeE7) == right.points.map(\.latitudeE7))
        #expect(left.points.map(\.longitudeE7) == right.points.map(\.longitudeE7))
        #expect(left.points.map(\.altitudeMillimetres) == right.points.map(\.altitudeMillimetres))
        #expect(left.points.map(\.isStart) == right.points.map(\.isStart))
        #expect(left.marks.map(\.elapsedMilliseconds) == right.marks.map(\.elapsedMilliseconds))
        #expect(left.marks.map(\.text) == right.marks.map(\.text))
        #expect(
            left.intervals.filter { $0.kind == .paused }
                == right.intervals.filter { $0.kind == .paused })
    }

    @Test("comes back whole, however it is cut into pieces")
    func pieces() throws {
        let bytes = try #require(try RandomWalk(seed: 3, seconds: 60).facts.walks().first).fit()
        let whole = Self.read(bytes).0.facts
        for piece in [1, 2, 7, 100, bytes.count] {
            let (facts, damage) = Self.read(bytes, piece: piece)
            #expect(damage == nil)
            #expect(facts.facts.map(\.at) == whole.map(\.at))
            #expect(facts.facts.map(\.fact) == whole.map(\.fact))
        }
        let (twice, damage) = Self.read(bytes + bytes)
        #expect(damage == nil && twice.facts.count == 2 * whole.count)
    }

    @Test("of which the end is missing is damaged, and gives what is there")
    func prefixes() throws {
        let walk = try #require(try RandomWalk(seed: 3, seconds: 40).facts.walks().first)
        let bytes = walk.fit()
        var most = 0
        for count in bytes.indices {
            let (facts, damage) = Self.read(Array(bytes.prefix(count)))
            #expect(damage != nil)
            let samples = try facts.walks().first?.series.samples ?? []
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
        let walk = try #require(try RandomWalk(seed: seed % 10, seconds: 40).facts.walks().first)
        for _ in 0..<20 {
            var bytes = walk.fit()
            for _ in 0...random.below(6) {
                let index = Int(random.below(UInt64(bytes.count)))
                bytes[index] ^= UInt8(1 + random.below(255))
            }
            let (facts, damage) = Self.read(bytes)
            #expect(damage != nil)
            _ = try facts.walks()
        }
    }

    @Test("keeps the strap's name")
    func strap() throws {
        var facts = WalkFacts()
        facts.add(.began, at: FITCodecTests.wall)
        facts.add(.heartRate(80, rrTicks: []), at: FITCodecTests.wall + 1_000)
        facts.add(.strap("Strap 7"), at: FITCodecTests.wall + 2_000)
        facts.add(.ended, at: FITCodecTests.wall + 2_000)
        let walk = try #require(try facts.walks().first)
        let (back, _) = Self.read(walk.fit())
        #expect(back.facts.map(\.fact).contains(.strap("Strap 7")))
    }
}
