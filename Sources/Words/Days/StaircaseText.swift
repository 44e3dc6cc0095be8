internal import Events
internal import Interchange
public import Projections
internal import Text

/// A day's changes as lines for people, within 80 columns.
///
/// Each reconciliation stands by itself. The pedometer's changes between two other ones are one
/// line: a day has tens of thousands of them. No more than that line is kept.
public struct StaircaseText {
    private var run: PedometerRun?
    /// The day and the offset of the line before.
    private var day: LocalDay?

    /// What stands above the columns.
    public static let heading = Self.row("position", "time", "steps", ["why"])

    /// Makes lines of no change yet.
    public init() {}

    private static let indent = String(repeating: " ", count: 34)

    /// Takes a change.
    ///
    /// - Returns: The lines that are whole now, each with its end.
    public mutating func add(_ change: StepsChange) -> String {
        var text = ""
        if day != change.localDay {
            text = flush() + "\(change.localDay)\n"
            day = change.localDay
        }
        guard change.cause != .pedometer || change.covered != nil else {
            if run?.add(change) == nil { run = PedometerRun(change) }
            return text
        }
        return text + flush() + Self.text(change)
    }

    /// The line that still waits for more of its kind, or nothing.
    public mutating func flush() -> String {
        defer { run = nil }
        return run.map { Self.row($0.first, after: $0.last.after, $0.words) } ?? ""
    }

    private static func text(_ change: StepsChange) -> String {
        var words = change.cause.name + ": "
        switch change.cause {
        case .pedometer:
            words += "+\(grouped(change.after - change.before))"
            words += change.countedBy.map { " by \($0)" } ?? ""
            if let covered = change.covered { words += Self.words(covered) }
        case .setAside:
            words += change.setAside?.wordsWithReason ?? ""
        case .correction: words += "\(grouped(change.corrected)) corrected, shown as before"
        case .lateTotal, .legacyValue:
            words += "a total\(byWhom(change.reporter)) for a day that is not the current one"
        case .reconciliation:
            words +=
                change.reconciliation.map { Self.words($0, change.reporter) } ?? "the day begins"
        }
        return row(change, after: change.after, words)
    }

    /// What a reconciliation took off a reading.
    private static func words(_ covered: CoveredSteps) -> String {
        let (count, position) = (covered.totals.count, covered.totals.lastPosition)
        let owner =
            count > 1 ? "\(count) totals, the last at \(position)" : "the total at \(position)"
        return "; \(grouped(covered.steps)) more were already in \(owner) (rule coverUnheard)"
    }

    /// The operands and the winner.
    private static func words(_ reconciliation: Reconciliation, _ reporter: String?) -> String {
        func shown(_ operand: UInt64?) -> String { operand.map { grouped($0) } ?? "unknown" }
        let carried = reconciliation.carriedSteps
        let health =
            shown(reconciliation.health) + byWhom(reporter, before: " reported")
            + (carried > 0 ? " (including \(grouped(carried)) carried)" : "")
        let winner =
            switch reconciliation.winner {
            case .baselinePlusDelta: "baseline + delta"
            case .health: "health"
            case .persisted: "persisted"
            }
        return "max of health \(health), baseline + delta "
            + "\(grouped(reconciliation.baselinePlusDelta)), persisted "
            + "\(shown(reconciliation.persisted)): \(winner) wins"
    }

    private static func row(_ change: StepsChange, after: UInt64, _ words: String) -> String {
        row(
            "\(change.position)", change.localTime, grouped(after),
            wrapped(words, to: 80 - indent.count))
    }

    private static func row(
        _ position: String, _ time: String, _ steps: String, _ words: [String]
    ) -> String {
        let head =
            alignedRight(position, 10) + "  " + padded(time, to: 8)
            + alignedRight(steps, 12)
        let lines = [head + "  " + (words.first ?? "")] + words.dropFirst().map { indent + $0 }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Changes by the pedometer, one after the other.
private struct PedometerRun {
    let first: StepsChange
    private(set) var last: StepsChange
    private var readings: UInt64 = 1

    init(_ change: StepsChange) {
        first = change
        last = change
    }

    mutating func add(_ change: StepsChange) {
        last = change
        readings += 1
    }

    var words: String {
        let steps =
            "pedometer: +\(grouped(last.after - first.before))"
            + (last.countedBy.map { " by \($0)" } ?? "")
        guard readings > 1 else { return steps }
        return steps
            + " in \(grouped(readings)) readings until \(last.localTime) (\(last.position))"
    }
}

extension StepsChange {
    /// The date and the offset where the walker was.
    fileprivate var localDay: LocalDay {
        LocalDay(wallMilliseconds: stamp.wallMilliseconds, offsetMinutes: zoneOffsetMinutes)
    }

    /// The time of day where the walker was, `10:00:00`.
    fileprivate var localTime: String {
        let text = TimeText.local(stamp.wallMilliseconds, offsetMinutes: zoneOffsetMinutes)
        return String(text.suffix(8))
    }
}
