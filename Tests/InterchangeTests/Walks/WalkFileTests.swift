import Events
import Interchange
import Projections
import Testing

@Suite("A walk that leaves")
struct WalkFileTests {
    /// Two points, a pause, a long silence of the strap, and two points.
    private func short() throws -> WalkFile {
        var walk = try MadeWalk()
        walk.wait(600)
        try walk.heart(90, 640)
        try walk.fix(north: 0)
        walk.wait(1_000)
        try walk.heart(91, 635, 646)
        try walk.walk(2)
        try walk.fix(north: 100)
        try walk.mark("=1+1, \"x\"")
        try walk.pause(5_000)
        walk.wait(11_000)
        try walk.fix(north: 200)
        try walk.mark("<&\u{1}")
        walk.wait(500)
        try walk.heart(92)
        try walk.fix(north: 250)
        return try walk.file()
    }

    @Test("in GPX is the track, with the heart rate that was shown; a pause begins a segment")
    func gpx() throws {
        func rate(_ bpm: Int) -> String {
            "<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>\(bpm)</gpxtpx:hr>"
                + "</gpxtpx:TrackPointExtension></extensions></trkpt>"
        }
        func place(_ name: String, _ north: String, _ time: String) -> String {
            "<\(name) lat=\"48.0000\(north)\" lon=\"-0.0000005\"><ele>520.050</ele>"
                + "<time>2026-03-01T09:00:\(time)Z</time>"
        }
        var wanted = ["<metadata><time>2026-03-01T09:00:00.000Z</time></metadata>"]
        wanted.append(place("wpt", "100", "01.600") + "<name>=1+1, &quot;x&quot;</name></wpt>")
        wanted.append(place("wpt", "200", "17.600") + "<name>&lt;&amp;\u{FFFD}</name></wpt>")
        wanted.append("<trk><name>Walk of 2026-03-01, 10:00</name><type>walking</type>")
        wanted.append("<extensions>")
        let span = "start=\"2026-03-01T09:00:00.000Z\" end=\"2026-03-01T09:00:18.100Z\""
        wanted.append(
            "<pulselog:walk xmlns:pulselog=\"urn:pulselog:walk\" sport=\"walk\" \(span)>")
        wanted.append(
            "<pulselog:pause start=\"2026-03-01T09:00:01.600Z\" end=\"2026-03-01T09:00:06.600Z\">"
                + "</pulselog:pause></pulselog:walk></extensions>")
        wanted.append("<trkseg>")
        wanted.append(place("trkpt", "000", "00.600") + rate(90))
        wanted.append(place("trkpt", "100", "01.600") + rate(91) + "</trkseg>")
        wanted.append("<trkseg>")
        wanted.append(place("trkpt", "200", "17.600") + "</trkpt>")
        wanted.append(place("trkpt", "250", "18.100") + rate(92) + "</trkseg></trk></gpx>")
        let lines = try short().bytes(.gpx).text.split(separator: "\n").map(String.init)
        #expect(Array(lines.dropFirst(2)) == wanted)
    }

    @Test("in CSV is a row a second, or a row a value; a mark is never a formula")
    func csv() throws {
        let walk = try short()
        let rows = walk.bytes(.csv).text.components("\r\n")
        #expect(rows.count == 22 && rows.last == "")
        let time = "2026-03-01T10:00:0"
        let place = "-0.0000005,520.050"
        let first = "\(time)0.000+01:00,0,,,,,,0.000,0,,no value,,,walk"
        let second = "\(time)1.000+01:00,1,90,625,48.0000000,\(place),1.250,1,,running,,,walk"
        let third =
            "\(time)2.000+01:00,2,91,620:631,48.0000100,\(place),2.000,2,,paused,"
            + "\"'=1+1, \"\"x\"\"\",,walk"
        #expect(rows[1] == first)
        #expect(rows[2] == second)
        #expect(rows[3] == third)
        #expect(rows[0].hasPrefix("time,elapsed_s,bpm,rr_ms,latitude_deg,longitude_deg,altitude"))
        let samples = walk.bytes(.csv, .samples).text.components("\r\n")
        #expect(samples.contains { $0.contains(",1.600,91,620:631,48.0000100,") })
        #expect(samples.contains { $0.contains(",17.600,,,,,,2.000,2,,no value,<&\u{1}") })
        #expect(samples.count { $0.contains(",90,") || $0.contains(",91,") } == 2)
    }

