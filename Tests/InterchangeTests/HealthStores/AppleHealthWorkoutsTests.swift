import Events
import Interchange
import Projections
import Testing

/// What of an export are workouts, and the heart rates in them.
@Suite("Workouts of Apple Health")
struct AppleHealthWorkoutsTests {
    private static func heart(_ rate: String, _ time: String, unit: String = "count/min") -> String
    {
        """
        <Record type="HKQuantityTypeIdentifierHeartRate" unit="\(unit)" sourceName="Watch" \
        startDate="2026-03-01 \(time) +0100" endDate="2026-03-01 \(time) +0100" value="\(rate)"/>
        """
    }

    private static func workout(
        _ kind: String, _ start: String, _ end: String, _ parts: String = ""
    ) -> String {
        """
        <Workout workoutActivityType="HKWorkoutActivityType\(kind)" sourceName="Watch" \
        startDate="2026-03-01 \(start) +0100" endDate="2026-03-01 \(end) +0100">\(parts)</Workout>
        """
    }

    private static let parts = """
        <MetadataEntry key="HKIndoorWorkout" value="0"/>
        <WorkoutEvent type="HKWorkoutEventTypePause" date="2026-03-01 09:10:00 +0100"/>
        <WorkoutEvent type="HKWorkoutEventTypeResume" date="2026-03-01 09:15:00 +0100"/>
        <WorkoutStatistics type="HKQuantityTypeIdentifierStepCount" sum="2345" unit="count"/>
        <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" sum="1.75" \
        unit="km"/>
        <WorkoutRoute><FileReference path="/workout-routes/route_1.gpx"/></WorkoutRoute>
        """

    /// Reads an export twice, as its form makes necessary; the walks that are in it, and what is
    /// not.
    private func walks(
        _ elements: String, _ places: [PositionFixed] = [], pieces size: Int = 1_000
    ) throws -> (facts: WalkFacts, leftOut: [String: UInt64], workouts: [HealthWorkout]) {
        let text = "<HealthData>\(elements)</HealthData>"
        var records = StepRecords { _ in 60 }
        var first = AppleHealthExport()
        try first.read(text, pieces: size, into: &records)
        let workouts = HealthWorkout.apart(first.workouts.filter { $0.sport?.isOnFoot ?? true })
        var second = AppleHealthExport(heartRatesOf: workouts)
        try second.read(text, pieces: size, into: &records)
        var facts = WalkFacts()
        for workout in workouts { second.walks.add(workout, places, to: &facts) }
        let leftOut = second.walks.facts.leftOut.map { ($0.what, $0.count) }
        return (facts, Dictionary(uniqueKeysWithValues: leftOut), first.workouts)
    }

    @Test("have no heart rate of 0, or beyond every number")
    func impossibleRates() throws {
        let walks = try walks(
            Self.heart("922337203685477580.7", "09:00:01") + Self.heart("0", "09:00:02")
                + Self.workout("Walking", "09:00:00", "09:30:00"))
        #expect(walks.leftOut == ["heart rates that cannot be read": 2])
    }

    @Test("become walks with their pauses, steps, distance and heart rates", arguments: [7, 1_000])
    func whole(size: Int) throws {
        let (facts, leftOut, workouts) = try walks(
            Self.heart("70", "08:59:59") + Self.heart("100", "09:00:00")
                + Self.heart("120.4", "09:20:00") + Self.heart("90", "09:12:00")
                + Self.heart("300000", "09:21:00") + Self.heart("130", "10:00:01")
                + Self.workout("Walking", "09:00:00", "10:00:00", Self.parts)
                + Self.workout("Swimming", "11:00:00", "11:30:00", Self.parts),
            pieces: size)
        let reports = sessions(facts)
        let walk = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(walk.startedAtMilliseconds == 1_772_352_000_000)
        #expect(walk.elapsedMilliseconds == 3_600_000 && walk.pausedMilliseconds == 300_000)
        #expect(walk.steps == 2_345 && walk.distanceMillimetres == 1_750_000)
        #expect(walk.heartRate.samples == 2)
        #expect(facts.offsetMinutes == 60)
        #expect(leftOut == ["heart rates that cannot be read": 1])
        #expect(workouts.map(\.sport) == [.walk, .swim])
        #expect(workouts.map(\.routes) == [["route_1.gpx"], ["route_1.gpx"]])
    }

    @Test(
        "have the distance of either element in kilometres, miles or metres",
        arguments: [
            ("1.75", "km", 1_750_000), ("1.0874", "mi", 1_750_001), ("1750", "m", 1_750_000),
            ("1", "furlong", nil), ("-1", "km", nil), ("1e9", "km", nil), ("999999999", "mi", nil),
        ] as [(String, String, UInt64?)])
    func distances(_ row: (sum: String, unit: String, millimetres: UInt64?)) throws {
        let new = Self.workout(
            "Walking", "09:00:00", "10:00:00",
            "<WorkoutStatistics type=\"HKQuantityTypeIdentifierDistanceWalkingRunning\" "
                + "sum=\"\(row.sum)\" unit=\"\(row.unit)\"/>")
        let old = Self.workout("Walking", "09:00:00", "10:00:00").replacing(
            "sourceName", with: "totalDistance=\"\(row.sum)\" totalDistanceUnit=\"\(row.unit)\" a")
        for text in [new, old] {
            let reports = sessions(try walks(text).facts)
            #expect(reports.map(\.distanceMillimetres) == [row.millimetres])
        }
    }

