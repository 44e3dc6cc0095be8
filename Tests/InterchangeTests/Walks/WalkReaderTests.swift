import Events
import Interchange
import Testing

@Suite("A file of walks")
struct WalkReaderTests {
    private static let gpx = """
        <?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:ns3="x"><trk>
        <type>walking</type><trkseg>
        <trkpt lat="48" lon="11"><ele>500.5</ele><time>2026-03-01T09:00:00Z</time><extensions>
        <ns3:TrackPointExtension><ns3:hr>100</ns3:hr><ns3:cad>60</ns3:cad></ns3:TrackPointExtension>
        </extensions></trkpt><trkpt lat="48.0001" lon="11"><time>2026-03-01T09:00:10Z</time>
        <extensions><ns3:TrackPointExtension><ns3:hr>102</ns3:hr><ns3:cad>60</ns3:cad>
        </ns3:TrackPointExtension></extensions></trkpt></trkseg><trkseg>
        <trkpt lat="48.0002" lon="11"><time>2026-03-01T09:01:00Z</time></trkpt>
        <trkpt lat="48.0003" lon="11"></trkpt></trkseg></trk><trk><trkseg>
        <trkpt lat="48" lon="11"><time>2026-03-01T10:00:00Z</time></trkpt></trkseg></trk></gpx>
        """

    private static func fix(
        _ latitudeE7: Int64, _ second: Int64, altitude: Int64? = nil
    ) -> WalkFacts.Fact {
        .position(
            PositionFixed(
                latitudeE7: latitudeE7, longitudeE7: 110_000_000, altitudeMillimetres: altitude,
                fixedAtMilliseconds: nineOClock + second * 1_000))
    }

    @Test("in GPX gives tracks as walks, and their parts with pauses", arguments: [1, 50, 10_000])
    func gpx(size: Int) {
        let (facts, damage) = readWalks(.gpx, Self.gpx, pieces: size)
        #expect(damage == nil)
        let expected: [WalkFacts.Timed] = [
            .init(0, .began), .init(0, .walked(steps: 0, distanceMillimetres: nil)),
            .init(0, Self.fix(480_000_000, 0, altitude: 500_500)),
            .init(0, .heartRate(100, rrTicks: [])),
            .init(10, .walked(steps: 20, distanceMillimetres: nil)),
            .init(10, Self.fix(480_001_000, 10)), .init(10, .heartRate(102, rrTicks: [])),
            .init(10, .paused),
            .init(60, .resumed), .init(60, Self.fix(480_002_000, 60)), .init(60, .ended),
            .init(3_600, .began), .init(3_600, Self.fix(480_000_000, 3_600)),
            .init(3_600, .ended),
        ]
        #expect(facts.timed == expected)
        #expect(facts.leftOut.map(\.what) == ["points without a time"])
    }

    @Test("is of the zone that its times are written in", arguments: [WalkFileFormat.gpx, .tcx])
    func zone(_ format: WalkFileFormat) {
        func read(_ zone: String) -> WalkFacts {
            let time = "<time>2026-03-01T11:00:00\(zone)</time>"
            let text =
                format == .gpx
                ? "<gpx><trk><trkseg><trkpt lat=\"48\" lon=\"11\">" + time
                    + "</trkpt></trkseg></trk></gpx>"
                : "<TrainingCenterDatabase><Activity><Lap><Track><Trackpoint>"
                    + time.replacing("time>", with: "Time>")
                    + "</Trackpoint></Track></Lap></Activity></TrainingCenterDatabase>"
            let (facts, damage) = readWalks(format, text)
            #expect(damage == nil)
            return facts
        }
        let facts = read("+02:00")
        #expect(facts.offsetMinutes == 120 && facts.timed.first == .init(0, .began))
        #expect(read("Z").offsetMinutes == nil && read("").offsetMinutes == nil)
    }

    @Test("in GPX has no steps of a ride")
    func ride() {
        let (facts, _) = readWalks(.gpx, Self.gpx.replacing("walking", with: "Cycling"))
        #expect(!facts.facts.contains { if case .pedometerRead = $0.fact { true } else { false } })
    }

