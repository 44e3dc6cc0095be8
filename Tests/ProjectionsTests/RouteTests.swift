import Events
import Projections
import TestSupport
import Testing

@Suite("A session's route")
struct RouteTests {
    private func tape(_ profile: Profile = Profile()) throws -> Tape {
        var tape = Tape(rules: .plain)
        try tape.command(.setProfile(profile))
        try tape.command(.start())
        return tape
    }

    @Test("tells distances on the sphere of the Earth's mean radius")
    func distances() throws {
        // From north, east to north, east in degrees; metres by the haversine formula.
        let vectors: [(from: (Double, Double), to: (Double, Double), metres: Double)] = [
            ((0, 1), (0.001, 1), 111.195), ((0, 1), (0, 1.001), 111.195),
            ((60, 10), (60, 10.001), 55.598), ((48.85837, 2.29448), (48.85937, 2.29548), 133.103),
            ((-33.8568, 151.2153), (-33.8578, 151.2163), 144.537),
            ((0, 179.9995), (0, -179.9995), 111.195), ((89.9, 0), (89.9, 0.1), 19.407),
        ]
        for (from, to, metres) in vectors {
            for (start, end) in [(from, to), (to, from)] {
                var tape = try tape()
                tape.fix(at: e7(start))
                tape.wait(60_000)
                tape.fix(at: e7(end))
                let told = Double(tape.session.route.distanceMillimetres) / 1_000
                #expect(abs(told - metres) < 0.002, "\(from) to \(to): \(told) m")
            }
        }
    }

    private func e7(_ degrees: (Double, Double)) -> (Int64, Int64) {
        (Int64((degrees.0 * 1e7).rounded()), Int64((degrees.1 * 1e7).rounded()))
    }

    @Test("S9: walks nothing above 15 m/s, and everything below", arguments: [1_000, 200, 5_000])
    func speeds(milliseconds: UInt64) throws {
        func ride(_ millimetresPerSecond: UInt64, after rest: Int = 0) throws -> Route {
            var tape = try tape()
            for _ in 0..<rest {
                tape.fix(at: (0, 7), lasting: 1_000)
            }
            for fix in 0..<120_000 / milliseconds {
                let way = fix * milliseconds * millimetresPerSecond / 1_000
                tape.fix(at: (Int64(way * 1_000 / 11_120), 7))
                tape.wait(milliseconds)
            }
            return tape.session.route
        }
        for speed: UInt64 in [16_000, 20_000, 45_000, 300_000] {
            #expect(try ride(speed).distanceMillimetres == 0, "\(speed)")
            // Who stood still has two seconds in reserve, and those once.
            let distance = try ride(speed, after: 10).distanceMillimetres
            #expect(distance <= 30_000 * speed / (speed - 15_000) + 5 * speed, "\(speed)")
        }
        let distance = try ride(14_500).distanceMillimetres
        #expect((1_650_000...1_740_000).contains(distance))
    }

    @Test("leaves out what is too inexact, or was told before")
    func excluded() throws {
        var tape = try tape()
        tape.fix(at: (0, 7), error: 50_000, fixedAt: 1_000)
        tape.wait(1_000)
        tape.fix(at: (10_000, 7), error: 50_001, fixedAt: 2_000)
        tape.fix(at: (10_000, 7), fixedAt: 1_000)
        tape.fix(at: (0, 0))
        tape.fix(at: (0, 7))
        #expect(tape.session.route.fixes == 2)
        #expect(tape.session.route.excludedFixes == 3)
        #expect(tape.session.route.distanceMillimetres == 0)
    }

    @Test("has a break where nobody can have walked, once fixes agree there for 10 s")
    func jumps() throws {
        var tape = try tape()
        for second: Int64 in 0..<3 {
            tape.fix(at: (second * 100, 7), altitude: 10_000, lasting: 1_000)
        }
        for second: Int64 in 0...10 {
            #expect(tape.session.route.jumps == 0)
            tape.fix(at: (100_000 + second * 100, 7), altitude: 500_000)  // 1.1 km
            tape.wait(1_000)
        }
        let route = tape.session.route
        #expect(route.jumps == 1 && route.fixes == 14 && route.excludedFixes == 0)
        #expect(route.distanceMillimetres == 13_344)
        #expect(route.ascentMillimetres == 0 && route.hasHeights)
    }

    @Test("believes no outlier, however long the walker has stood still")
    func outlierAtRest() throws {
        var tape = try tape()
        for second in 0..<600 {
            tape.fix(at: second == 500 ? (450_000, 7) : (0, 7), lasting: 1_000)
        }
        #expect(tape.session.route.distanceMillimetres == 0)
        #expect(tape.session.route.jumps == 0 && tape.session.route.excludedFixes == 1)
    }

    @Test("S9: goes on by position where the pedometer stays behind at a pause")
    func pedometerLeftBehind() throws {
        var tape = try tape(Profile(heightMillimetres: 2_000))
        tape.count(0)
        tape.count(100, after: 60_000)
        try tape.pause(for: 60_000)
        for step: Int64 in 0...10 {
            tape.fix(at: (step * 1_000, 7), lasting: 10_000)
        }
        #expect(tape.session.distanceMillimetres == 83_000 + 111_200)
    }

