import Events
import TestSupport
import Testing

@testable import Projections

@Suite("The same route")
struct SameRouteTests {
    /// Walks over given places, in metres north and east of one of them, five seconds each.
    private func log(_ walks: [[(Int64, Int64)]]) throws -> (Tape, [SessionReport], WalkOutlines) {
        var tape = Tape()
        var outlines = WalkOutlines()
        for places in walks {
            let session = tape.append(.sessionStarted(SessionStarted()))
            for (north, east) in places {
                tape.append(
                    .positionFixed(
                        PositionFixed(north: 485_000_000 + north * 90, east: east * 136)))
                tape.wait(15_000)
            }
            tape.append(.sessionEnded(SessionEnded()))
            let report = try #require(tape.state.sessionReport(session, at: tape.moment))
            outlines.take(WalkOutline(report, try tape.series(of: session)))
            tape.wait(86_400_000)
        }
        return (tape, tape.state.sessionReports(at: tape.moment), outlines)
    }

    /// A loop of 3 km: a square, each side in steps of 20 m, shifted by some metres.
    private func loop(_ north: Int64 = 0, _ random: inout SeededGenerator) -> [(Int64, Int64)] {
        let sides: [(Int64, Int64)] = [(0, 1), (1, 0), (0, -1), (-1, 0)]
        var (place, places) = ((north, Int64(0)), [(Int64, Int64)]())
        for (up, right) in sides {
            for _ in 0..<38 {
                place = (place.0 + 20 * up, place.1 + 20 * right)
                let jitter = { Int64($0.below(20)) - 10 } as (inout SeededGenerator) -> Int64
                places.append((place.0 + jitter(&random), place.1 + jitter(&random)))
            }
        }
        return places
    }

    @Test(
        "is known again with the errors of a receiver, and in the other direction", arguments: 1...5
    )
    func again(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let first = loop(&random)
        let (_, walks, outlines) = try log([
            first, loop(&random), Array(loop(&random).reversed()), loop(300, &random),
            Array(first.prefix(100)), first + first.map { ($0.0 + 2_000, $0.1) },
        ])
        let route = try #require(SameRoute(walks[1], among: walks, outlines))
        #expect(route.walks.map(\.position) == walks.prefix(3).map(\.position))
        #expect(route.before.count == 1 && route.after.count == 1)
        let known = KnownRoutes(walks.reversed(), outlines).routes
        #expect(known.map { $0.walks.map(\.position) } == [walks.prefix(3).map(\.position)])
        #expect(known[0].name == nil && known[0].named.count == 3)
        for other in walks.suffix(3) {
            let found = SameRoute(other, among: walks, outlines)?.walks.map(\.position) ?? []
            #expect(!found.contains(walks[0].position))
        }
    }

    @Test("a run is on its route, and a name that is a walk's own stays")
    func named() throws {
        var random = SeededGenerator(seed: 2)
        var (tape, walks, outlines) = try log((0..<3).map { _ in loop(&random) })
        func describe(_ change: (inout SessionDescribed) -> Void) throws {
            for (walk, name) in zip(walks, ["Lake", "Park", ""]) {
                var said = SessionDescribed(session: walk.position, sessionName: name)
                change(&said)
                try tape.command(.describe(said))
            }
            walks = tape.state.sessionReports(at: tape.moment)
        }
        try describe { _ in }
        let route = try #require(KnownRoutes(walks, outlines).routes.first)
        #expect(route.name == nil && route.named.map(\.position) == [walks[2].position])
        try describe { $0.sport = OpenCode(.run) }
        #expect(KnownRoutes(walks, outlines).routes.first?.walks.count == 3)
        #expect(SameRoute(walks[1], among: walks, outlines)?.walks.count == 3)
    }

    @Test("is asked in either direction: whoever is like another is like them")
    func symmetric() throws {
        var random = SeededGenerator(seed: 9)
        let shapes = (0..<8).map { loop(Int64($0) * 20, &random) }
        let (_, walks, outlines) = try log(shapes)
        for one in walks {
            for other in walks where one.position != other.position {
                let there = outlines[one.position]?.track?
                    .isSameWay(as: try #require(outlines[other.position]?.track))
                let back = outlines[other.position]?.track?
                    .isSameWay(as: try #require(outlines[one.position]?.track))
                #expect(there == back)
            }
        }
    }

    @Test("hidden walks are none, and outlines stay small however long a walk is")
    func bounds() throws {
        var random = SeededGenerator(seed: 3)
        var (tape, walks, outlines) = try log([loop(&random), loop(&random)])
        try tape.command(.describe(SessionDescribed(session: walks[0].position, listing: .hidden)))
        walks = tape.state.sessionReports(at: tape.moment)
        #expect(SameRoute(walks[1], among: walks, outlines) == nil)
        let long = (0..<5_000).map { (Int64($0) * 20, Int64(0)) }
        outlines = try log([long]).2
        #expect(outlines.bytes().count < 4_000)
    }
}

extension SameRouteTests {
    private func loop(_ random: inout SeededGenerator) -> [(Int64, Int64)] { loop(0, &random) }
}
