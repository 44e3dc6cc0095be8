package import Events
package import JSON
internal import Projections
internal import Text

/// A goal as it is chosen and typed: what may be, what it is called, and what is next to it.
package struct GoalView: JSONObject {
    /// The goal, within what a walker can choose.
    package let goal: Goal
    private let kind: Kind
    private let units: Units

    /// How a kind of goal is chosen, in its own unit: steps, millimetres, milliseconds.
    private struct Kind {
        let goal: GoalKind
        let name: String
        let unit: String
        /// What may stand after what is typed, and what one of it is.
        let scales: [String: UInt64]
        /// What can be typed, as examples.
        let examples: String
        let step: UInt64
        let stepWords: String
        let initial: UInt64

        init?(_ name: String, _ units: Units) {
            guard let goal = GoalKind.allCases.first(where: { $0.name == name }) else { return nil }
            self.goal = goal
            switch goal {
            case .none, .daily: return nil
            case .steps:
                (self.name, unit, scales) = ("Steps", "steps", ["": 1, "steps": 1])
                (examples, initial) = ("steps, such as 6,000", 6_000)
                (step, stepWords) = (500, "500 steps")
            case .distance:
                let one = units.distanceMillimetres
                (self.name, unit) = ("Distance", units.distanceNoun + "s")
                scales = Units.distances.merging(["": one]) { one, _ in one }
                examples = "\(unit), such as \(units.isInMiles ? "3 or 4.5" : "5 or 7.5")"
                (initial, step) = ((units.isInMiles ? 3 : 5) * one, one / 2)
                stepWords = "half a \(units.distanceNoun)"
            case .duration:
                (self.name, unit) = ("Time", "hours and minutes")
                // What stands before a colon are hours.
                let own: [String: UInt64] = ["": 60_000, ":": 3_600_000]
                scales = WrittenDuration.units.merging(own) { one, _ in one }
                (examples, initial) = ("hours and minutes, such as 1:30, or minutes", 3_600_000)
                (step, stepWords) = (300_000, "5 minutes")
            }
        }

        /// The target that somebody has typed; nil if that is no number of the unit, 0 for nothing.
        func target(typed text: String) -> UInt64? {
            text.allSatisfy(\.isWhitespace) ? 0 : WrittenQuantity(text, scales)?.amount
        }
    }

    /// Chooses a goal.
    ///
    /// - Parameters:
    ///   - name: The name of its kind; nil is the answer to one that nobody chooses by a number.
    ///   - target: What is aimed at; nil for what is proposed.
    ///   - units: The walker's.
    package init?(_ name: String, target: UInt64?, units: Units) {
        guard let kind = Kind(name, units), let range = kind.goal.targets else { return nil }
        (self.kind, self.units) = (kind, units)
        let target = target.flatMap { $0 > 0 ? $0 : nil } ?? kind.initial
        goal = Goal(
            kind: kind.goal, target: min(max(target, range.lowerBound), range.upperBound))
    }

    /// Chooses what somebody has typed, in the unit of the kind; nil if that cannot be read.
    package init?(_ name: String, typed text: String, units: Units) {
        guard let target = Kind(name, units)?.target(typed: text) else { return nil }
        self.init(name, target: target, units: units)
    }

    /// What can be typed, as a sentence; nil for a kind that nobody chooses by a number.
    package static func advice(_ name: String, units: Units) -> String? {
        Kind(name, units).map { "Enter \($0.examples)." }
    }

    /// The target as it is typed: `6,000`, `5.50`, `1:30`.
    private var text: String {
        switch goal.kind {
        // It is typed over, and a comma is a decimal one there.
        case .distance: return units.distanceNumber(goal.target).replacing(",", with: "")
        case .duration:
            let part = goal.target % 60_000
            return hours(goal.target - part) + decimal(hundredths: part / 600).dropFirst()
        case .none, .daily, .steps: return grouped(goal.target)
        }
    }

    /// Writes the goal, its neighbours, and what is said of it.
    package func writeFields(to json: inout JSONWriter) {
        json.field("kind", goal.kind.name)
        json.field("name", kind.name)
        json.field("target", goal.target)
        json.field("typed", text)
        json.field("text", goal.text(units))
        json.field("short", goal.short(units))
        json.field("unit", kind.unit)
        let steps = goal.target / kind.step
        let isWhole = goal.target % kind.step == 0
        json.field("less", max(kind.step, steps.minus(isWhole ? 1 : 0) * kind.step))
        json.field("more", min((steps + 1) * kind.step, goal.kind.targets?.upperBound ?? 0))
        json.field("lessWords", "\(kind.stepWords) less")
        json.field("moreWords", "\(kind.stepWords) more")
        json.field("turn", "Tells you to turn at \(goal.halfway.text(units))")
    }
}

extension Goal {
    /// The goal of half the way.
    var halfway: Goal { Goal(kind: kind, target: target - target / 2) }

    /// What is told where somebody is to turn around.
    package func turnSentence(_ units: Units) -> String {
        "You are halfway to the goal (\(text(units)) in all): turn around now."
    }

    /// What is told once it is reached.
    package func reachedSentence(_ units: Units) -> String {
        "Goal reached: \(text(units)). The walk goes on until you finish it."
    }
}

extension Units {
    /// Writes the tables that a page asks for once into an object that is open.
    ///
    /// They tell what can be chosen, what may be typed, and names, and are the same for every
    /// walker with these units.
    package func writeTables(to json: inout JSONWriter) {
        json.field("units", distanceName)
        json.object("longestBytes") { json in
            json.field("mark", 4 * SessionMarked.typedLimit)
            json.field("name", SessionDescribed.nameBytes)
            json.field("place", SessionDescribed.nameBytes)
            json.field("note", SessionDescribed.noteBytes)
            json.field("tags", SessionDescribed.tagsBytes)
        }
        json.list("goals", [GoalKind.steps, .distance, .duration]) { json, kind in
            json.field("initial", GoalView(kind.name, target: nil, units: self))
            json.field(
                "presets",
                GoalPreset.targets(of: kind, self).compactMap {
                    GoalView(kind.name, target: $0, units: self)
                })
        }
        json.list("roles", Role.allCases) { json, role in
            json.field("key", role.name)
            json.field("name", capitalized(role.label))
            json.field("none", role.absence)
        }
    }
}

extension SessionMarked {
    /// The longest text of a mark that can be typed, in characters.
    package static var typedLimit: Int { 60 }
}

extension Role {
    /// What a list calls it.
    var label: String { self == .heart ? "heart" : "steps" }

    /// What is said where nothing has the role.
    fileprivate var absence: String {
        switch self {
        case .heart:
            "No strap yet. Put yours on, then pick it from the list of what is in range. The "
                + "first one becomes your primary."
        case .pedometer:
            "No pedometer. A foot pod, a PineTime watch, or totals from a health store can count "
                + "your steps."
        }
    }
}
