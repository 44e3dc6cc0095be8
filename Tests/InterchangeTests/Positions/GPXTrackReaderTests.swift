import Events
import Interchange
import TestSupport
import Testing

@Suite("A GPX track")
struct GPXTrackReaderTests {
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="logger" xmlns="http://www.topografix.com/GPX/1/1">
        <metadata><time>2026-03-01T08:00:00Z</time></metadata>
        <wpt lat="1" lon="1"><time>2026-03-01T09:00:00Z</time></wpt><trk><name>a</name><trkseg>
        """
    private static let end = "</trkseg></trk></gpx>"
    /// 2026-03-01T09:00:00Z.
    private static let nine: Int64 = 1_772_355_600_000

    private func fixes(_ text: String, pieces size: Int = .max) -> [PositionFixed] {
        var reader = GPXTrackReader()
        return Array(text.utf8).pieces(of: size).flatMap { reader.push($0) }
    }

    @Test("gives its points, however it is cut", arguments: [1, 7, 100, 10_000])
    func points(size: Int) {
        let text =
            Self.head + """
                <trkpt lat="48.1371500" lon="-11.57540049"><ele>515.25</ele>
                <time>2026-03-01T09:00:00Z</time><fix>3d</fix><sat>9</sat><extensions><x>
                <time>no</time>
                </x></extensions></trkpt><trkpt lon="11" lat="-48"><time>
                2026-03-01T10:00:01.500+01:00 </time></trkpt></trkseg><trkseg>
                <trkpt lat="90" lon="-180">
                <time>2026-03-01T09:00:02</time></trkpt>
                """ + Self.end
        let expected = [
            PositionFixed(
                latitudeE7: 481_371_500, longitudeE7: -115_754_005, altitudeMillimetres: 515_250,
                satellites: 9, fixedAtMilliseconds: Self.nine),
            PositionFixed(north: -480_000_000, east: 110_000_000, at: Self.nine + 1_500),
            PositionFixed(north: 900_000_000, east: -1_800_000_000, at: Self.nine + 2_000),
        ]
        #expect(fixes(text, pieces: size) == expected)
    }

    private static let time = "<time>2026-03-01T09:00:00Z</time>"

    static let unusable: [(String, GPXTrackReader.Reason)] = [
        (#"lat="90.0000001" lon="1">\#(time)"#, .nowhere),
        (#"lat="1" lon="-180.1">\#(time)"#, .nowhere),
        (#"lat="NaN" lon="1">\#(time)"#, .nowhere),
        (#"lat="1e400" lon="1">\#(time)"#, .nowhere),
        (#"lat="1">\#(time)"#, .nowhere),
        (#"lat="1" lon="1">"#, .withoutTime),
        (#"lat="1" lon="1"><time/>"#, .withoutTime),
        (#"lat="1" lon="1"><time> </time>"#, .withoutTime),
        (#"lat="1" lon="1"><extensions>\#(time)</extensions>"#, .withoutTime),
        (#"lat="1" lon="1"><time>yesterday</time>"#, .unreadableTime),
        (#"lat="1" lon="1"><time>2026-02-30T09:00:00Z</time>"#, .unreadableTime),
        (#"lat="1" lon="1"><time>1772355600</time>"#, .unreadableTime),
        (
            #"lat="1" lon="1"><time>\#(String(repeating: "1", count: 300))</time>"#,
            .unreadableTime
        ),
        (#"lat="1" lon="1">\#(time)<fix>none</fix>"#, .withoutFix),
    ]

    @Test("counts by reason what is nowhere, has no fix, or no time", arguments: unusable)
    func unreadable(_ point: String, _ reason: GPXTrackReader.Reason) {
        var reader = GPXTrackReader()
        let text = Self.head + "<trkpt \(point)</trkpt>" + Self.end
        let points = reader.push(Array(text.utf8))
        #expect(points.isEmpty)
        let leftOut = reader.leftOut
        #expect(leftOut == [reason: 1])
    }

    private static let space = "http://www.topografix.com/GPX/1"
    static let prefixed = [
        #"<ns2:gpx xmlns="urn:x" xmlns:ns2="\#(space)/1"><ns2:trk><ns2:trkseg>"#
            + #"<ns2:trkpt lat="1" lon="2"><time>no</time><ns2:time>2026-03-01T09:00:00Z"#
            + "</ns2:time><x><time>no</time></x></ns2:trkpt></ns2:trkseg></ns2:trk></ns2:gpx>",
        #"<gpx xmlns="\#(space)/0" xmlns:x="urn:x"><trk><trkseg><trkpt lat="1" lon="2">"#
            + time + "<x:time>no</x:time><x:fix>none</x:fix></trkpt></trkseg></trk></gpx>",
        #"<gpx xmlns="\#(space)/1"><trk><trkseg><trkpt lat="1" lon="2">\#(time)"#
            + #"<time xmlns="urn:x">no</time></trkpt></trkseg></trk></gpx>"#,
        #"<ns0:gpx xmlns:ns0="\#(space)/1"><a:trk xmlns:a="\#(space)/1"><ns0:trkseg>"#
            + #"<trkpt xmlns="\#(space)/1" lat="1" lon="2">\#(time)"#
            + "</trkpt></ns0:trkseg></a:trk></ns0:gpx>",
        #"<gpx><trk><trkseg><trkpt lat="1" lon="2">\#(time)<tp:time>no</tp:time></trkpt>"#
            + #"<x:trkpt xmlns:x="urn:x" lat="3" lon="4">\#(time)</x:trkpt>"#
            + "</trkseg></trk></gpx>",
        #"<g:gpx><g:trk><g:trkseg><g:trkpt lat="1" lon="2"><g:time>2026-03-01T09:00:00Z"#
            + "</g:time></g:trkpt></g:trkseg></g:trk></g:gpx>",
    ]

    @Test("is known by its namespace, whatever the prefixes", arguments: prefixed)
    func namespaces(_ text: String) {
        let expected = PositionFixed(north: 10_000_000, east: 20_000_000, at: Self.nine)
        #expect(fixes(text) == [expected])
        #expect(fixes(text, pieces: 3) == [expected])
    }

    @Test(
        "tells its times in every form",
        arguments: [
            "10:00:00+01", "05:30:00-0330", "10:00:00+01:00", "09:00:00Z", "09:00:00",
            "09:00:00,0Z", "09:00:00.0000000000000Z", "10:00:00,0000000001+01",
        ])
    func times(_ time: String) {
        let point = #"<trkpt lat="1" lon="2"><time>2026-03-01T\#(time)</time></trkpt>"#
        #expect(fixes(Self.head + point).map(\.fixedAtMilliseconds) == [Self.nine])
    }

    @Test(
        "keeps what stands before a damage, however it is cut",
        arguments: [end + "x y", end + "</gpx>", "</b>", "<trkpt lat=1>", end + "\0\0", "&#0;"])
    func damaged(_ tail: String) {
        let text = Self.head + #"<trkpt lat="1" lon="2">\#(Self.time)</trkpt>"# + tail
        for size in [1, 50, 10_000] {
            var reader = GPXTrackReader()
            let fixes = Array(text.utf8).pieces(of: size).flatMap { reader.push($0) }
            let damage = reader.damage
            #expect(fixes.count == 1 && damage != nil, "\(size)")
        }
    }

    @Test(
        "goes on with another document after the end of the first, however it is cut",
        arguments: ["", "\n", "<!-- again -->\n", "\n \n"])
    func documents(_ between: String) {
        func document(_ second: Int) -> String {
            let time = "<time>2026-03-01T09:00:0\(second)Z</time>"
            return Self.head + #"<trkpt lat="1" lon="2">\#(time)</trkpt>"# + Self.end
        }
        let text = document(1) + between + document(2) + between + document(3)
        for size in [1, 7, 300, 10_000] {
            let seconds = fixes(text, pieces: size).map {
                (($0.fixedAtMilliseconds ?? 0) - Self.nine) / 1_000
            }
            #expect(seconds == [1, 2, 3], "\(size)")
        }
    }

    @Test(
        "says what is not GPX, by its place",
        arguments: [
            ("<html/>", "its outermost tag is html, not gpx"),
            (head + end + "\n<kml/>", "What follows the end of its track is not GPX: its"),
            (head + end + "\nlog closed", "What follows the end of its track in line 5 is not GPX"),
            (head + end + "\n<5>", "What follows the end of its track in line 5 is not GPX"),
        ])
    func notGPX(_ text: String, _ expected: String) {
        var reader = GPXTrackReader()
        _ = reader.push(Array(text.utf8))
        let damage = reader.damage ?? ""
        #expect(damage.contains(expected), "\(damage)")
    }

    @Test("leaves out a height and satellites that cannot be")
    func fields() throws {
        let text =
            Self.head + """
                <trkpt lat="1" lon="1"><ele>1e9</ele><time>2026-03-01T09:00:00Z</time>
                <sat>-3</sat></trkpt>
                """
        let fix = try #require(fixes(text).first)
        #expect(fix.altitudeMillimetres == nil)
        #expect(fix.satellites == nil)
    }

    @Test("gives the points that are whole while it is being written, and knows its end")
    func growing() {
        var reader = GPXTrackReader()
        let point = #"<trkpt lat="1" lon="1"><time>2026-03-01T09:00:00Z</time></trkpt>"#
        var points = reader.push(Array((Self.head + point.dropLast(3)).utf8))
        #expect(points.isEmpty)
        points = reader.push(Array(point.suffix(3).utf8))
        #expect(points.count == 1)
        var isAtEnd = reader.isAtEnd
        #expect(!isAtEnd)
        points = reader.push(Array(Self.end.utf8))
        #expect(points.isEmpty)
        isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
    }

    @Test(
        "is refused if it is something else",
        arguments: [
            ("<HealthData/>", true),
            (#"<a:kml xmlns:a="http://www.topografix.com/GPX/1/1"/>"#, true),
            ("{}", false),
            ("<gpx><trk></gpx>", false),
            ("<!DOCTYPE gpx [<!ENTITY e 'x'>]><gpx/>", false),
        ])
    func refused(_ text: String, _ isForeign: Bool) {
        var reader = GPXTrackReader()
        #expect(reader.push(Array(text.utf8)).isEmpty)
        let damage = reader.damage
        #expect(damage?.hasPrefix("This XML is not a GPX file") == isForeign)
    }
}