    /// Half an hour and 2.7 km, walked eastwards: of each place the second and the metres.
    private static let ways: [(name: String, places: [(Int64, Double)], pauses: String)] = {
        let even = (0..<1_800).map { (Int64($0), Double($0) * 1.5) }
        let pause = "<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"2026-03-01 09:"
        let resume = pause.replacing("Pause", with: "Resume")
        let (turn, late) = ("\(pause)10:00 +0100\"/>", "\(resume)20:00 +0100\"/>")
        return [
            ("whole", even, ""), ("in parts, of which the last comes first", even.reversed(), ""),
            ("in the middle", Array(even[600..<900]), ""), ("none", [], ""),
            ("with noise", even.map { ($0, $1 + Double($0 % 2) * 9) }, ""),
            ("a place each minute", even.filter { $0.0 % 60 == 0 }, ""),
            ("paused", even, turn + late), ("paused, and no place", [], turn + late),
            ("paused at the end", even.filter { $0.0 <= 600 }, turn),
            ("paused at the end, and no place", [], turn),
            ("resumed alone", even, late), ("also outside", even + [(-1, -1.5), (1_801, 0)], ""),
        ]
    }()

    @Test("have the distance that is their own, wherever their routes are", arguments: ways)
    func routeSums(_ route: (name: String, places: [(Int64, Double)], pauses: String)) throws {
        let places = route.places.map {
            PositionFixed(
                latitudeE7: 0, longitudeE7: Int64($1 * 1e7 / 111_195),
                fixedAtMilliseconds: 1_772_352_000_000 + $0 * 1_000)
        }
        let sum = Self.parts.replacing("1.75", with: "2.7").split(separator: "\n").dropFirst(3)
        let workout = Self.workout(
            "Walking", "09:00:00", "09:30:00", route.pauses + sum.joined(separator: "\n"))
        for hearts in ["", Self.heart("99", "09:05:00") + Self.heart("99", "09:15:00")] {
            let walk = try #require(sessions(try walks(hearts + workout, places).facts).first)
            #expect(walk.elapsedMilliseconds == 1_800_000)
            #expect(walk.distanceMillimetres == 2_700_000 && walk.steps == 2_345, "\(route.name)")
        }
    }

    @Test("are of the sport that their type names, and walks if it is not known")
    func sports() throws {
        let kinds = ["Walking", "Hiking", "Running", "WheelchairWalkPace", "Other"]
        let others = ["Cycling", "HandCycling", "Swimming", "Yoga", "MixedCardio", "Rowing"]
        let texts = (kinds + others).map { Self.workout($0, "09:00:00", "10:00:00") }
        let sports = try walks(texts.joined()).workouts.map(\.sport)
        #expect(sports.prefix(5) == [.walk, .hike, .run, .walk, nil])
        #expect(sports.dropFirst(5) == [.ride, .ride, .swim, .other, .other, .other])
    }

    @Test("name routes that lie next to the export, wherever a path points, and no others")
    func routes() throws {
        let paths = [
            "/workout-routes/a.gpx", "../../etc/b.gpx", "/etc/passwd", "..", "", "a/.hidden", "/",
            String(repeating: "x", count: 256),
        ]
        let elements = paths.map { "<WorkoutRoute><FileReference path=\"\($0)\"/></WorkoutRoute>" }
        let many = [String](repeating: elements[0], count: 100_000)
        let workouts = try walks(
            Self.workout("Walking", "09:00:00", "10:00:00", elements.joined())
                + Self.workout("Walking", "11:00:00", "12:00:00", many.joined())
        ).workouts
        #expect(workouts[0].routes == ["a.gpx", "b.gpx", "passwd"])
        #expect(workouts[1].routes.count == 100_000 - paths.count)
    }

    @Test("have no intervals of beats whose times are too coarse, and say so of theirs alone")
    func beats() throws {
        func variability(_ time: String) -> String {
            Self.heart("40", time, unit: "ms")
                .replacing("HeartRate\"", with: "HeartRateVariabilitySDNN\"")
                .replacing(
                    "/>",
                    with: """
                        ><HeartRateVariabilityMetadataList>
                        <InstantaneousBeatsPerMinute bpm="95" time="6:14:48.94 PM"/>
                        <InstantaneousBeatsPerMinute bpm="94" time="6:14:49.58 PM"/>
                        </HeartRateVariabilityMetadataList></Record>
                        """)
        }
        let (facts, leftOut, _) = try walks(
            variability("08:00:00") + variability("09:10:00")
                + Self.workout("Walking", "09:00:00", "10:00:00"))
        #expect(leftOut == ["beats of heart rate variability, whose times are too coarse": 2])
        #expect(sessions(facts).map(\.heartRate.samples) == [0])
    }

    @Test("are left out where they overlap, or cannot be read")
    func overlapping() throws {
        let (facts, leftOut, workouts) = try walks(
            Self.workout("Running", "09:00:00", "10:00:00")
                + Self.workout("Walking", "09:30:00", "09:40:00")
                + Self.workout("Hiking", "12:00:00", "11:00:00")
                + Self.workout("Hiking", "13:00:00", "14:00:00") + Self.heart("80", "13:30:00"))
        #expect(sessions(facts).map(\.heartRate.samples) == [0, 1])
        #expect(leftOut == ["workouts that cannot be read": 1] && workouts.count == 3)
    }
}
