import Interchange
import Projections
import Testing

@Suite("The cadence of a walk")
struct CadenceTests {
    /// A track of ten minutes, with a point a second that tells a cadence.
    private static func gpx(_ creator: String, _ cadence: (Int) -> Int) -> String {
        let points = (0...600).map { second in
            let (minute, rest) = (second / 60, second % 60)
            let time = "\(minute < 10 ? "0" : "")\(minute):\(rest < 10 ? "0" : "")\(rest)"
            return """
                <trkpt lat="48" lon="11"><time>2026-03-01T09:\(time)Z</time><extensions>
                <cad>\(cadence(second))</cad></extensions></trkpt>
                """
        }
        return """
            <gpx creator="\(creator)"><trk><type>running</type><trkseg>\(points.joined())</trkseg>
            </trk></gpx>
            """
    }

    @Test(
        "is one of a foot, and one of both in OpenTracks and where no foot is so fast",
        arguments: [
            ("x", 55, 1_100), ("x", 110, 2_200), ("x", 160, 1_600), ("OpenTracks", 110, 1_100),
            ("OpenTracks", 0, 0),
        ] as [(String, Int, UInt64)])
    func feet(_ creator: String, _ cadence: Int, steps: UInt64) throws {
        let (facts, damage) = readWalks(.gpx, Self.gpx(creator) { _ in cadence })
        let report = try #require(sessions(facts).first)
        #expect(damage == nil && report.steps == steps)
    }

    @Test("is one of a foot by its mean while there is one, not by single points")
    func mean() throws {
        let odd = readWalks(.gpx, Self.gpx("x") { $0 % 10 == 0 ? 200 : 60 }).facts
        #expect(try #require(sessions(odd).first).steps == 1_480)
        let halting = readWalks(.gpx, Self.gpx("x") { $0 % 2 == 0 ? 160 : 0 }).facts
        #expect(try #require(sessions(halting).first).steps == 800)
    }

    @Test(
        "of FIT is one of a foot where no sport is named, and of no foot where it is unknown",
        arguments: [(nil, 20), (11, 20), (200, 0), (2, 0)] as [(UInt8?, UInt64)])
    func withoutSport(_ sport: UInt8?, steps: UInt64) throws {
        let file = FITMaker { fit in
            if let sport { fit.add(12, [(0, .byte(sport))]) }
            for second in Int64(0)...12 { fit.record(second, [(3, .byte(100)), (4, .byte(50))]) }
        }
        #expect(sessions(readWalks(.fit, file.bytes).facts).map(\.steps) == [steps])
    }
}
