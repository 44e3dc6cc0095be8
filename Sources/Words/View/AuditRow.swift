internal import Events
internal import JSON
internal import Projections
internal import Text

/// A step of a day's audit: what happened, then why the count moved or did not.
///
/// Readings of a pedometer that follow each other become one, and so does what happens again and
/// again and changes nothing.
struct AuditRow: JSONObject {
    /// What a mark in the chart stands for.
    enum Kind: String {
        /// A pedometer moved the count.
        case stair
        /// A health store's total, or an earlier program's, moved it.
        case health
        /// A health store's total did not.
        case kept
        /// The corrected figure was changed.
        case fix
        /// Nothing moved.
        case none
        /// The count fell: it must not.
        case fell
    }

    /// Readings further apart are not one step.
    private static let togetherMilliseconds: Int64 = 600_000

    private let first: StepsChange
    private var change: StepsChange
    /// How far the corrected figure moved.
    private let correction: Int64
    /// How often the same happened and changed nothing.
    private var times: UInt64 = 1
    private let names: [DeviceID: String]
    /// What counted last before, and since when the count stood where it did.
    private let counter: DeviceID?
    private let since: LocalTime?

    /// The steps of some changes, oldest first.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - names: What devices are called that have a name.
    /// - Returns: The steps.
    static func rows(_ changes: [StepsChange], _ names: [DeviceID: String]) -> [AuditRow] {
        var rows: [AuditRow] = []
        var (counter, since): (DeviceID?, LocalTime?)
        for change in changes {
            if rows.isEmpty || !rows[rows.count - 1].take(change) {
                rows.append(AuditRow(change, after: rows.last?.corrected, names, counter, since))
            }
            counter = change.countedBy ?? counter
            if change.after != change.before { since = change.time }
        }
        return rows
    }

    init(
        _ change: StepsChange, after corrected: UInt64? = nil, _ names: [DeviceID: String] = [:],
        _ counter: DeviceID? = nil, _ since: LocalTime? = nil
    ) {
        (first, self.change) = (change, change)
        (self.names, self.counter, self.since) = (names, counter, since)
        let before = corrected ?? change.before
        correction = Int64(clamping: change.corrected) - Int64(clamping: before)
    }

    /// Takes a change that continues those before; false if it is a step of its own.
    mutating func take(_ next: StepsChange) -> Bool {
        if isQuiet {
            let other = AuditRow(next, after: corrected)
            guard other.isQuiet, other.title == title, other.reason == reason else { return false }
            times += 1
        } else {
            let gap = next.stamp.wallMilliseconds.subtractingReportingOverflow(
                change.stamp.wallMilliseconds)
            guard kind == .stair, next.cause == .pedometer, next.after >= next.before,
                change.covered == nil, next.covered == nil, change.setAside == nil,
                next.setAside == nil, change.countedBy == next.countedBy,
                !gap.overflow, gap.partialValue < Self.togetherMilliseconds
            else { return false }
        }
        change = next
        return true
    }

    /// Whether no figure moved, and nothing was set aside.
    private var isQuiet: Bool {
        (kind == .kept || kind == .none) && change.after == first.before && correction == 0
            && change.setAside == nil
    }

    /// The last event of it, or the first of what happened again and again.
    var position: Position { times > 1 ? first.position : change.position }
    /// What is displayed after it.
    var count: UInt64 { change.after }
    /// The same with the corrections.
    var corrected: UInt64 { change.corrected }

    var kind: Kind {
        guard change.after >= change.before else { return .fell }
        switch change.cause {
        case .pedometer: return .stair
        case .correction: return .fix
        case .reconciliation, .setAside, .lateTotal, .legacyValue:
            guard let max = change.reconciliation else { return .none }
            if max.winner != .baselinePlusDelta, change.after > change.before { return .health }
            return max.health == nil ? .none : .kept
        }
    }

    var time: LocalTime { first.time }

    package func writeFields(to json: inout JSONWriter) {
        json.field("kind", kind.rawValue)
        json.field("time", time.clock)
        json.field("at", TimeText.utc(first.stamp.wallMilliseconds))
        json.field("title", title)
        json.field("sentence", why + whom + again)
        json.field("position", position)
        json.field("link", "Position \(grouped(position)) in the log")
        json.field("after", grouped(change.after))
        let (up, down) = (change.after > first.before, change.after < first.before)
        json.field("way", up ? "up" : down ? "down" : "same")
        json.field(
            "moved",
            up
                ? "+\(grouped(change.after - first.before))"
                : down ? "−\(grouped(first.before - change.after))" : "no change")
        json.list("operands", operands) { json, one in
            json.field("name", one.name)
            json.field("value", one.value)
            json.field("won", one.won)
            json.field("note", one.note)
        }
    }

    /// What the greatest was taken of, as far as it is known.
    private var operands: [(name: String, value: String, won: Bool, note: String)] {
        guard let max = change.reconciliation else { return [] }
        let reporter = change.reporter.map { $0.name.map { quoted($0) } ?? $0.kind.rawValue }
        let all: [(String, UInt64?, ReconciliationWinner, String)] = [
            ("Health", max.health, .health, reporter ?? ""),
            (
                "Here", max.baselinePlusDelta, .baselinePlusDelta,
                counter.map(called) ?? "no pedometer yet"
            ),
            (
                "Last shown", max.persisted, .persisted,
                since.map { "since \($0.clock)" } ?? "new day"
            ),
        ]
        return all.filter { max.winner == $0.2 || $0.1 != nil }
            .map { ($0.0, $0.1.map(grouped) ?? "–", max.winner == $0.2, $0.3) }
    }

