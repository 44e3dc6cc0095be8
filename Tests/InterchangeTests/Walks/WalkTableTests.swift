import Events
import Interchange
import Projections
import Testing

@Suite("A table of a walk")
struct WalkTableTests {
    private static let begun = StatedTimes(
        beganAtMilliseconds: nineOClock, offsetMinutes: { _ in 60 })

    @Test("of our own comes back", arguments: [1, 30, 10_000])
    func ours(size: Int) {
        let text = """
            time,elapsed_s,bpm,rr_ms,latitude_deg,longitude_deg,altitude_m,distance_m,steps,\
            cadence_spm,state\r
            2026-03-01T10:00:00+01:00,0,100,635:646,48,11,500.5,0,0,,walking\r
            2026-03-01T10:00:01+01:00,1,101,,,,,1.5,2,110,walking\r
            2026-03-01T10:00:02+01:00,2,90,,,,,1.5,2,,paused\r
            2026-03-01T10:01:00+01:00,60,102,"594",48.0001,11,,3,4,,walking
            """
        let (facts, damage) = readWalks(.csv, text, pieces: size)
        #expect(damage == nil && facts.offsetMinutes == 60)
        func fix(_ latitudeE7: Int64, _ second: Int64, _ altitude: Int64?) -> WalkFacts.Fact {
            .position(
                PositionFixed(
                    latitudeE7: latitudeE7, longitudeE7: 110_000_000,
                    altitudeMillimetres: altitude, fixedAtMilliseconds: nineOClock + second * 1_000)
            )
        }
        let expected: [WalkFacts.Timed] = [
            .init(0, .began), .init(0, .walked(steps: 0, distanceMillimetres: 0)),
            .init(0, fix(480_000_000, 0, 500_500)),
            .init(0, .heartRate(100, rrTicks: [650, 662])),
            .init(1, .walked(steps: 2, distanceMillimetres: 1_500)),
            .init(1, .heartRate(101, rrTicks: [])),
            .init(2, .heartRate(90, rrTicks: [])), .init(2, .paused),
            .init(60, .resumed), .init(60, .walked(steps: 4, distanceMillimetres: 3_000)),
            .init(60, fix(480_001_000, 60, nil)),
            .init(60, .heartRate(102, rrTicks: [608])), .init(60, .ended),
        ]
        #expect(facts.timed == expected)
    }

