package import Projections
internal import Text

/// A figure of a walk as the page shows it, under way and over; `sessions show` has some of them.
///
/// One more figure is one more entry in ``all``; JSON has it by a line of `SessionReport+JSON`.
package struct Measure: Hashable, Sendable {
    typealias Of<Value> = @Sendable (SessionReport, Units) -> Value

    /// What programs call it.
    package let key: String
    /// What people call it, if it is something else.
    var label: String?
    /// Whether it is a line of `sessions show`, and not part of one that says more.
    var isLine = false
    /// Its icon on the page, and the class of its colour.
    package let picture: String
    /// Whether walks with these sensors have it, once they are over.
    var isOf: @Sendable (WalkSensors) -> Bool = { _ in true }
    /// What it is of, next to the number or a dash.
    var unit: Of<String> = { _, _ in "" }
    /// The number of a walk; nil where it is not known.
    var number: Of<UInt64?> = { _, _ in nil }
    /// The number as people read it.
    var value: @Sendable (UInt64, Units) -> String = { number, _ in grouped(number) }
    /// What is below it.
    var note: Of<String> = { _, _ in "" }

    private static let time: @Sendable (UInt64, Units) -> String = { time, _ in
        TimeText.duration(time)
    }

    /// What people call it.
    package var name: String { label ?? capitalized(key) }

    /// Measures are the same that programs call the same.
    package static func == (one: Measure, other: Measure) -> Bool { one.key == other.key }

    /// Hashes its key.
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// All of a walk that is over, in the order in which they are shown.
    package static let all = [
        distance, active, pace, steps, climb, mean, highest, raised, energy, paused,
    ]

    /// How far.
    package static let distance = Measure(
        key: "distance", picture: "distance c-distance", isOf: \.hasWay,
        unit: { $1.distanceName }, number: { walk, _ in walk.knownDistanceMillimetres },
        value: { $1.distanceNumber($0) })
    /// For how long, without pauses.
    package static let active = Measure(
        key: "active", picture: "time c-time", number: { walk, _ in walk.activeMilliseconds },
        value: time)
    /// Time per kilometre or mile.
    package static let pace = Measure(
        key: "pace", isLine: true, picture: "walk", isOf: \.hasWay, unit: { $1.paceName },
        number: { $1.paceMilliseconds($0.knownDistanceMillimetres, $0.activeMilliseconds) },
        value: time)
    /// The steps that were counted.
    package static let steps = Measure(
        key: "steps", picture: "steps c-today", isOf: \.hasCounter,
        unit: { walk, _ in walk.steps == 1 ? "step" : "steps" },
        number: { walk, _ in walk.knownSteps })
    /// How much of it went up.
    package static let climb = Measure(
        key: "climb", picture: "climb c-today", isOf: \.hasPositions, unit: { $1.climbName },
        number: { walk, _ in walk.route.hasHeights ? walk.route.ascentMillimetres : nil },
        value: { $1.climbNumber($0) })
    /// The mean heart rate over time.
    package static let mean = Measure(
        key: "mean", label: "Mean over time", picture: "mean c-heart", isOf: \.hasHeart,
        unit: { _, _ in "BPM" }, number: { walk, _ in walk.heartRate.timeWeightedMean?.value },
        value: { mean, _ in "\(whole(hundredths: mean))" })
    /// The highest heart rate, supported if one is.
    package static let highest = Measure(
        key: "highest", picture: "best", isOf: \.hasHeartOnly, unit: { _, _ in "BPM" },
        number: { walk, _ in
            (walk.heartRate.supportedMaximum ?? walk.heartRate.maximum).map { UInt64($0.bpm) }
        })
    /// The time above the lowest zone.
    package static let raised = Measure(
        key: "raised", picture: "zone c-today", isOf: \.hasHeartOnly,
        unit: { walk, _ in "\(walk.heartRate.zones.bounds.legend[1].1) BPM" },
        number: { walk, _ in
            guard walk.heartRate.samples > 0 else { return nil }
            return walk.heartRate.zones.all.dropFirst().reduce(UInt64(0)) { $0.plus($1.shown) }
        }, value: time)
    /// What steps and weight tell of it, or the heart rate where nothing counts steps.
    package static let energy = Measure(
        key: "energy", picture: "energy c-energy", isOf: { $0.hasCounter || $0.hasHeart },
        unit: { _, _ in "kcal" },
        number: { walk, _ in
            (walk.isCounted ? nil : walk.heartRateEnergyCalories) ?? walk.knownEnergyCalories
        }, value: { calories, _ in "\(kilocalories(calories).prefix { $0 != " " })" },
        note: { walk, units in
            let isAssumed = walk.isWeightAssumed && walk.knownEnergyCalories != nil
            return !walk.isCounted
                ? "by your heart rate" : isAssumed ? "\(units.weight(70_000)) assumed" : ""
        })
    /// How long the pauses were; where there are lanes, those show it.
    package static let paused = Measure(
        key: "paused", picture: "pause", isOf: { !$0.hasWay && !$0.hasHeart },
        number: { walk, _ in walk.accounting.shownPauses }, value: time)
    /// Time per kilometre or mile now, which a walk that is over has not.
    package static let paceNow = Measure(key: "paceNow", label: "Pace now", picture: "pace c-time")
    /// The steps of the day, which a walk has not.
    package static let today = Measure(key: "today", picture: "today c-today")
}

/// What a session did not count is not 0 but unknown.
extension SessionReport {
    /// A measure, or a dash of its unit.
    package func figure(_ measure: Measure, _ units: Units) -> Figure {
        let number = measure.number(self, units)
        return Figure(
            value: number.map { measure.value($0, units) } ?? "–", unit: measure.unit(self, units))
    }
}

extension Hundredths {
    /// A mean heart rate as people read it: `122 BPM`.
    var bpm: String { "\(whole(hundredths: value)) BPM" }
}