    @Test("in GPX that ends too early gives what is there, and says so")
    func cutGPX() {
        let (facts, damage) = readWalks(.gpx, String(Self.gpx.prefix(700)))
        #expect(damage == "The GPX ends too early." && facts.facts.count >= 4)
        let (whole, junk) = readWalks(.gpx, Self.gpx + "junk")
        #expect(junk?.contains("What follows the end") == true && whole.facts.count == 14)
    }

    private static func tcx(_ between: String) -> String {
        """
        <?xml version="1.0"?><t:TrainingCenterDatabase xmlns:t="t" xmlns:x="x"><t:Activities>
        <t:Activity Sport="Other"><t:Lap StartTime="2026-03-01T09:00:00Z">
        <t:TotalTimeSeconds>10</t:TotalTimeSeconds><t:DistanceMeters>20</t:DistanceMeters>
        <t:AverageHeartRateBpm><t:Value>99</t:Value></t:AverageHeartRateBpm><t:Track>
        <t:Trackpoint><t:Time>2026-03-01T10:00:00+01:00</t:Time><t:Position>
        <t:LatitudeDegrees>48</t:LatitudeDegrees><t:LongitudeDegrees>11</t:LongitudeDegrees>
        </t:Position><t:AltitudeMeters>500.5</t:AltitudeMeters>
        <t:DistanceMeters>0</t:DistanceMeters>
        <t:HeartRateBpm><t:Value>100</t:Value></t:HeartRateBpm></t:Trackpoint>
        <t:Trackpoint><t:Time>2026-03-01T09:00:10Z</t:Time><t:DistanceMeters>20.5</t:DistanceMeters>
        <t:HeartRateBpm><t:Value>102</t:Value></t:HeartRateBpm><t:Extensions><x:TPX>
        <x:RunCadence>60</x:RunCadence></x:TPX></t:Extensions></t:Trackpoint></t:Track>\(between)
        <t:Trackpoint><t:Time>2026-03-01T09:01:00Z</t:Time></t:Trackpoint>
        <t:Trackpoint></t:Trackpoint></t:Track></t:Lap></t:Activity></t:Activities>
        </t:TrainingCenterDatabase>
        """
    }

    @Test("in TCX gives its points, and a pause between two tracks", arguments: [1, 50, 10_000])
    func tcx(size: Int) {
        let (facts, damage) = readWalks(.tcx, Self.tcx("<t:Track>"), pieces: size)
        #expect(damage == nil && facts.offsetMinutes == 60)
        let expected: [WalkFacts.Timed] = [
            .init(0, .began), .init(0, .walked(steps: 0, distanceMillimetres: 0)),
            .init(0, Self.fix(480_000_000, 0, altitude: 500_500)),
            .init(0, .heartRate(100, rrTicks: [])),
            .init(10, .walked(steps: 20, distanceMillimetres: 20_500)),
            .init(10, .heartRate(102, rrTicks: [])), .init(10, .paused),
            .init(60, .resumed), .init(60, .ended),
        ]
        #expect(facts.timed == expected)
        #expect(facts.leftOut.map(\.what) == ["points without a time"])
    }

    @Test("in TCX has no pause between laps that follow each other", arguments: [10, 11, 55])
    func laps(second: Int) {
        let lap = "</t:Lap><t:Lap StartTime=\"2026-03-01T09:00:\(second)Z\"><t:Track>"
        let (facts, _) = readWalks(.tcx, Self.tcx(lap))
        #expect(facts.timed.contains(.init(10, .paused)) == (second > 11))
    }

