import Projections
import Testing

@Suite("What counts of fixes and heights")
struct RouteTrialTests {
    @Test("begins anew at a jump at once where everything counts, as version 8 did")
    func everythingCounts() throws {
        var tape = try Tape.walking(rules: Self.implausible)
        tape.fix(at: (0, 0), altitude: -9_999_000)
        tape.wait(1_000)
        tape.fix(at: (100_000, 7), altitude: 65_535_000)  // 1.1 km
        tape.wait(1_000)
        tape.fix(at: (100_900, 7), altitude: 65_000_000)  // 10 m
        let route = tape.session.route
        #expect(route.jumps == 1 && route.fixes == 3 && route.excludedFixes == 0)
        #expect(route.distanceMillimetres == 10_008 && route.descentMillimetres == 535_000)
        #expect(tape.state.findings.total == 0)
    }

    private static var implausible: Rules {
        var rules = Rules.plain
        rules.countImplausible = true
        return rules
    }

    /// A walk north, 1.4 m and a fix each second, in which some fixes are others.
    private func walk(_ seconds: Int, strays: [Int: (Int64, Int64)]) throws -> Route {
        var tape = try Tape.walking(rules: .plain)
        for second in 0..<seconds {
            tape.fix(at: strays[second] ?? (480_000_000 + Int64(second) * 126, 110_000_000))
            tape.wait(1_000)
        }
        return tape.session.route
    }

    @Test("sets aside what agrees with no other fix, and costs no stretch by it")
    func strays() throws {
        let nowhere: (Int64, Int64) = (0, 0)
        let far: (Int64, Int64) = (484_500_000, 110_000_000)  // 50 km
        let near: (Int64, Int64) = (480_010_000, 110_020_000)  // 180 m
        let vectors: [[Int: (Int64, Int64)]] = [
            [12: nowhere], [12: nowhere, 20: nowhere, 21: nowhere], [12: far],
            [12: far, 13: far, 14: far], [12: near], [12: near, 13: near, 14: near],
            [12: far, 13: near, 14: nowhere, 15: (0, 9)],
        ]
        let whole = try walk(40, strays: [:])
        for strays in vectors {
            let route = try walk(40, strays: strays)
            #expect(route.excludedFixes == UInt64(strays.count), "\(strays)")
            #expect(route.fixes == UInt64(40 - strays.count) && route.jumps == 0, "\(strays)")
            let off = Int(route.distanceMillimetres) - Int(whole.distanceMillimetres)
            #expect(off.magnitude < 6_000, "\(strays): \(off)")
        }
    }

    @Test("sets the first fix aside until a second one agrees", arguments: [1, 2, 3])
    func first(count: Int) throws {
        let whole = try walk(40, strays: [:]).distanceMillimetres
        for stray: (Int64, Int64) in [(0, 0), (484_500_000, 110_000_000)] {
            var strays: [Int: (Int64, Int64)] = [:]
            for second in 0..<count { strays[second] = (stray.0, stray.1 * Int64(second + 1)) }
            let route = try walk(40, strays: strays)
            #expect(route.excludedFixes == UInt64(count) && route.jumps == 0)
            #expect(whole - route.distanceMillimetres < UInt64(count) * 1_401 + 5_600)
        }
    }

    @Test("takes a first fix for none while it is alone")
    func alone() throws {
        var tape = try Tape.walking(rules: .plain)
        tape.fix(at: (480_000_000, 110_000_000))
        #expect(tape.session.route.fixes == 0 && tape.session.route.excludedFixes == 1)
        tape.wait(1_000)
        tape.fix(at: (480_000_126, 110_000_000))
        #expect(tape.session.route.fixes == 2 && tape.session.route.excludedFixes == 0)
    }

    /// Eight points, 35 m and 25 s apart, that arrive so many at a time.
    private func points(by group: Int, times: (Int) -> Int64? = { Int64($0) * 25_000 }) throws
        -> Tape
    {
        var tape = try Tape.walking(rules: .plain)
        let start = tape.wallMilliseconds
        for last in stride(from: group - 1, to: 20, by: group) {
            tape.wait(UInt64(group) * 25_000)
            for index in last + 1 - group...last {
                tape.fix(
                    at: (480_000_000 + Int64(index) * 3_150, 110_000_000),
                    fixedAt: times(index).map { start + $0 })
            }
        }
        return tape
    }

    @Test("is as long by ones as by twos, fours, fives and tens", arguments: [1, 2, 4, 5, 10, 20])
    func handedOverTogether(group: Int) throws {
        let route = try points(by: group).session.route
        #expect(route.fixes == 20 && route.jumps == 0 && route.excludedFixes == 0)
        #expect(route.distanceMillimetres == 19 * 35_026)
    }

