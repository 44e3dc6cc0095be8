package import Events

/// A workout that a health store tells of.
package struct HealthWorkout: Hashable, Sendable {
    /// The most workouts of a store: ten a day for five years.
    static let limit = 20_000
    /// The most routes of all of them: a watch that is busy cuts one into some twenty files.
    static let routeLimit = 100_000

    /// When it began and ended, in UTC milliseconds.
    package let span: ClosedRange<Int64>
    /// What it was; nil if the store does not say.
    package let sport: Sport?
    /// Minutes east of UTC that its dates are written in; nil if nothing says.
    package let offsetMinutes: Int64?
    /// What the files of its routes are called, without their folders.
    package private(set) var routes: [String] = []
    /// When it was paused and went on.
    var pauses: [Int64] = []
    var resumes: [Int64] = []
    /// Its steps and its distance, where the store sums them up.
    var steps: UInt64?
    var distanceMillimetres: UInt64?
    /// Whose heart rates are of it; nil for those of all.
    var device: Int64?

    /// Takes what a path has after its last slash: wherever it points, the file is looked for next
    /// to the store.
    mutating func addRoute(_ path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard (1...255).contains(name.utf8.count),
            !name.hasPrefix("."), !name.utf8.contains(0)
        else { return }
        routes.append(name)
    }

    /// Those that did not begin during an earlier one, which another program has told as well.
    ///
    /// - Parameter workouts: In any order.
    /// - Returns: The workouts in order.
    package static func apart(_ workouts: [HealthWorkout]) -> [HealthWorkout] {
        workouts.sorted { $0.span.lowerBound < $1.span.lowerBound }.reduce(into: []) {
            if $1.span.lowerBound >= $0.last?.span.upperBound ?? .min { $0.append($1) }
        }
    }
}

/// Workouts with the heart rates in them, of which walks are made one by one.
package struct HealthWalks: Sendable {
    /// The most heart rates: a hundred days of one each five seconds.
    private static let limit = 2_000_000

    /// In order, none within another; those whose heart rates are wanted.
    private let workouts: [HealthWorkout]
    private var hearts: [(at: Int64, bpm: UInt16)] = []
    /// Whether an element may be a beat of a workout.
    var beats = false
    /// What does not become a part of a walk.
    package internal(set) var facts = WalkFacts()

    init(_ apart: [HealthWorkout] = []) { workouts = apart }

    /// Whether a moment is within a workout, of a device.
    func contains(_ moment: Int64, of device: Int64? = nil) -> Bool {
        let index = workouts.partitioningIndex { $0.span.upperBound >= moment }
        return index < workouts.count && workouts[index].span.contains(moment)
            && workouts[index].device == device
    }

    mutating func add(_ bpm: UInt16, at moment: Int64) {
        guard hearts.count < Self.limit else {
            return facts.leaveOut("heart rates after the first 2 million")
        }
        hearts.append((moment, bpm))
    }

    /// Says that no heart rate follows.
    mutating func finish() {
        hearts.sort { ($0.at, $0.bpm) < ($1.at, $1.bpm) }
    }

    /// Adds a workout as a walk: what the store sums up of it counts, spread over its places.
    ///
    /// - Parameters:
    ///   - workout: The workout.
    ///   - places: Those of its routes, in any order.
    ///   - facts: The walks.
    package func add(
        _ workout: HealthWorkout, _ places: [PositionFixed] = [], to facts: inout WalkFacts
    ) {
        let (start, end) = (workout.span.lowerBound, workout.span.upperBound)
        facts.offsetMinutes = workout.offsetMinutes
        var draft = WalkDraft(keptIn: nil)
        draft.whole = WalkDraft.Sum(
            start: start, end: end, steps: workout.steps,
            distanceMillimetres: workout.distanceMillimetres)
        (draft.sport, draft.knowsStops) = (workout.sport, true)
        let resumes = workout.resumes.sorted()
        draft.stops = workout.pauses.map { pause in
            pause...(resumes.first { $0 >= pause } ?? .max)
        }
        func tell(_ fact: Event, _ count: WalkCount) {
            if let refusal = draft.told.add(fact, at: count.at) { facts.leaveOut(refusal) }
            draft.add(count)
        }
        var way = WalkedWay()
        func time(_ place: PositionFixed) -> Int64 { place.fixedAtMilliseconds ?? .min }
        for place in places.sorted(by: { time($0) < time($1) }) {
            guard workout.span.contains(time(place)) else {
                facts.leaveOut("positions that are not of their workout")
                continue
            }
            way.take(place)
            draft.hasPlaces = true
            tell(.position(place), WalkCount(at: time(place), wayMillimetres: way.millimetres))
        }
        let first = hearts.partitioningIndex { $0.at >= start }
        for heart in hearts[first...].prefix(while: { $0.at <= end }) {
            tell(.heartRate(heart.bpm, rrTicks: []), WalkCount(at: heart.at))
        }
        var counting = WalkCounting()
        _ = draft.close(into: &facts, &counting)
    }
}
