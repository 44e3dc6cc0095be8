import Events
import Interchange
import Projections
import Testing

@Suite("The sport that a file names")
struct SportTests {
    private static func gpx(_ type: String, by attribute: String = "") -> [UInt8] {
        Array(
            """
            <gpx\(attribute)><trk><type>\(type)</type><trkseg><trkpt lat="48" lon="11">
            <time>2026-03-01T09:00:00Z</time></trkpt></trkseg></trk></gpx>
            """.utf8)
    }

    private static func tcx(_ sport: String) -> [UInt8] {
        Array(
            """
            <TrainingCenterDatabase><Activities><Activity Sport="\(sport)"><Lap><Track><Trackpoint>
            <Time>2026-03-01T09:00:00Z</Time></Trackpoint></Track></Lap></Activity></Activities>
            </TrainingCenterDatabase>
            """.utf8)
    }

    /// A record, and the sport in a message before it or in a session's after it.
    private static func fit(_ sport: UInt8, _ part: UInt8 = 255, inSession: Bool) -> [UInt8] {
        let now = FITCodecTests.little(FITCodecTests.second)
        let record = [0x40, 0, 0, 20, 0, 2, 253, 4, 0x86, 3, 1, 2, 0] + now + [81]
        let before: [UInt8] = [0x41, 0, 0, 12, 0, 2, 0, 1, 0, 1, 1, 0, 1, sport, part]
        let after =
            [0x41, 0, 0, 18, 0, 4, 253, 4, 0x86, 2, 4, 0x86, 5, 1, 0, 6, 1, 0, 1] + now + now
            + [sport, part]
        return FITCodecTests.file(inSession ? record + after : before + record)
    }

    /// The sport of the one walk of a file.
    private static func sport(_ format: WalkFileFormat, _ bytes: [UInt8]) throws -> Sport? {
        let (facts, damage) = readWalks(format, bytes)
        #expect(damage == nil)
        let reports = sessions(facts)
        #expect(reports.count == 1)
        return reports.first?.keeping.sport.known
    }

    private static let vectors: [(name: String, sport: Sport)] = [
        ("cycling", .ride), ("VirtualRide", .ride), ("mountain biking", .ride), ("E_BIKE", .ride),
        ("Swim", .swim), ("open_water_swimming", .swim), ("alpine_skiing", .other),
        ("horseback riding", .other), ("Inline Skating", .other), ("walking", .walk),
        ("Hike", .hike), ("Run", .run), ("treadmill_running", .treadmill), ("", .walk),
        ("9", .walk), ("Rucking", .walk), ("skipping", .walk), ("stride_walk", .walk),
        ("surface_hike", .hike), ("Bikram_hike", .hike), ("NordicSki", .other),
        ("AlpineSki", .other), ("BackcountrySki", .other), ("RollerSki", .other),
        ("resort_skiing_snowboarding_ws", .other), ("hang_gliding", .other), ("boating", .other),
        ("golf", .other), ("tennis", .other), ("elliptical", .other), ("pilates", .other),
        ("indoor_climbing", .other), ("Flying", .other), ("Kitesurf", .other),
        ("EMountainBikeRide", .ride), ("touringbicycle", .ride), ("mtb", .ride),
        ("Nordic_walking", .walk), ("Trail_run", .run), ("TrailRun", .run), ("trail-runs", .run),
        ("RUNNING", .run), ("Trunk", .walk), ("indoor_rowing", .other), ("growing", .walk),
        ("HIIT", .other), ("Soccer", .other), ("HighIntensityIntervalTraining", .other),
        ("volleyball", .other), ("Interval run", .run), ("Geocaching", .walk),
    ]

    @Test("is known in GPX and TCX by its name, and else it is a walk", arguments: vectors)
    func names(_ row: (name: String, sport: Sport)) throws {
        #expect(try Self.sport(.gpx, Self.gpx(row.name)) == row.sport)
        #expect(try Self.sport(.tcx, Self.tcx(row.name)) == row.sport)
    }

    @Test(
        "is known in FIT by its number",
        arguments: [
            (2, .ride), (21, .ride), (5, .swim), (12, .other), (15, .other), (0, .walk), (1, .run),
            (4, .walk), (11, .walk), (16, .hike), (17, .hike), (35, .walk), (200, .walk),
            (255, .walk), (25, .other), (62, .other), (65, .walk), (73, .other), (87, .walk),
        ] as [(UInt8, Sport)])
    func numbers(_ row: (number: UInt8, sport: Sport)) throws {
        for inSession in [true, false] {
            let bytes = Self.fit(row.number, inSession: inSession)
            #expect(try Self.sport(.fit, bytes) == row.sport)
        }
    }

    @Test(
        "is known in FIT by its part, where that says more",
        arguments: [
            (4, 1, .treadmill), (4, 15, .other), (4, 20, .other), (4, 27, .walk), (4, 6, .ride),
            (4, 45, .run), (10, 1, .treadmill), (10, 20, .other), (10, 43, .other),
            (10, 44, .other), (10, 26, .other), (10, 27, .walk), (10, 0, .walk), (10, 255, .walk),
            (62, 70, .other), (64, 84, .other), (0, 1, .treadmill), (11, 20, .walk),
        ] as [(UInt8, UInt8, Sport)])
    func parts(_ row: (number: UInt8, part: UInt8, sport: Sport)) throws {
        for inSession in [true, false] {
            let bytes = Self.fit(row.number, row.part, inSession: inSession)
            #expect(try Self.sport(.fit, bytes) == row.sport)
        }
    }

    @Test("is that of the track before, where the next one begins as it ends")
    func touching() {
        func point(_ time: String) -> String {
            "<trkpt lat=\"48\" lon=\"11\"><time>2026-03-01T\(time):00Z</time></trkpt>"
        }
        let text = """
            <gpx><trk><type>cycling</type><trkseg>\(point("10:00"))\(point("11:00"))</trkseg></trk>
            <trk><type>walking</type><trkseg>\(point("11:00"))\(point("12:00"))</trkseg></trk></gpx>
            """
        let (facts, _) = readWalks(.gpx, text)
        #expect(sessions(facts).map(\.keeping.sport.known) == [.ride, .walk])
    }

    @Test("is that of one track of several")
    func tracks() {
        let tracks = ["walking", "cycling", "hiking"].enumerated().map { index, type in
            String(decoding: Self.gpx(type), as: UTF8.self).dropFirst(5).dropLast(6)
                .replacing("09:", with: "1\(index):")
        }
        let (facts, _) = readWalks(.gpx, "<gpx>\(tracks.joined())</gpx>")
        #expect(sessions(facts).map(\.keeping.sport.known) == [.walk, .ride, .hike])
        let kinds = facts.events(of: importedFile, without: [1]).headers.map(\.kind)
        for kind in [EventKind.sessionStarted, .sessionEnded, .positionFixed] {
            #expect(kinds.count { $0 == kind } == 2)
        }
        #expect(facts.events(of: importedFile, without: [0, 1, 2]).isEmpty)
    }

    @Test("is a number in Strava's GPX, and in no other")
    func strava() throws {
        let sports: [(String, Sport)] = [
            ("1", .ride), ("4", .hike), ("9", .run), ("10", .walk), ("17", .ride),
        ]
        for (type, sport) in sports {
            #expect(
                try Self.sport(.gpx, Self.gpx(type, by: " creator=\"StravaGPX Android\"")) == sport)
            #expect(try Self.sport(.gpx, Self.gpx(type, by: " creator=\"logger\"")) == .walk)
        }
    }
}
