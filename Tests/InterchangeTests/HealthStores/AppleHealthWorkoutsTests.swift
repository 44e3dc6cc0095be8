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

    /// Reads an export twice, as its form makes necessary.
    private func walks(_ elements: String, pieces size: Int = 1_000) throws -> WalkFacts {
        func read(_ export: inout AppleHealthExport) throws {
            var records = StepRecords { _ in 60 }
            var rest = Array("<HealthData>\(elements)</HealthData>".utf8)[...]
            while !rest.isEmpty {
                try export.push(Array(rest.prefix(size)), into: &records)
                rest = rest.dropFirst(size)
            }
            try export.finish(into: &records)
        }
        var first = AppleHealthExport()
        try read(&first)
        var second = AppleHealthExport(heartRatesOf: first.workouts)
        try read(&second)
        return second.walks
    }

    /// The walks that the facts give.
    private func reports(_ facts: WalkFacts) throws -> [SessionReport] {
        let file = ImportBegan(
            fileName: "a", format: "apple-health", sha256: [UInt8](repeating: 1, count: 32))
        var batch = facts.events(of: file)
        batch.setSource(1)
        var state = LogState()
        for index in 0..<batch.count { batch.withEvent(at: index) { state.evolve($0) } }
        #expect(state.findings.total == 0)
        return state.sessionReports(at: state.lastMoment)
    }

    @Test("have no heart rate of 0, or beyond every number")
    func impossibleRates() throws {
        let facts = try walks(
            Self.heart("922337203685477580.7", "09:00:01") + Self.heart("0", "09:00:02")
                + Self.workout("Walking", "09:00:00", "09:30:00"))
        #expect(
            facts.leftOut.contains { $0.what == "heart rates that cannot be read" && $0.count == 2 }
        )
    }

    @Test("become walks with their pauses, steps, distance and heart rates", arguments: [7, 1_000])
    func whole(size: Int) throws {
        let facts = try walks(
            Self.heart("70", "08:59:59") + Self.heart("100", "09:00:00")
                + Self.heart("120.4", "09:20:00") + Self.heart("90", "09:12:00")
                + Self.heart("300000", "09:21:00") + Self.heart("130", "10:00:01")
                + Self.workout("Walking", "09:00:00", "10:00:00", Self.parts)
                + Self.workout("Swimming", "11:00:00", "11:30:00", Self.parts),
            pieces: size)
        let reports = try reports(facts)
        let walk = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(walk.startedAtMilliseconds == 1_772_352_000_000)
        #expect(walk.elapsedMilliseconds == 3_600_000 && walk.pausedMilliseconds == 300_000)
        #expect(walk.steps == 2_345 && walk.distanceMillimetres == 1_750_000)
        #expect(walk.heartRate.samples == 2)
        #expect(facts.offsetMinutes == 60)
        let leftOut = Dictionary(uniqueKeysWithValues: facts.leftOut.map { ($0.what, $0.count) })
        #expect(leftOut["workouts that are not on foot"] == 1)
        #expect(leftOut["heart rates that cannot be read"] == 1)
        #expect(leftOut["routes in files of their own"] == 1)
    }

    @Test("are left out where they overlap, or cannot be read")
    func overlapping() throws {
        let facts = try walks(
            Self.workout("Running", "09:00:00", "10:00:00")
                + Self.workout("Walking", "09:30:00", "09:40:00")
                + Self.workout("Hiking", "12:00:00", "11:00:00")
                + Self.workout("Hiking", "13:00:00", "14:00:00") + Self.heart("80", "13:30:00"))
        #expect(try reports(facts).map(\.heartRate.samples) == [0, 1])
        #expect(facts.leftOut.map(\.count) == [1, 1])
    }
}