    @Test("knows no way through a pause")
    func pause() throws {
        var tape = try tape()
        tape.fix(at: (0, 7))
        try tape.command(.pause)
        for step in 1...10 {
            tape.wait(10_000)
            tape.fix(at: (Int64(step) * 1_000, 7))
        }
        try tape.command(.resume)
        tape.fix(at: (10_000, 7))
        tape.wait(10_000)
        tape.fix(at: (11_000, 7))
        #expect(tape.session.route.fixes == 3)
        #expect(tape.session.route.distanceMillimetres == 11_120)
        #expect(tape.session.route.jumps == 0)
    }

    @Test("counts climbs of 5 m and more")
    func climbs() throws {
        var tape = try tape()
        for altitude: Int64 in [100, 104, 98, 105, 103, 108, 110, 104, 105, 90] {
            tape.fix(at: (0, 7), altitude: altitude * 1_000, lasting: 1_000)
        }
        // Down from 104 to 98, up to 110, down to 90.
        #expect(tape.session.route.ascentMillimetres == 12_000)
        #expect(tape.session.route.descentMillimetres == 26_000)
    }

    @Test("G1: tells the distance before the steps, whose length is told as well")
    func distanceByPosition() throws {
        var tape = try tape(Profile(heightMillimetres: 2_000))
        func walk(_ steps: ClosedRange<Int64>) {
            for step in steps {
                tape.wait(10_000)
                tape.fix(at: (step * 1_000, 7))
            }
        }
        walk(0...10)
        #expect(tape.session.distanceMillimetres == 111_200)
        #expect(tape.session.distanceSource == .position)
        for step in 11...20 {
            tape.count(UInt64(890 + 10 * step))
            walk(Int64(step)...Int64(step))
        }
        tape.count(1_100)
        #expect(tape.session.distanceMillimetres == 222_400)
        #expect(tape.session.distanceSource == .position)
        #expect(tape.session.way.measured[.steps] == 83_000)
        #expect(tape.session.route.distanceMillimetres == 222_400)
    }

    @Test("tells the distance where no step has a length")
    func withoutHeight() throws {
        var tape = try tape()
        tape.count(0)
        #expect(tape.session.distanceMillimetres == nil)
        for step: Int64 in 0...10 {
            tape.count(UInt64(step) * 10, after: 10_000)
            tape.fix(at: (step * 1_000, 7))
        }
        #expect(tape.session.steps == 100)
        #expect(tape.session.distanceMillimetres == 111_200)
        #expect(tape.session.distanceSource == .position)
    }

    @Test("reaches a goal of distance by position")
    func goal() throws {
        var tape = Tape(rules: .plain)
        try tape.command(.start(goal: Goal(kind: .distance, target: 100_000)))
        for step: Int64 in 0...10 {
            tape.wait(10_000)
            let fix = PositionFixed(latitudeE7: step * 1_000, longitudeE7: 7)
            tape.record(.positionFixed(fix))
        }
        #expect(tape.recorded.count { $0.event.kind == .goalReached } == 1)
        #expect(tape.session.isGoalReached)
    }

    @Test("holds whatever numbers a log has", arguments: 0..<64)
    func hostile(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var tape = try Tape.walking()
        let numbers: [Int64] = [
            0, 1, -1, 900_000_000, -900_000_000, 899_999_999, 1 << 53 - 1, 1 - 1 << 53, 5_000,
        ]
        func number() -> Int64 { numbers[Int(random.below(UInt64(numbers.count)))] }
        for _ in 0..<200 {
            tape.append(
                .positionFixed(
                    PositionFixed(
                        latitudeE7: min(max(number(), -900_000_000), 900_000_000),
                        longitudeE7: min(max(2 * number(), -1_800_000_000), 1_800_000_000),
                        altitudeMillimetres: random.below(2) == 0 ? number() : nil,
                        accuracyMillimetres: random.below(4) == 0 ? number().magnitude : nil,
                        speedMillimetresPerSecond: random.below(2) == 0 ? number().magnitude : nil,
                        fixedAtMilliseconds: random.below(2) == 0 ? number() : nil)))
            tape.wait(random.below(5) == 0 ? 1 << 40 : random.below(3_000))
        }
        let bytes = tape.state.canonicalBytes()
        #expect(try LogState(canonicalBytes: bytes.span) == tape.state)
    }
}

extension Rules {
    /// Takes fixes and heights as they come.
    static var plain: Rules {
        var rules = Rules()
        (rules.smoothWay, rules.smoothClimb) = (false, false)
        return rules
    }
}

extension Tape {
    mutating func fix(
        at place: (Int64, Int64), altitude: Int64? = nil, error: UInt64? = nil,
        speed: UInt64? = nil, fixedAt: Int64? = nil, lasting: UInt64 = 0
    ) {
        append(
            .positionFixed(
                PositionFixed(
                    north: place.0, east: place.1, height: altitude, within: error, speed: speed,
                    at: fixedAt)))
        wait(lasting)
    }
}