    private func called(_ device: DeviceID) -> String { names[device] ?? "\(device)" }

    /// Why the count moved or did not, with what the greatest was taken of.
    var words: String { reason + again }

    private var reason: String {
        let parts = operands.map { "\($0.name) \($0.value)" + ($0.won ? " won" : "") }
        return why + whom + (parts.count < 2 ? "" : " \(parts.joined(separator: ", ")).")
    }

    private var again: String {
        guard times > 1 else { return "" }
        let count = times == 2 ? "twice" : "\(grouped(times)) times"
        let day = change.time.date == time.date ? "" : "on \(change.time.date.dayAndMonth) "
        return " This happened \(count), the last time \(day)at \(change.time.clock)."
    }

    var title: String {
        guard kind != .fell else { return "The count fell" }
        switch change.cause {
        case .pedometer: return "Pedometer"
        case .setAside: return "Set aside"
        case .correction: return "You corrected"
        case .lateTotal, .legacyValue: return "Reported on another day"
        case .reconciliation(let trigger): return trigger.title
        }
    }

    /// Who counted, or reported the total.
    private var whom: String {
        if let device = change.countedBy { return " Counted by \(called(device))." }
        return change.reporter.map { " Reported by \($0.words)." } ?? ""
    }

    private var why: String {
        let (before, after) = (change.before, change.after)
        switch kind {
        case .fell:
            return "Position \(grouped(change.position)) shows \(grouped(after)) after "
                + "\(grouped(before)). Nothing in the log allows this."
        case .stair:
            let steps = counted(after - first.before, "step")
            let span = change.stamp.wallMilliseconds - (first.begin ?? first.stamp.wallMilliseconds)
            let time = span > 0 ? " in " + TimeText.duration(UInt64(span)) : ""
            return steps + time + (change.covered.map(words) ?? "") + "."
                + (setAside.map { " " + $0 } ?? "")
        case .fix:
            let moved =
                correction == 0
                ? "The corrected figure stays."
                : counted(correction.magnitude, "step")
                    + (correction < 0 ? " taken off" : " added to") + " the corrected figure."
            return "\(moved) The count shown stays."
        case .health, .kept, .none: break
        }
        if let setAside { return setAside }
        if kind == .health, change.reconciliation?.winner == .persisted {
            return "An earlier program had shown \(grouped(after)), which is "
                + "\(grouped(after.minus(before))) more than was counted here."
        }
        guard let health = change.reconciliation?.health else { return whyWithoutTotal }
        if kind == .health {
            let here = change.reconciliation?.baselinePlusDelta ?? before
            return "The total was \(grouped(health))\(carried), which is "
                + "\(grouped(after.minus(here))) more than was counted here."
        }
        let behind = after.minus(health)
        return behind > 0
            ? "The total was \(grouped(behind)) behind. The count stays as it was."
            : "The total was what was counted here. The count stays as it was."
    }

    /// What does not count, and how it is taken in; nil if nothing was set aside.
    private var setAside: String? {
        change.setAside.map {
            "\(capitalized($0.wordsWithReason(change.zoneOffsetMinutes))). It counts nothing; "
                + "`pulselog steps take \($0.position)` takes it in."
        }
    }

    /// What a reading after the end of a total adds to it.
    private var carried: String {
        let steps = change.reconciliation?.carriedSteps ?? 0
        return steps > 0 ? " (\(grouped(steps)) of them walked after its end)" : ""
    }

    /// What totals take off a reading.
    private func words(_ covered: CoveredSteps) -> String {
        let (count, position) = (covered.totals.count, covered.totals.lastPosition)
        let owner =
            count > 1 ? "\(count) totals, the last at \(position)" : "the total at \(position)"
        return "; \(grouped(covered.steps)) more were already in \(owner) (rule coverUnheard)"
    }

    private var whyWithoutTotal: String {
        switch change.cause {
        case .lateTotal, .legacyValue:
            "It came on \(change.time.date.dayAndMonth), when another day was the current one."
        case .reconciliation(let trigger) where trigger.known == .rollover:
            "A new day: the count starts at 0."
        case .reconciliation(let trigger) where trigger.known == .start:
            change.after == 0
                ? "Nothing is recorded for this day yet. The count starts at 0."
                : "No health store sent a total; the log itself accounts for "
                    + "\(grouped(change.after))."
        default: "No health store sent a total. The count stays as it was."
        }
    }
}

extension OpenCode<Trigger> {
    /// What a walker calls it.
    var title: String {
        switch known {
        case .observer: "Total reported"
        case .foreground: "Page opened"
        case .rollover: "New day"
        case .manual: "You refreshed"
        case .clockTrusted: "You trusted the clock"
        case .start: "Pulselog started"
        case nil: "Changed"
        }
    }
}
