import Events
import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Values of a file that are dated before 1990 or after tomorrow")
struct StrayDateTests {
    /// 2026-03-03T00:00:00Z, where it is 2026-03-01.
    private static let end = nineOClock / 86_400_000 * 86_400_000 + 2 * 86_400_000

    /// A file of values at these times.
    private static func file(_ format: WalkFileFormat, _ times: [String]) -> String {
        switch format {
        case .csv:
            return "time,bpm,steps\n"
                + times.enumerated().map { "\($1),\(90 + $0 % 9),\($0)\n" }.joined()
        case .gpx:
            let points = times.map {
                "<trkpt lat=\"48\" lon=\"11\"><time>\($0)</time><extensions><hr>99</hr>"
                    + "<cad>50</cad></extensions></trkpt>"
            }
            return "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        default:
            let points = times.map {
                "<Trackpoint><Time>\($0)</Time><HeartRateBpm><Value>99</Value></HeartRateBpm>"
                    + "<Extensions><TPX><RunCadence>50</RunCadence></TPX></Extensions></Trackpoint>"
            }
            return "<TrainingCenterDatabase><Activities><Activity Sport=\"Walking\"><Lap><Track>"
                + "\(points.joined())</Track></Lap></Activity></Activities>"
                + "</TrainingCenterDatabase>"
        }
    }

    private static let good = (10...40).map { "2026-03-01T09:00:\($0)Z" }

    @Test(
        "are left out and named, whatever the format and wherever they stand; all else counts",
        arguments: [WalkFileFormat.csv, .gpx, .tcx],
        [
            ("2107-03-01T09:00:12Z", "after tomorrow by the clock of this machine"),
            ("2026-03-03T00:00:00Z", "after tomorrow by the clock of this machine"),
            ("1989-12-31T23:59:59Z", "before 1990"), ("1970-01-01T00:00:10Z", "before 1990"),
        ])
    func readers(_ format: WalkFileFormat, stray: (time: String, side: String)) {
        for places in [[0], [15], [31], [0, 15, 31]] {
            var times = Self.good
            for place in places.reversed() { times.insert(stray.time, at: place) }
            let (clean, _) = readWalks(format, Self.file(format, Self.good), until: Self.end)
            let (facts, damage) = readWalks(format, Self.file(format, times), until: Self.end)
            #expect(damage == nil && clean.leftOut.isEmpty)
            #expect(facts.timed.map(\.seconds) == clean.timed.map(\.seconds), "\(places)")
            // The rows of the table are numbered.
            if format != .csv { #expect(facts.timed == clean.timed, "\(places)") }
            let what = "values dated \(stray.side), the first \(stray.time.prefix(10))"
            #expect(facts.leftOut.map(\.what) == [what])
            #expect(facts.leftOut.map(\.count) == [UInt64(places.count)])
        }
    }

    @Test("are those beyond both ends, to the millisecond, and one kind each")
    func ends() {
        var facts = WalkFacts(until: Self.end)
        let first: Int64 = 631_152_000_000
        for moment in [.min, -1, 0, first - 1, first, nineOClock, Self.end - 1, Self.end, .max] {
            facts.add(.mark("here"), at: moment)
        }
        #expect(facts.facts.map(\.at) == [first, nineOClock, Self.end - 1])
        #expect(
            facts.leftOut.map(\.what) == [
                "values dated before 1990, the first 0001-01-01",
                "values dated after tomorrow by the clock of this machine, the first 2026-03-03",
            ])
        #expect(facts.leftOut.map(\.count) == [4, 2])
    }

    @Test("are whole walks of FIT and lists of intervals, next to which others count")
    func whole() throws {
        func walk(_ start: Int64) throws -> [UInt8] {
            var facts = WalkFacts()
            facts.add(.began, at: start)
            for second in 0..<9 as Range<Int64> {
                facts.add(.heartRate(99, rrTicks: []), at: start + second * 1_000)
            }
            facts.add(.ended, at: start + 9_000)
            return try #require(facts.walks().first).fit()
        }
        let good = try walk(nineOClock)
        let stray = try walk(nineOClock + 81 * 365 * 86_400_000)
        let clean = readWalks(.fit, good, until: Self.end).facts
        for bytes in [good + stray, stray + good, stray + good + stray] {
            let (facts, damage) = readWalks(.fit, bytes, until: Self.end)
            #expect(damage == nil && facts.timed == clean.timed)
            #expect(facts.leftOut.contains { $0.what.contains("the first 2107-") })
        }
        let list = "# 2107-03-01T09:00:00Z\n" + String(repeating: "800\n", count: 9)
        let (facts, _) = readWalks(.rr, list, until: Self.end)
        #expect(facts.facts.isEmpty && facts.leftOut.map(\.count) == [9])
    }
}
