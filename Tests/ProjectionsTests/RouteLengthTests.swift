import Events
import Projections
import TestSupport
import Testing

@Suite("The length and climb of a way with noise")
struct RouteLengthTests {
    /// Errors in metres that keep a part of themselves each second, near enough normal.
    private struct Wander {
        var random: SeededGenerator
        let error: Double
        let memory: Double
        var value = 0.0

        mutating func next() -> Double {
            let sum = (0..<12).reduce(0.0) { sum, _ in sum + Double(random.below(1_000)) }
            let fresh = (sum - 5_994) / 1_000
            value = memory * value + error * (1 - memory * memory).squareRoot() * fresh
            return value
        }
    }

    /// North and east in metres at a second.
    private typealias Place = @Sendable (Double) -> (Double, Double)

    private struct Track: Sendable {
        var name: String
        var seconds = 900
        var step = 1
        var error = 6.0
        var memory = 0.98
        var speed: UInt64?
        var place: Place = north(1.4)
        var height: @Sendable (Double) -> Double? = { _ in nil }

        func tape(_ seed: UInt64, noise: Bool = true) throws -> Tape {
            var tape = try Tape.walking()
            var errors = (0..<3).map {
                Wander(random: SeededGenerator(seed: seed * 3 + $0), error: error, memory: memory)
            }
            for second in stride(from: 0, to: seconds, by: step) {
                let off = noise ? errors.indices.map { errors[$0].next() } : [0, 0, 0]
                let (north, east) = place(Double(second))
                tape.fix(
                    at: (Int64((north + off[0]) * 89.93), Int64((east + off[1]) * 89.93) + 7),
                    altitude: height(Double(second)).map { Int64(($0 + off[2]) * 1_000) },
                    speed: speed)
                tape.wait(UInt64(step) * 1_000)
            }
            try tape.command(.end(.requested))
            return tape
        }
    }

    private static func north(_ speed: Double) -> Place { { (speed * $0, 0) } }

    private static let stand: Place = { _ in (0, 0) }
    private static let saw: Place = { (1.4 * $0, $0.isOdd ? 12 : 0) }
    private static let circle: Place = {
        (4 * (0.35 * $0).cosine, 4 * (0.35 * $0 - Double.pi / 2).cosine)
    }
    private static let corners: Place = {
        let (leg, rest) = (1.4 * $0).quotientAndRest(100)
        let north = 100 * ((leg + 1) / 2).rounded(.down) + (leg.isOdd ? 0 : rest)
        return (north, 100 * (leg / 2).rounded(.down) + (leg.isOdd ? rest : 0))
    }
    private static let switchbacks: Place = {
        let (leg, rest) = (1.4 * $0).quotientAndRest(84)
        return (leg.isOdd ? 84 - rest : rest, leg * 5)
    }

    private static let ways: [(ClosedRange<Double>, Track)] = [
        (0...100, Track(name: "table", seconds: 3_600, place: stand)),
        (0...20, Track(name: "table and speed", seconds: 3_600, speed: 100, place: stand)),
        (45...63, Track(name: "saw", seconds: 39, error: 0, place: saw)),
        (1_197...1_323, Track(name: "straight")),
        (1_191...1_316, Track(name: "sparse", step: 10)),
        (1_134...1_386, Track(name: "far", seconds: 901, step: 30, error: 12, memory: 0)),
        (306...400, Track(name: "slow", place: north(0.4))),
        (1_197...1_323, Track(name: "corners", error: 3, place: corners)),
        (1_070...1_449, Track(name: "switchbacks", place: switchbacks)),
        (385...425, Track(name: "slow and speed", speed: 450, place: north(0.45))),
        (1_197...1_323, Track(name: "circle and speed", speed: 1_400, place: circle)),
        (1_197...1_323, Track(name: "no speed", speed: 0)),
        (1_134...1_386, Track(name: "fivefold speed", speed: 7_000)),
    ]

    @Test("is as long as the way was, whatever the noise", arguments: ways.indices)
    func length(_ index: Int) throws {
        let (metres, track) = Self.ways[index]
        let lengths = try (1...20).map { seed in
            Double(try track.tape(seed).session.distanceMillimetres ?? 0) / 1_000
        }
        let misses = lengths.count { !metres.contains($0) }
        #expect(misses <= 1, "\(track.name): \(lengths)")
    }

    @Test("a flat hour climbs less than 15 m, and hills are as high as they are")
    func climbs() throws {
        let hills: @Sendable (Double) -> Double? = {
            100 - abs($0.quotientAndRest(900).1 / 4.5 - 100)
        }
        let tracks: [(ClosedRange<Double>, Track)] = [
            (0...15, Track(name: "flat", error: 5, memory: 0.97, height: { _ in 510 })),
            (270...330, Track(name: "300 m", error: 5, height: { $0 / 12 })),
            (360...440, Track(name: "100 m", error: 3, height: hills)),
            (36...41, Track(name: "10 m", error: 0.2, memory: 0, height: { hills($0)! / 10 })),
        ]
        for (metres, var track) in tracks {
            track.seconds = 3_600
            let climbs = try (1...10).map { seed in
                Double(try track.tape(seed).session.route.ascentMillimetres) / 1_000
            }
            #expect(climbs.count { !metres.contains($0) } <= 1, "\(track.name): \(climbs)")
        }
    }

    @Test(
        "is known after 18 s, all at a pause, also with a slow clock or beside a pod that begins",
        arguments: [(0, -1), (200_000, -1), (0, 150), (200_000, 150)])
    func latency(late: Int64, pod: Int64) throws {
        var tape = try Tape.walking()
        for second: Int64 in 0...300 {
            tape.fix(at: (second * 126, 7), fixedAt: tape.wallMilliseconds - late)
            if second == pod { tape.count(0, distance: 0) }
            tape.wait(1_000)
            let known = tape.session.route.distanceMillimetres + 1_401 * 18
            #expect(known >= 1_401 * UInt64(second), "\(second): \(known)")
        }
        try tape.command(.pause)
        #expect((412_000...425_000).contains(tape.session.route.distanceMillimetres))
        #expect(tape.session.distanceMillimetres == tape.session.route.distanceMillimetres)
        // What was held back is none that was sprinted.
        let fastest = try #require(try tape.series().fastestSplit(of: 20_000, by: .position))
        #expect(fastest.split.activeMilliseconds >= 12_500)
    }

    @Test("a state amid a way is the same once written and read")
    func canonical() throws {
        var tape = try Tape.walking()
        var north = Wander(random: SeededGenerator(seed: 1), error: 6, memory: 0.9)
        for second: Int64 in 0..<400 {
            let place = Int64(north.next() * 90) + (second < 200 ? second * 126 : 25_200)
            tape.fix(
                at: (place, 7), altitude: 500_000 + place, speed: second % 3 == 0 ? 1_400 : nil)
            tape.wait(1_000)
            let bytes = tape.state.canonicalBytes()
            #expect(try LogState(canonicalBytes: bytes.span) == tape.state, "\(second)")
        }
    }
}

extension Double {
    fileprivate func quotientAndRest(_ divisor: Double) -> (Double, Double) {
        ((self / divisor).rounded(.down), truncatingRemainder(dividingBy: divisor))
    }

    fileprivate var isOdd: Bool { truncatingRemainder(dividingBy: 2) == 1 }

    /// By its series, after turns.
    fileprivate var cosine: Double {
        let angle = remainder(dividingBy: 2 * .pi)
        return (1...10).reversed().reduce(1.0) { sum, term in
            1 - angle * angle / Double(2 * term * (2 * term - 1)) * sum
        }
    }
}
