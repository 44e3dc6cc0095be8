import Events
import Interchange
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

    private func fixes(_ text: String, pieces size: Int = .max) throws -> [PositionFixed] {
        var reader = GPXTrackReader()
        var fixes: [PositionFixed] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            fixes += try reader.push(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return fixes
    }

    @Test("gives its points, however it is cut", arguments: [1, 7, 100, 10_000])
    func points(size: Int) throws {
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
            PositionFixed(
                latitudeE7: -480_000_000, longitudeE7: 110_000_000,
                fixedAtMilliseconds: Self.nine + 1_500),
            PositionFixed(
                latitudeE7: 900_000_000, longitudeE7: -1_800_000_000,
                fixedAtMilliseconds: Self.nine + 2_000),
        ]
        #expect(try fixes(text, pieces: size) == expected)
    }

    static let unusable = [
        #"lat="90.0000001" lon="1"><time>2026-03-01T09:00:00Z</time>"#,
        #"lat="1" lon="-180.1"><time>2026-03-01T09:00:00Z</time>"#,
        #"lat="NaN" lon="1"><time>2026-03-01T09:00:00Z</time>"#,
        #"lat="1e400" lon="1"><time>2026-03-01T09:00:00Z</time>"#,
        #"lat="1"><time>2026-03-01T09:00:00Z</time>"#, #"lat="1" lon="1">"#,
        #"lat="1" lon="1"><time>yesterday</time>"#, #"lat="1" lon="1"><time/>"#,
        #"lat="1" lon="1"><time>2026-03-01T09:00:00Z</time><fix>none</fix>"#,
    ]

    @Test("passes over what is nowhere, has no fix, or no time", arguments: unusable)
    func unreadable(_ point: String) throws {
        var reader = GPXTrackReader()
        let text = Self.head + "<trkpt \(point)</trkpt>" + Self.end
        let points = try reader.push(Array(text.utf8))
        #expect(points.isEmpty)
        let count = reader.unreadableCount
        #expect(count == 1)
    }

    @Test("leaves out a height and satellites that cannot be")
    func fields() throws {
        let text =
            Self.head + """
                <trkpt lat="1" lon="1"><ele>1e9</ele><time>2026-03-01T09:00:00Z</time>
                <sat>-3</sat></trkpt>
                """
        let fix = try #require(try fixes(text).first)
        #expect(fix.altitudeMillimetres == nil)
        #expect(fix.satellites == nil)
    }

    @Test("gives the points that are whole while it is being written, and knows its end")
    func growing() throws {
        var reader = GPXTrackReader()
        let point = #"<trkpt lat="1" lon="1"><time>2026-03-01T09:00:00Z</time></trkpt>"#
        var points = try reader.push(Array((Self.head + point.dropLast(3)).utf8))
        #expect(points.isEmpty)
        points = try reader.push(Array(point.suffix(3).utf8))
        #expect(points.count == 1)
        var isAtEnd = reader.isAtEnd
        #expect(!isAtEnd)
        points = try reader.push(Array(Self.end.utf8))
        #expect(points.isEmpty)
        isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
    }

    @Test(
        "is refused if it is something else",
        arguments: [
            ("<HealthData/>", GPXError.Code.foreign), ("{}", .malformed),
            ("<gpx><trk></gpx>", .malformed),
            ("<!DOCTYPE gpx [<!ENTITY e 'x'>]><gpx/>", .malformed),
        ])
    func refused(_ text: String, _ code: GPXError.Code) throws {
        let error = #expect(throws: GPXError.self) { _ = try fixes(text) }
        #expect(error?.code == code)
    }
}
