internal import EventStore
internal import Events
internal import JSON
internal import NIOHTTP1
internal import Projections
internal import Recording
internal import Text
internal import WalkService
internal import Words

extension Scene {
    /// The walker's day now.
    var today: CivilDate { state.localTime(at: moment).date }
}

/// What pages show, where that needs the log: local times of where the walker was.
extension WalkEndpoint {
    /// All sessions, newest first.
    func sessions(_ scene: Scene) -> Response {
        .json { $0.field("sessions", scene.walks.reversed()) }
    }

    /// A kind of goal with a target, what somebody has typed, or what is proposed.
    static func goal(
        _ kind: String, _ target: UInt64?, _ typed: String, _ units: Units
    ) throws -> Response {
        guard let advice = GoalView.advice(kind, units: units) else {
            throw HTTPRefusal(
                .unprocessableEntity, "unknownGoal", "`kind` is steps, distance or duration.")
        }
        let goal =
            typed.isEmpty
            ? GoalView(kind, target: target, units: units)
            : GoalView(kind, typed: typed, units: units)
        guard let goal else { throw HTTPRefusal(.unprocessableEntity, "unreadableGoal", advice) }
        return Response(.ok, body: JSONWriter.line(goal))
    }

    /// How far the log goes, and from when to when.
    func log(_ state: LogState) throws -> Response {
        let check = service.figures.selfCheck
        let axis = try axis()
        let offset = state.walked.recorder.zoneOffsetMinutes
        return .json { json in
            json.field("head", state.head)
            json.field("selfCheck", check)
            json.object("view") { json in
                let isWhole = check.map { $0.damagePosition == nil }
                json.field("seal", isWhole.map { $0 ? "shield" : "shield-x" } ?? "info")
                let none = "Not compared yet with what was signed; `pulselog log verify` does it."
                json.field("checked", check?.sentence(offsetMinutes: offset) ?? none)
                json.field("axis", axis)
            }
        }
    }

    /// The log from its earliest event to its latest on an axis of time; nil if it is empty.
    private func axis() throws -> LogAxis? {
        let index = try log.timeIndex()
        guard let span = index.span else { return nil }
        let zones = try ZoneHistory(log, until: index.next)
        let parts = Int64(LogAxis.labelCount - 1)
        let labels = try (0...parts).map { part in
            let time = span.lowerBound + (span.upperBound - span.lowerBound) * part / parts
            let near = try log.firstPosition(notBefore: time)
            return LocalTime(time, offsetMinutes: zones.minutes(at: near))
        }
        return LogAxis(labels: labels, counts: index.counts(in: LogAxis.barCount))
    }

    /// What stands around a position, the newest first.
    func rows(near: Position, _ shown: LogRows.Shown, _ state: LogState) throws -> Response {
        let here = min(near, state.head ?? 0)
        // More are not read for it, in either direction.
        let reach: Position = 1 << 20
        var list = LogRows(around: here, shown)
        try log.read(from: here, until: min(state.next, here + reach)) { list.take($0) }
        for range in log.portions(before: here)
        where here - range.upperBound < reach && !list.isWhole(from: range.upperBound) {
            var earlier = LogRows(around: here, shown)
            try log.read(from: range.lowerBound, until: range.upperBound) { earlier.take($0) }
            list.insert(earlier)
        }
        let (units, names) = (state.units, state.deviceNames)
        let rows = try list.rows.reversed().map { row in
            (row: row, offset: try log.zoneOffsetMinutes(at: row.first.header.position))
        }
        return .json { json in
            json.array("view") { json in
                for (row, offset) in rows {
                    row.write(around: here, to: &json) {
                        ShownEvent($0, offsetMinutes: offset, units: units, names: names)
                    }
                }
            }
        }
    }

    /// Where something is that somebody has typed: a position, or a time of the day of an event.
    func place(of text: String, near: Position, _ state: LogState) throws -> Response {
        if let (date, time) = Self.dateAndTime(text), near < state.next,
            let here = try log.events(in: near..<near + 1).first
        {
            let offset = try log.zoneOffsetMinutes(at: near)
            let day =
                date ?? LocalTime(here.header.stamp.wallMilliseconds, offsetMinutes: offset).date
            let local = day.daysSinceEpoch * 86_400_000 + time
            return found(try position(ofLocal: local, near: near))
        }
        let digits = text.replacing(",", with: "")
        if !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let position = Position(digits)
        {
            return found(min(position, state.head ?? 0))
        }
        throw HTTPRefusal(
            .unprocessableEntity, "noPlace",
            "Enter a time such as 09:51:57, a date such as 2026-03-01, both, or a position such "
                + "as 21,906.")
    }

    /// What was known last at a time by a clock on the wall, or the first event after it.
    func moment(ofLocal milliseconds: Int64, near: Position) throws -> Response {
        let after = try position(ofLocal: milliseconds, near: near)
        let ahead = try log.zoneOffsetMinutes(at: after) * 60_000 - 1
        let time = milliseconds.subtractingReportingOverflow(ahead).partialValue
        return found(try log.lastPosition(before: time) ?? after)
    }

    /// Where the first event is that is not before a time by a clock on the wall.
    private func position(ofLocal milliseconds: Int64, near: Position) throws -> Position {
        var position = near
        // The second look is under the offset of the place that the first one found.
        for _ in 0..<2 {
            let ahead = try log.zoneOffsetMinutes(at: position) * 60_000
            position = try log.firstPosition(
                notBefore: milliseconds.subtractingReportingOverflow(ahead).partialValue)
        }
        return position
    }

    /// A date, a time of the day, or both with a space or a T between; a date alone means its
    /// midnight.
    private static func dateAndTime(_ text: String) -> (date: CivilDate?, time: Int64)? {
        var rest = TimeScanner(text)
        let date = rest.date()
        if let date, rest.isAtEnd { return (date, 0) }
        guard date == nil || rest.take(oneOf: " T") != nil,
            let time = rest.timeOfDay(isShort: true, needsSeconds: false), rest.isAtEnd
        else { return nil }
        return (date, time / 1_000)
    }

    private func found(_ position: Position) -> Response {
        .json { $0.field("position", position) }
    }
}

extension SelfCheck {
    /// How far the log was compared with what was signed.
    fileprivate func sentence(offsetMinutes: Int64) -> String {
        if let damagePosition {
            return "This log is not as it was signed from position \(grouped(damagePosition)) on. "
                + "`pulselog log verify` says why."
        }
        let at = LocalTime(atMilliseconds, offsetMinutes: offsetMinutes)
        let part =
            verifiedBlocks < sealedBlocks
            ? ": \(grouped(verifiedBlocks)) of \(grouped(sealedBlocks)) blocks so far" : ""
        return "Unaltered, compared on \(at.date.dayAndMonth) at \(at.clock)\(part)."
    }
}