    @Test("in TCX has the steps of its laps, evenly, also over all ages")
    func lapSteps() {
        func steps(_ last: String) -> [PedometerRead.Reading] {
            var times = ["0001-01-01T00:00:00Z", "2026-03-01T09:00:00Z"]
            times.append(last)
            let text =
                "<TrainingCenterDatabase><Activities><Activity><Lap><Track>"
                + times.map { "<Trackpoint><Time>\($0)</Time></Trackpoint>" }.joined()
                + "</Track><Extensions><LX><Steps>1000000</Steps></LX></Extensions></Lap>"
                + "</Activity></Activities></TrainingCenterDatabase>"
            return readWalks(.tcx, text).facts.facts.compactMap {
                if case .pedometerRead(let read) = $0.fact { read.reading } else { nil }
            }
        }
        #expect(steps("9999-12-31T23:59:59Z").last == .counter(1_000_000))
        #expect(steps("2026-03-01T09:00:00Z").last == .counter(1_000_000))
    }

    @Test("in TCX that ends too early gives what is there, and says so")
    func cutTCX() {
        let (facts, damage) = readWalks(.tcx, String(Self.tcx("<t:Track>").dropLast(200)))
        #expect(damage?.contains("too early") == true, "\(damage ?? "")")
        #expect(!facts.facts.isEmpty)
    }

    @Test(
        "is read with what programs write that is no XML, however it is cut",
        arguments: ["gpx", "tcx"], [1, 2, 5, 10_000])
    func mended(_ name: String, size: Int) throws {
        let format = try #require(WalkFileFormat(rawValue: name))
        let text = name == "gpx" ? Self.gpx : Self.tcx("<t:Track>")
        let end = try #require(text.lastIndex(of: "<"))
        let expected = readWalks(format, text).facts.timed
        for before in ["\u{FEFF}", "\n", "      \t", "\u{FEFF}\r\n\r\n"] {
            for bare in [
                "Park & Ride", "R&D", "a&b;c", "&", "&&amp;", "&#x26; &#38;", "&#", "&nbsp;",
                "<![CDATA[& <b> ]] &amp;]]>&", "<!-- & -->",
            ] {
                let foreign = text[..<end] + "<name>\(bare)</name>" + text[end...]
                let (facts, damage) = readWalks(format, before + foreign, pieces: size)
                #expect(damage == nil && facts.timed == expected, "\(before)\(bare)")
            }
        }
        let (_, damage) = readWalks(format, "\n\n" + text.prefix(300) + "</no>")
        let lines = text.prefix(300).count { $0 == "\n" } + 3
        #expect(damage?.contains("line \(lines)") == true, "\(damage ?? "")")
    }

    @Test(
        "with what looks like references without end is read in time that grows with it",
        .timeLimit(.minutes(1)))
    func references() {
        let text = Self.gpx.replacing(
            "<trk>", with: "<desc>\(String(repeating: "&#", count: 2_000_000))</desc><trk>")
        #expect(readWalks(.gpx, text).damage == nil)
    }

    @Test("in TCX that is a course is no walk, and within a file of walks none of them")
    func course() {
        let text = Self.tcx("<t:Track>")
        let courses = text.replacing("t:Activity Sport=\"Other\"", with: "t:Course")
            .replacing("t:Activity>", with: "t:Course>")
            .replacing("Activities", with: "Courses")
        let (facts, damage) = readWalks(.tcx, courses)
        #expect(damage == nil && facts.facts.isEmpty)
        #expect(facts.leftOut.map(\.what) == ["courses"])
        guard let start = courses.ranges(of: "<t:Courses>").first?.lowerBound,
            let end = courses.ranges(of: "</t:TrainingCenterDatabase>").first?.lowerBound
        else { return }
        let both = text.replacing("</t:Activities>", with: "</t:Activities>" + courses[start..<end])
        #expect(readWalks(.tcx, both).facts.timed == readWalks(.tcx, text).facts.timed)
    }

    @Test("with entities is refused, as billions of laughs are", arguments: ["gpx", "tcx"])
    func entities(_ name: String) throws {
        let text = """
            <!DOCTYPE \(name) [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <\(name)>&b;</\(name)>
            """
        let (facts, damage) = readWalks(try #require(WalkFileFormat(rawValue: name)), text)
        #expect(damage?.contains("entity") == true && facts.facts.isEmpty)
    }
}
