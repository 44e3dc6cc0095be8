public import Events
public import JSON
internal import Text

/// A goal as it is chosen and typed: what may be, what it is called, and what is next to it.
public struct GoalView: JSONObject {
    /// The goal, within what a walker can choose.
    public let goal: Goal
    private let kind: Kind

    /// How a kind of goal is chosen, in its own unit: steps, millimetres, milliseconds.
    private struct Kind {
        let name: String
        let unit: String
        /// One of what is typed.
        let scale: UInt64
        let step: UInt64
        let stepWords: String
        let highest: UInt64
        let initial: UInt64

        init?(_ kind: GoalKind) {
            switch kind {
            case .none, .daily: return nil
            case .steps: self.init("Steps", "steps", 1, 500, "500 steps", 100_000, 6_000)
            case .distance:
                self.init(
                    "Distance", "kilometres", 1_000_000, 500_000, "half a kilometre", 200_000_000,
                    5_000_000)
            case .duration:
                self.init("Time", "minutes", 60_000, 300_000, "5 minutes", 86_400_000, 2_700_000)
            }
        }

        private init(
            _ name: String, _ unit: String, _ scale: UInt64, _ step: UInt64, _ stepWords: String,
            _ highest: UInt64, _ initial: UInt64
        ) {
            (self.name, self.unit, self.scale, self.step) = (name, unit, scale, step)
            (self.stepWords, self.highest, self.initial) = (stepWords, highest, initial)
        }
    }

    /// Chooses a goal.
    ///
    /// - Parameters:
    ///   - name: The name of its kind; nil is the answer to one that nobody chooses by a number.
    ///   - target: What is aimed at; nil for what is proposed.
    public init?(_ name: String, target: UInt64?) {
        guard let chosen = GoalKind.allCases.first(where: { $0.name == name }),
            let kind = Kind(chosen)
        else { return nil }
        self.kind = kind
        let target = target.flatMap { $0 > 0 ? $0 : nil } ?? kind.initial
        goal = Goal(kind: chosen, target: min(target, kind.highest))
    }

    /// Chooses what somebody has typed, in the unit of the kind; what is no number is passed over.
    public init?(_ name: String, typed text: String) {
        guard let scale = GoalView(name, target: nil)?.kind.scale else { return nil }
        let isSplit = scale % 100 == 0
        let parts = text.replacing(",", with: isSplit ? "." : "")
            .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.filter { ("0"..."9").contains($0) } }
        let whole = UInt64(parts.first.map { $0.isEmpty ? "0" : $0 } ?? "0") ?? .max
        let decimals = isSplit && parts.count > 1 ? parts[1].prefix(2) : ""
        let hundredths = UInt64(decimals + String(repeating: "0", count: 2 - decimals.count)) ?? 0
        let (product, isBeyond) = whole.multipliedReportingOverflow(by: scale)
        let target = isBeyond ? UInt64.max : product + hundredths * scale / 100
        self.init(name, target: target)
    }

    /// The target as it is typed: `6,000`, `5.5`, `45`.
    private var text: String {
        guard kind.scale > 1 else { return grouped(goal.target) }
        return decimal(hundredths: (goal.target + kind.scale / 200) / (kind.scale / 100))
    }

    /// Writes the goal, its neighbours, and what is said of it.
    public func writeFields(to json: inout JSONWriter) {
        json.field("kind", goal.kind.name)
        json.field("name", kind.name)
        json.field("target", goal.target)
        json.field("typed", text)
        json.field("text", goal.text)
        json.field("unit", kind.unit)
        let steps = goal.target / kind.step
        let isWhole = goal.target % kind.step == 0
        json.field("less", max(kind.step, steps.minus(isWhole ? 1 : 0) * kind.step))
        json.field("more", (steps + 1) * kind.step)
        json.field("lessWords", "\(kind.stepWords) less")
        json.field("moreWords", "\(kind.stepWords) more")
        json.field("turn", "Tells you to turn at \(goal.halfway.text)")
    }
}

extension Goal {
    /// The goal of half the way.
    var halfway: Goal { Goal(kind: kind, target: target - target / 2) }

    /// What is told where somebody is to turn around.
    public var turnSentence: String {
        "You are halfway to the goal (\(text) in all): turn around now."
    }

    /// What is told once it is reached.
    public var reachedSentence: String {
        "Goal reached: \(text). The session goes on until you stop it."
    }
}

/// What a page asks for once: what can be chosen, what may be typed, and names.
public struct PageTables: JSONObject {
    /// Gives the tables, which are the same for every walker.
    public init() {}

    /// Writes them.
    public func writeFields(to json: inout JSONWriter) {
        json.field("longestMark", SessionMarked.typedLimit)
        json.list("goals", [GoalKind.steps, .distance, .duration]) { json, kind in
            json.field("initial", GoalView(kind.name, target: nil))
            json.field(
                "presets",
                GoalPreset.targets(of: kind).compactMap { GoalView(kind.name, target: $0) })
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
    public static var typedLimit: Int { 60 }
}

extension Role {
    /// What a list calls it.
    var label: String {
        switch self {
        case .heart: "heart"
        case .pedometer: "steps"
        }
    }

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
