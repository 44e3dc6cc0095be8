internal import XML

/// A workout on foot in Apple Health's `export.xml`.
public struct AppleHealthWorkout: Hashable, Sendable {
    /// When it began and ended, in UTC milliseconds.
    public let span: ClosedRange<Int64>
    /// Minutes east of UTC that its dates are written in.
    public let offsetMinutes: Int64
    /// When it was paused and went on.
    fileprivate(set) var pauses: [Int64] = []
    fileprivate(set) var resumes: [Int64] = []
    /// Its steps and its distance, where the export sums them up.
    fileprivate(set) var steps: UInt64?
    fileprivate(set) var distanceMillimetres: UInt64?
}

/// Collects the workouts on foot of an export.
///
/// Source of the form: the document type at the head of the file itself. Workouts stand after the
/// records, so that their heart rates are read in a second pass: ``WorkoutHearts``.
struct AppleHealthWorkouts {
    /// The most workouts: ten a day for five years.
    private static let limit = 20_000
    /// The most pauses of one.
    private static let turnLimit = 1_000

    private(set) var all: [AppleHealthWorkout] = []
    /// Those that did not begin during an earlier one, which another program has told as well.
    var apart: [AppleHealthWorkout] {
        all.sorted { $0.span.lowerBound < $1.span.lowerBound }.reduce(into: []) { apart, workout in
            if workout.span.lowerBound >= apart.last?.span.upperBound ?? .min {
                apart.append(workout)
            }
        }
    }
    /// What does not become a walk, or a part of one.
    private(set) var facts = WalkFacts()
    private var isInside = false

    mutating func take(_ element: borrowing XMLElement) {
        switch element.depth {
        case 2:
            isInside = false
            guard element.isNamed("Workout") else { return }
            begin(element)
        case 3 where isInside: takePart(element)
        case 4 where isInside && element.isNamed("FileReference"):
            facts.leaveOut("routes in files of their own")
        default: break
        }
    }

    private mutating func begin(_ element: borrowing XMLElement) {
        let isOnFoot =
            element.attribute("workoutActivityType", is: "HKWorkoutActivityTypeWalking")
            || element.attribute("workoutActivityType", is: "HKWorkoutActivityTypeHiking")
            || element.attribute("workoutActivityType", is: "HKWorkoutActivityTypeRunning")
        guard isOnFoot else { return facts.leaveOut("workouts that are not on foot") }
        guard let start = element.attribute("startDate").flatMap(InstantText.init),
            let end = element.attribute("endDate").flatMap(InstantText.init),
            start.milliseconds <= end.milliseconds, all.count < Self.limit
        else { return facts.leaveOut("workouts that cannot be read") }
        isInside = true
        all.append(
            AppleHealthWorkout(
                span: start.milliseconds...end.milliseconds, offsetMinutes: start.offsetMinutes))
    }

    private mutating func takePart(_ element: borrowing XMLElement) {
        let last = all.count - 1
        if element.isNamed("WorkoutEvent") {
            let isPause = element.attribute("type", is: "HKWorkoutEventTypePause")
            guard isPause || element.attribute("type", is: "HKWorkoutEventTypeResume") else {
                return
            }
            guard let at = element.attribute("date").flatMap(InstantText.init),
                all[last].pauses.count + all[last].resumes.count < Self.turnLimit
            else { return facts.leaveOut("pauses that cannot be read") }
            if isPause {
                all[last].pauses.append(at.milliseconds)
            } else {
                all[last].resumes.append(at.milliseconds)
            }
        } else if element.isNamed("WorkoutStatistics") {
            guard let sum = element.attribute("sum").flatMap(DecimalText.init) else { return }
            if element.attribute("type", is: "HKQuantityTypeIdentifierStepCount") {
                all[last].steps = sum.whole(timesTenTo: 0).flatMap { UInt64(exactly: $0) }
            } else if element.attribute(
                "type", is: "HKQuantityTypeIdentifierDistanceWalkingRunning"),
                element.attribute("unit", is: "km")
            {
                all[last].distanceMillimetres = sum.whole(timesTenTo: 6).flatMap {
                    UInt64(exactly: $0)
                }
            }
        }
    }
}

/// Finds the heart rates within workouts, and makes a walk of each.
struct WorkoutHearts {
    /// The workouts, in order, none within another.
    private var workouts: [AppleHealthWorkout] = []
    private(set) var facts = WalkFacts()

    init(_ apart: [AppleHealthWorkout]) {
        workouts = apart
        for workout in apart { add(workout) }
        facts.offsetMinutes = workouts.first?.offsetMinutes
    }

    private mutating func add(_ workout: AppleHealthWorkout) {
        let (start, end) = (workout.span.lowerBound, workout.span.upperBound)
        facts.add(.began, at: start)
        for pause in workout.pauses where workout.span.contains(pause) {
            facts.add(.paused, at: pause)
        }
        for resume in workout.resumes where workout.span.contains(resume) {
            facts.add(.resumed, at: resume)
        }
        if let steps = workout.steps {
            let distance = workout.distanceMillimetres
            facts.add(.walked(steps: steps, distanceMillimetres: distance), at: end)
        }
        facts.add(.ended, at: end)
    }

    mutating func take(_ element: borrowing XMLElement) {
        if element.depth == 4, element.isNamed("InstantaneousBeatsPerMinute") {
            // Their times are without a date, and written as the phone's language wants it.
            return facts.leaveOut("beats of heart rate variability")
        }
        guard element.depth == 2, element.isNamed("Record"),
            element.attribute("type", is: "HKQuantityTypeIdentifierHeartRate"),
            let start = element.attribute("startDate").flatMap(InstantText.init),
            isInWorkout(start.milliseconds)
        else { return }
        guard element.attribute("unit", is: "count/min"),
            let rate = element.attribute("value").flatMap(\.heartRateBPM)
        else { return facts.leaveOut("heart rates that cannot be read") }
        facts.add(.heartRate(rate, rrTicks: []), at: start.milliseconds)
    }

    /// Whether a moment is within a workout.
    private func isInWorkout(_ moment: Int64) -> Bool {
        var (low, high) = (0, workouts.count)
        while low < high {
            let middle = (low + high) / 2
            if workouts[middle].span.upperBound < moment { low = middle + 1 } else { high = middle }
        }
        return low < workouts.count && workouts[low].span.contains(moment)
    }
}