    @Test("in CSV has no rows of the hours in which nothing came")
    func longPause() throws {
        var walk = try MadeWalk()
        walk.wait(1_000)
        try walk.heart(90)
        try walk.pause(5_000_000)
        try walk.heart(91)
        let rows = try walk.file().bytes(.csv).text.components("\r\n")
        #expect(rows.count < 10 && rows.contains { $0.contains(",5001,91,") }, "\(rows)")
    }

    @Test("as intervals has one a line, and its gaps next to them")
    func intervals() throws {
        let walk = try short()
        #expect(walk.bytes(.rr).text == "625.0\n620.1\n630.9\n")
        let gaps = walk.bytes(.gaps).text.components("\r\n")
        #expect(gaps[0] == "intervals_before,elapsed_s,duration_s,reason")
        #expect(gaps[1] == "0,0.000,0.600,no value", "\(gaps)")
        #expect(gaps[2] == "3,1.600,16.500,paused; no value" && gaps[3].isEmpty, "\(gaps)")
    }

    @Test("tells every 1/1024 s from the next in its intervals")
    func resolution() throws {
        for ticks in 1...UInt16.max {
            let tenths = (UInt32(ticks) * 10_000 + 512) / 1_024
            #expect((tenths * 1_024 + 5_000) / 10_000 == UInt32(ticks))
        }
    }

    @Test("in TCX has laps that add up to it, and no track in a pause")
    func tcx() throws {
        var walk = try MadeWalk()
        for second in 0..<1_500 {
            walk.wait(1_000)
            try walk.walk(2)
            if second % 100 == 50 { try walk.pause(7_000) }
            try walk.heart(UInt8(90 + second % 50))
        }
        let file = try walk.file()
        let text = file.bytes(.tcx).text
        let tags = text.split(separator: "<" as Character)
        func values(_ name: String) -> [String] {
            tags.filter { $0.hasPrefix("\(name)>") }.map { String($0.dropFirst(name.count + 1)) }
        }
        // Of the first steps after a pause nothing says when they were made.
        #expect(values("TotalTimeSeconds") == ["505.000", "505.000", "490.000"])
        #expect(file.report.activeMilliseconds == 1_500_000 && file.series.splits.count == 3)
        #expect(values("ns3:Steps") == ["1000", "1000", "970"])
        #expect(values("Track").count == 15 + 3 && values("HeartRateBpm").count == 1_500)
        #expect(values("MaximumHeartRateBpm").count == 3)
        let energy = values("Calories").compactMap(UInt64.init).reduce(0, +)
        #expect(energy == (file.report.energyCalories + 500) / 1_000 && energy > 0)
    }

    @Test("has its laps in TCX and FIT, where it has any")
    func ownLaps() throws {
        var walk = try MadeWalk()
        for second in 1...900 {
            walk.wait(1_000)
            try walk.walk(3)
            if second == 200 || second == 500 { try walk.add(.lapMarked(LapMarked())) }
        }
        let file = try walk.file()
        let text = file.bytes(.tcx).text
        let laps = text.components("<TotalTimeSeconds>").dropFirst()
        #expect(laps.map { $0.components("</").first } == ["200.000", "300.000", "400.000"])
        #expect(text.components("<TriggerMethod>Manual<").count == 4)
        var plain = try MadeWalk()
        for _ in 1...900 {
            plain.wait(1_000)
            try plain.walk(3)
        }
        #expect(try plain.file().series.splits.count == 3)
        // As many as there are kilometres, which do not come back as laps.
        for format in [WalkFormat.fit, .tcx] {
            let kind = try #require(WalkFileFormat(rawValue: format.rawValue))
            let walks = try [file, plain.file()].map { readWalks(kind, $0.bytes(format)).0.walks() }
            #expect(walks.map { $0.map(\.series.lapEnds.count) } == [[2], [0]])
        }
    }