    @Test("goes by when fixes came where their own times are missing, stand still or go back")
    func ownTimes() throws {
        let odd: [(Int) -> Int64?] = [
            { _ in nil }, { Int64($0) * -25_000 + 250_000 },
            // Seven minutes ahead, at the beginning and amid; twenty years ago; now and then.
            { Int64($0) * 25_000 + ($0 < 3 ? 420_000 : 0) },
            { Int64($0) * 25_000 + ($0 == 9 ? 420_000 : 0) },
            { Int64($0) * 25_000 - ($0 < 3 ? 620_000_000_000 : 0) },
            { $0 % 3 == 0 ? nil : Int64($0) * 25_000 },
        ]
        for (index, times) in odd.enumerated() {
            let route = try points(by: 1, times: times).session.route
            #expect(route.fixes == 20 && route.excludedFixes == 0, "\(index)")
            #expect(route.distanceMillimetres == 19 * 35_026, "\(index)")
        }
        // What is told again is no fix.
        let still = try points(by: 1) { Int64($0 / 2) * 50_000 }.session.route
        #expect(still.fixes == 10 && still.excludedFixes == 10)
        #expect(still.distanceMillimetres == 9 * 70_053)
    }

    @Test("believes no way that a wrong time alone makes possible")
    func wrongTimeElsewhere() throws {
        var tape = try Tape.walking(rules: .plain)
        let start = tape.wallMilliseconds
        // A receiver's last known place, 11 km off, with a date of long ago, later one to come.
        let odd: [Int: Int64] = [0: -620_000_000_000, 3: 700_000]
        for index in 0..<6 {
            let away: Int64 = odd[index] == nil ? 0 : 1_000_000
            tape.fix(
                at: (480_000_000 + Int64(index) * 126 + away, 110_000_000),
                fixedAt: start + (odd[index] ?? 0) + Int64(index) * 1_000)
            tape.wait(1_000)
        }
        #expect(tape.session.route.distanceMillimetres < 10_000)
        #expect(tape.session.route.excludedFixes == 2 && tape.session.route.jumps == 0)
    }

    /// A walk on the level, 510 m high, in which some heights are others.
    private func heights(_ seconds: Int, _ height: (Int) -> Int64?) throws -> Tape {
        var tape = try Tape.walking(rules: .plain)
        for second in 0..<seconds {
            tape.fix(at: (Int64(second) * 126, 7), altitude: height(second).map { $0 * 1_000 })
            tape.wait(1_000)
        }
        return tape
    }

    @Test("sets heights aside where nobody stands, and climbs that nobody makes")
    func heightsSetAside() throws {
        let vectors: [(aside: UInt64, up: UInt64, down: UInt64, height: (Int) -> Int64?)] = [
            (0, 0, 0, { _ in 510 }),
            (4, 0, 0, { [6: -9_999, 7: -9_999, 12: 65_535, 13: 65_535][$0] ?? 510 }),
            (1, 0, 0, { $0 == 0 ? -9_999 : 510 }),
            (1, 0, 0, { $0 == 9 ? 2_000 : 510 }),
            // Two that agree are a new level; then the old one is.
            (2, 0, 0, { $0 == 9 || $0 == 10 ? 2_000 : 510 }),
            // A jump of 300 m, and a climb from there.
            (1, 30, 0, { $0 < 9 ? 510 : 800 + Int64(min(max($0 - 12, 0), 30)) }),
            // Everest; a cable car; the sea of the Dead Sea; what was not told in between.
            (0, 0, 0, { _ in 8_849 }), (0, 396, 0, { Int64(510 + 4 * $0) }),
            (0, 0, 0, { _ in -430 }), (0, 200, 0, { $0 < 9 ? 510 : $0 < 60 ? nil : 710 }),
            // The bounds, and a metre beyond.
            (0, 0, 0, { _ in 9_000 }), (100, 0, 0, { _ in 9_001 }),
            (0, 0, 0, { _ in -500 }), (100, 0, 0, { _ in -501 }),
            (0, 15, 15, { $0 == 9 ? 525 : 510 }), (1, 0, 0, { $0 == 9 ? 526 : 510 }),
        ]
        for (index, vector) in vectors.enumerated() {
            let tape = try heights(100, vector.height)
            let route = tape.session.route
            #expect(route.excludedHeights == vector.aside, "\(index)")
            let up = route.ascentMillimetres / 1_000
            #expect(up <= vector.up && vector.up < up + 8, "\(index): \(up)")
            #expect(route.descentMillimetres == vector.down * 1_000, "\(index)")
            let findings = tape.state.findings
            #expect(findings.total == vector.aside, "\(index)")
            #expect(findings.kept.allSatisfy { $0.code == .heightSetAside })
            #expect(route.fixes == 100 && route.excludedFixes == 0)
        }
    }
}
