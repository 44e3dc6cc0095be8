internal import Events
internal import Text
internal import XML

/// Collects the workouts of Apple Health's `export.xml`.
///
/// Source of the form: the document type at the head of the file itself. Workouts stand after the
/// records, so that their heart rates are read in a second pass.
struct AppleHealthWorkouts {
    /// The most pauses of one.
    private static let turnLimit = 1_000
    /// Units of distances, in micrometres.
    private static let units: [(name: String, micrometres: Int64)] = [
        ("km", 1_000_000_000), ("mi", 1_609_344_000), ("m", 1_000_000),
    ]

    private(set) var all: [HealthWorkout] = []
    /// What does not become a walk, or a part of one.
    private(set) var facts = WalkFacts()
    private var isInside = false
    private var routeCount = 0

    mutating func take(_ element: borrowing XMLElement) {
        switch element.depth {
        case 2:
            isInside = false
            guard element.isNamed("Workout") else { return }
            begin(element)
        case 3 where isInside: takePart(element)
        case 4 where isInside && element.isNamed("FileReference"):
            routeCount += 1
            guard routeCount <= HealthWorkout.routeLimit else {
                return facts.leaveOut("routes beyond what one export holds")
            }
            if let path = element.attribute("path") { all[all.count - 1].addRoute(path) }
        default: break
        }
    }

    private mutating func begin(_ element: borrowing XMLElement) {
        guard let start = element.attribute("startDate").flatMap({ InstantText($0) }),
            let end = element.attribute("endDate").flatMap({ InstantText($0) }),
            start.milliseconds <= end.milliseconds, all.count < HealthWorkout.limit
        else { return facts.leaveOut("workouts that cannot be read") }
        isInside = true
        let name = element.attribute("workoutActivityType")?.dropFirst(21) ?? ""
        var workout = HealthWorkout(
            span: start.milliseconds...end.milliseconds,
            sport: Sport(named: String(name)) ?? (["", "Other"].contains(name) ? nil : .other),
            offsetMinutes: start.offsetMinutes)
        // Before iOS 16 the sum stands here.
        workout.distanceMillimetres = Self.distance(
            element.attribute("totalDistance"), element.attribute("totalDistanceUnit"))
        all.append(workout)
    }

    private mutating func takePart(_ element: borrowing XMLElement) {
        let last = all.count - 1
        if element.isNamed("WorkoutEvent") {
            let isPause = element.attribute("type", is: "HKWorkoutEventTypePause")
            guard isPause || element.attribute("type", is: "HKWorkoutEventTypeResume") else {
                return
            }
            guard let at = element.attribute("date").flatMap({ InstantText($0) }),
                all[last].pauses.count + all[last].resumes.count < Self.turnLimit
            else { return facts.leaveOut("pauses that cannot be read") }
            if isPause {
                all[last].pauses.append(at.milliseconds)
            } else {
                all[last].resumes.append(at.milliseconds)
            }
        } else if element.isNamed("WorkoutStatistics") {
            if element.attribute("type", is: "HKQuantityTypeIdentifierStepCount") {
                all[last].steps = element.attribute("sum")?.whole(upTo: 1 << 53 - 1)
            } else if element.attribute(
                "type", is: "HKQuantityTypeIdentifierDistanceWalkingRunning")
            {
                all[last].distanceMillimetres = Self.distance(
                    element.attribute("sum"), element.attribute("unit"))
            }
        }
    }

    private static func distance(_ sum: String?, _ unit: String?) -> UInt64? {
        // Millionths of up to 100,000 km.
        guard let unit = units.first(where: { $0.name == unit }),
            let millionths = sum?.whole(upTo: 100_000_000_000_000, timesTenTo: 6)
        else { return nil }
        let product = UInt128(millionths) * UInt128(unit.micrometres) + 500_000_000
        return UInt64(product / 1_000_000_000)
    }
}

extension HealthWalks {
    /// Looks at an element, in the second pass.
    mutating func take(_ element: borrowing XMLElement) {
        if element.depth == 2 {
            beats = false
            guard element.isNamed("Record") else { return }
            let isHeart = element.attribute("type", is: "HKQuantityTypeIdentifierHeartRate")
            let isVariability = element.attribute(
                "type", is: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN")
            guard isHeart || isVariability,
                let start = element.attribute("startDate").flatMap({ InstantText($0) }),
                contains(start.milliseconds)
            else { return }
            guard isHeart else { return beats = true }
            guard element.attribute("unit", is: "count/min"),
                let rate = element.attribute("value").flatMap(\.heartRateBPM)
            else { return facts.leaveOut("heart rates that cannot be read") }
            add(rate, at: start.milliseconds)
        } else if beats, element.depth == 4, element.isNamed("InstantaneousBeatsPerMinute") {
            // No interval follows from them: a beat that was missed leaves no trace, their times
            // are cut to 10 ms, and have no date, and no zone.
            facts.leaveOut("beats of heart rate variability, whose times are too coarse")
        }
    }
}