    @Test("in TCX has laps of whole kilometres, wherever their readings lie")
    func kilometres() throws {
        var walk = try MadeWalk()
        for _ in 0..<500 {
            walk.wait(3_333)
            try walk.walk(7)
        }
        let text = try walk.file().bytes(.tcx).text
        let laps = text.components("<TotalTimeSeconds>").dropFirst().map { lap in
            lap.components("<DistanceMeters>").dropFirst().first?.components("</").first
        }
        #expect(laps == ["1000.000", "1000.000", "1000.000", "500.000"])
    }

    @Test("comes in portions, and the same each time")
    func portions() throws {
        var walk = try MadeWalk()
        for second in 0..<3_000 {
            walk.wait(1_000)
            try walk.heart(90, 700)
            try walk.fix(north: Int64(second) * 100)
        }
        let file = try walk.file()
        for format in WalkFormat.allCases {
            var portions: [Int] = []
            file.write(format) { portions.append($0.count) }
            #expect(format == .fit || portions.allSatisfy { $0 < 66 * 1_024 }, "\(format)")
            #expect([.fit, .rr, .gaps].contains(format) || portions.count > 1, "\(format)")
            #expect(file.bytes(format) == file.bytes(format))
        }
    }

    @Test("has its name, its note and its sport where a format has a place for them")
    func keeping() throws {
        let sports: [(Sport, String, String)] = [
            (.walk, "walking", "Other"), (.hike, "hiking", "Other"), (.run, "running", "Running"),
        ]
        for (sport, gpx, tcx) in sports {
            var walk = try MadeWalk()
            try walk.heart(100)
            try walk.fix(north: 0)
            walk.wait(1_000)
            try walk.fix(north: 100)
            try walk.describe("Loop <1>", "wet & cold", sport)
            let file = try walk.file()
            let track = String(decoding: file.bytes(.gpx), as: UTF8.self)
            #expect(
                track.contains(
                    "<name>Loop &lt;1&gt;</name><desc>wet &amp; cold</desc><type>\(gpx)</type>"))
            let course = String(decoding: file.bytes(.tcx), as: UTF8.self)
            #expect(course.contains("<Activity Sport=\"\(tcx)\">"))
            #expect(course.contains("<Notes>Loop &lt;1&gt;: wet &amp; cold</Notes>"))
        }
    }

    @Test("says what a format does not hold, and which cannot hold it at all")
    func losses() throws {
        let walk = try short()
        func losses(_ format: WalkFormat, _ rows: WalkFile.Rows = .seconds) -> [String] {
            walk.losses(format, rows: rows).map { "\($0.count) \($0.what)" }
        }
        #expect(losses(.gpx) == ["3 beat interval", "2 step"])
        #expect(losses(.tcx) == ["3 beat interval", "2 mark"])
        #expect(losses(.rr) == ["3 heart rate", "4 position", "2 step", "2 mark"])
        #expect(losses(.csv).isEmpty && losses(.csv, .samples).isEmpty && losses(.json).isEmpty)
        #expect(losses(.gaps).isEmpty)
        var marked = try MadeWalk()
        try marked.mark("")
        #expect(try marked.file().losses(.csv).map(\.what) == ["mark"])
        #expect(WalkFormat.allCases.allSatisfy { walk.refusal($0) == nil })

        var still = try MadeWalk()
        for bpm in 90..<94 as Range<UInt8> {
            still.wait(250)
            try still.heart(bpm)
        }
        try still.mark("\"\u{301}")
        let indoor = try still.file()
        #expect(WalkFormat.allCases.filter { indoor.refusal($0) != nil } == [.gpx, .rr, .gaps])
        #expect(indoor.losses(.csv).map(\.count) == [3])
        #expect(indoor.bytes(.csv).text.contains("\"\"\"\u{301}\",,walk\r\n" as String))
        #expect(walk.fileName == "2026-03-01-1000-walk")

        var quick = try MadeWalk()
        for north in 0..<4 as Range<Int64> {
            quick.wait(250)
            try quick.fix(north: north * 100)
        }
        let file = try quick.file()
        try #require(file.series.points.count == 4)
        #expect(file.losses(.csv).map { "\($0.count) \($0.what)" } == ["3 position"])
        #expect(file.losses(.csv, rows: .samples).isEmpty)
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