    @Test("of our own has marks as they were typed, also those of a pause")
    func marks() {
        let text = """
            time,elapsed_s,bpm,state,mark
            2026-03-01T10:00:00+01:00,0,100,running,"'=1+1, ""x""\"
            2026-03-01T10:00:01+01:00,1,,paused,'tis
            2026-03-01T10:00:02+01:00,2,90,running,
            2026-03-01T10:00:03+01:00,3,,paused,last
            """
        let (facts, _) = readWalks(.csv, text)
        #expect(facts.leftOut.isEmpty)
        let marks = facts.timed.filter { if case .sessionMarked = $0.fact { true } else { false } }
        #expect(
            marks == [
                .init(0, .mark("=1+1, \"x\"")), .init(1, .mark("'tis")), .init(3, .mark("last")),
            ])
    }

    @Test("of HRV Logger has the zone that is said, and the heart rate of its intervals")
    func logger() {
        let text = "date,rr,since start\n2026-03-01 10:00:00.500,800,0\n"
        let (none, damage) = readWalks(.csv, text)
        #expect(none.facts.isEmpty && damage?.contains("--zone") == true)
        let (facts, _) = readWalks(.csv, text, Self.begun)
        #expect(facts.timed.contains(.init(0.5, .heartRate(75, rrTicks: [819]))))
        let (newer, _) = readWalks(.csv, "timestamp, rr, since_start\n\(nineOClock), 800, 0\n")
        #expect(newer.timed.contains(.init(0, .heartRate(75, rrTicks: [819]))))
    }

    @Test("of intervals.icu begins when somebody says")
    func intervals() {
        let text = "time,watts,heartrate,hrv\n0,,100,\n1,,101,635:646\n"
        let (none, damage) = readWalks(.csv, text)
        #expect(none.facts.isEmpty && damage?.contains("--begin") == true)
        let (facts, _) = readWalks(.csv, text, Self.begun)
        #expect(facts.timed.contains(.init(1, .heartRate(101, rrTicks: [650, 662]))))
        #expect(facts.leftOut.map(\.what) == ["columns that are not known"])
    }

    private static let polar = """
        Name,Sport,Date,Start time,Duration\n"Somebody, somewhere",Walking,01-03-2026,10:00:00,1
        Sample rate,Time,HR (bpm),Speed (km/h),Pace (min/km),Cadence,Altitude (m),\
        Stride length (m),Distances (m),Temperatures (C),Power (W),
        1,00:00:00,85,,,,500,,0,,,
        1,00:00:01,86,,,,,,1.5,,,
        """

    @Test("of Polar Flow begins when its head says, in the zone that is said")
    func polarFlow() {
        let (none, damage) = readWalks(.csv, Self.polar)
        #expect(none.facts.isEmpty && damage?.contains("--zone") == true)
        let (facts, _) = readWalks(.csv, Self.polar, StatedTimes(offsetMinutes: { _ in 60 }))
        #expect(facts.timed.contains(.init(1, .heartRate(86, rrTicks: []))))
        #expect(facts.timed.contains(.init(1, .walked(steps: 0, distanceMillimetres: 1_500))))
        for begun in [Self.begun, StatedTimes(offsetMinutes: { _ in 60 })] {
            let (ride, _) = readWalks(.csv, Self.polar.replacing("Walking", with: "CYCLING"), begun)
            #expect(sessions(ride).map(\.keeping.sport.known) == [.ride])
        }
    }

    @Test(
        "may count its time in minutes, hours and days",
        arguments: [
            (["00:00", "29:59", "61:00.5"], 3_660.5), (["0:00:00", "0:00:01", "1:00:00"], 3_600),
            (["23:59:59", "24:00:00", "100:00:00"], 360_000),
        ] as [([String], Double)])
    func clocks(_ times: [String], last: Double) {
        let rows = times.map { "\($0),75\n" }.joined()
        let (facts, damage) = readWalks(.csv, "time,bpm\n" + rows, Self.begun)
        #expect(damage == nil && facts.leftOut.isEmpty && facts.timed.last?.seconds == last)
        let wrong = ["1:2", "1:60", "1:60:00", "1.5:00:00", "-1:00", ":10", "1:00:00:00", "1e3:00"]
        for time in wrong {
            let (facts, _) = readWalks(.csv, "time,bpm\n\(time),75\n", Self.begun)
            #expect(facts.facts.isEmpty && facts.leftOut.map(\.what) == ["rows without a time"])
        }
    }

    @Test("says how many cells cannot be read")
    func unreadable() {
        let row = "2026-03-01T09:00:00Z,120 bpm,46.0 N,14.5 E,\"1,000\",0 m\n"
        let (facts, damage) = readWalks(.csv, "time,hr,latitude,longitude,steps,distance\n" + row)
        #expect(damage == nil && facts.leftOut.map(\.what) == ["cells that cannot be read"])
        #expect(facts.leftOut.map(\.count) == [5])
        let zeros = readWalks(.csv, "time,hr,distance\n2026-03-01T09:00:00Z,0,0.0\n").facts
        #expect(zeros.leftOut.isEmpty)
    }

    @Test(
        "may have these heads, and times in parts of a second since 1970",
        arguments: [
            "time,Heart Rate (bpm)\n2026-03-01T09:00:00Z,75\n",
            "time,heart rate\n2026-03-01T09:00:00Z,75\n", "time,Heart_Rate\n1772355600,75\n",
            "time,seconds_elapsed,bpm\n1772355600000000000,0.5,75\n", "time,hr\n1772355600000,75\n",
            "time,seconds_elapsed,altitude,longitude,latitude\n1772355600000000,0.5,500,11,48\n",
            "Phone timestamp;RR-interval [ms]\n2026-03-01T10:00:00.000;800\n",
            "Phone timestamp;HR [bpm];HRV [ms];\n2026-03-01T10:00:00.000;75;9;\n",
        ])
    func heads(_ text: String) {
        #expect(WalkFileFormat(recognizing: Array(text.utf8)) == .csv)
        let facts = readWalks(.csv, text, Self.begun).facts
        #expect(facts.timed.first?.seconds == 0 && facts.heartRates + facts.positions == 1)
    }

    @Test(
        "may have dates as people write them, of which nobody guesses what comes first",
        arguments: [
            ("1/3/2026 10:00", true, true), ("3/1/2026 10:00:00 AM", false, true),
            ("01-03-2026 10:00:00", true, true), ("1.3.2026 10:00", nil, false),
            ("2026/3/1 10:00", nil, false), ("2026-03-01,10:00:00", nil, false),
            ("1.3.2026,10:00:00", nil, false), ("3/1/2026,10:00:00 am", false, true),
        ] as [(String, Bool?, Bool)])
    func writtenDates(_ date: String, _ isDayFirst: Bool?, _ isAsked: Bool) {
        let heads = date.contains(",") ? "Date,Time,bpm\n" : "Date,bpm\n"
        let text = heads + date + ",75\n"
        var times = StatedTimes(offsetMinutes: { _ in 60 })
        #expect((readWalks(.csv, text, times).damage?.contains("--dates dmy") == true) == isAsked)
        times.isDayFirst = isDayFirst
        let (facts, damage) = readWalks(.csv, text, times)
        #expect(damage == nil && facts.timed.contains(.init(0, .heartRate(75, rrTicks: []))))
    }

    @Test("may have semicolons or tabs, and commas in its numbers", arguments: [";", "\t"])
    func commas(_ separator: String) {
        let text = "time;bpm;rr_ms\n2026-03-01T09:00:00Z;74,6;800,5\n"
            .replacing(";", with: separator)
        #expect(
            readWalks(.csv, text).facts.timed.contains(.init(0, .heartRate(75, rrTicks: [820]))))
    }

    @Test("is damaged where it ends within quotes, or a cell has no end")
    func damaged() {
        let head = "time,bpm\n2026-03-01T09:00:00Z,75\n"
        #expect(readWalks(.csv, head + "\"2026").damage?.contains("within quotes") == true)
        let long = readWalks(.csv, head + String(repeating: "1", count: 5_000))
        #expect(long.damage?.contains("Line 3") == true && long.facts.facts.count == 3)
    }

    @Test("of intervals is a line each, in milliseconds or seconds", arguments: ["800", "0.8"])
    func list(_ interval: String) {
        let lines = String(repeating: interval + "\n", count: 5)
        let (none, damage) = readWalks(.rr, lines)
        #expect(none.facts.isEmpty && damage?.contains("--begin") == true)
        let (facts, _) = readWalks(.rr, "# a strap\n" + lines + "x\n", Self.begun)
        #expect(facts.timed.first == .init(0, .began) && facts.timed.last == .init(4, .ended))
        #expect(facts.facts.count { $0.fact == .heartRate(75, rrTicks: [819]) } == 5)
        #expect(facts.leftOut.map(\.what) == ["lines that are not an interval"])
    }

    @Test(
        "of intervals may have a head, and other columns",
        arguments: [
            "rri;time\n790;1\n815;2\n", "no;RR (ms)\r\n1;790,4\r\n2;815\r\n",
            "beat,ibi\n1,790\n2,815\n",
            "RR-interval [ms]\tok\n790\ty\n815\ty\n", "# a strap\nn;hrv;m\n1;790;x\n2;815;x\n",
            "rr;rr\n0.790;1\n0.815;1\n",
        ])
    func listOfColumns(_ text: String) {
        #expect(WalkFileFormat(recognizing: Array(text.utf8)) == .rr)
        let (facts, damage) = readWalks(.rr, text, Self.begun)
        #expect(damage == nil && facts.timed.last == .init(1.605, .ended))
        #expect(facts.timed.first == .init(0, .began))
        #expect(facts.leftOut.map(\.what) == ["columns that are not known"])
    }

    @Test(
        "of intervals is one with a wrong line in ten, wherever it is",
        arguments: ["12", "65535", "0"])
    func artefacts(_ wrong: String) {
        let lines = Array(repeating: "800", count: 19)
        for place in [0, 5, 19] {
            let text = (lines[..<place] + [wrong] + lines[place...]).joined(separator: "\n")
            #expect(WalkFileFormat(recognizing: Array(text.utf8)) == .rr)
            let (facts, _) = readWalks(.rr, text, Self.begun)
            #expect(facts.timed.last == .init(15.2, .ended))
            #expect(facts.leftOut.map(\.what) == ["lines that are not an interval"])
        }
        let many = lines[..<9].joined(separator: "\n") + "\n\(wrong)\n\(wrong)"
        #expect(WalkFileFormat(recognizing: Array(many.utf8)) == nil)
    }

    @Test("of intervals without end, or with gaps of ages, is refused or bounded")
    func hostileList() {
        #expect(WalkFileFormat(recognizing: [UInt8](repeating: 0x0A, count: 5_000)) == nil)
        let gaps = String(repeating: "# gap 1099511627776\n", count: 9_000)
        let (facts, damage) = readWalks(.rr, "800\n" + gaps + "800\n", Self.begun)
        #expect(damage == nil && facts.timed.last == .init(1.6, .ended))
    }

    @Test("of intervals may say itself when it began, and where nothing came")
    func comments() {
        let list = "800\n# gap 5000 ms\n800\n"
        let began = "# began 2026-03-01T09:00:00Z\n"
        for text in [began + list, began + "# gap 5000 ms\n800\n800\n", list + began] {
            let (facts, damage) = readWalks(.rr, text, text == list + began ? Self.begun : .init())
            #expect(damage == nil && facts.timed.last == .init(6.6, .ended))
            #expect(facts.timed.first == .init(0, .began))
        }
    }

    private static let kinds: [(String, WalkFileFormat?)] = [
        ("<?xml version=\"1.0\"?>\n<!-- a > b --><ns0:gpx xmlns:ns0=\"x\">", .gpx),
        ("\u{FEFF}<TrainingCenterDatabase ", .tcx), ("<kml><gpx></gpx></kml>", nil),
        ("<!DOCTYPE HealthData [\n<!ELEMENT HealthData (a)>\n]>", nil),
        ("date,rr,since start\n", .csv), (polar, .csv), ("a,b,c\n1,2,3\n", nil),
        ("Activity Type,Date,Favorite,Title,Distance,Calories,Time,Avg HR\n", nil),
        ("800\n810\n790\n805\n", .rr), ("# RR\nrr\n800\n", .rr), ("1648\n1649\n", nil),
        ("0.800\n0.810\n0.790\n0.805\n", .rr), ("12\n13\n14\n15\n16\n", nil), ("", nil),
        ("812\n", nil), ("[0, 72]\n[0, 73]\n[0, 74]\n[0, 75]\n", nil),
        ("0048\n0049\n0048\n0050\n", nil), ("1648b402\n1649b402\n1648b402\n1650b402\n", nil),
        ("RR (ms)\n812\n820\n799\n", .rr), ("812.5\n820.1\n799\n805\n", .rr),
        ("{\"position\":0}\n", nil), ("2026-03-01 09:00:00,1 b'\\x16<'\n", nil),
    ]

    @Test("is recognized by what is in it", arguments: kinds)
    func recognized(_ text: String, _ format: WalkFileFormat?) {
        #expect(WalkFileFormat(recognizing: Array(text.utf8)) == format)
    }
}
