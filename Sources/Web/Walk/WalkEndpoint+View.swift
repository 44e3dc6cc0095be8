internal import EventStore
internal import Events
internal import Interchange
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
    func goal(_ kind: String, _ target: UInt64?, _ typed: String, _ units: Units) -> Response {
        guard let advice = GoalView.advice(kind, units: units) else {
            return HTTPRefusal(
                .unprocessableEntity, "unknownGoal", "`kind` is steps, distance or duration."
            ).response
        }
        let goal =
            typed.isEmpty
            ? GoalView(kind, target: target, units: units)
            : GoalView(kind, typed: typed, units: units)
        guard let goal else {
            return HTTPRefusal(.unprocessableEntity, "unreadableGoal", advice).response
        }
        return Response(.ok, body: JSONWriter.line(goal))
    }

    /// How far the log goes, and from when to when.
    func log(_ state: LogState, _ check: SelfCheck?) throws(EventLogError) -> Response {
        let axis = try axis()
        let offset = state.walked.recorder.zoneOffsetMinutes
        return .json { json in
            json.field("head", state.head)
            json.field("selfCheck", check)
            json.object("view") { json in
                json.field("checked", check.map { $0.sentence(offsetMinutes: offset) } ?? "")
                json.field("axis", axis)
            }
        }
    }

    /// The log from its earliest event to its latest on an axis of time; nil if it is empty.
    private func axis() throws(EventLogError) -> LogAxis? {
        let index = try log.timeIndex()
        guard let span = index.span else { return nil }
        let zones = try ZoneHistory(log, until: index.next)
        let parts = Int64(LogAxis.labelCount - 1)
        let labels = try (0...parts).map { part throws(EventLogError) in
            let time = span.lowerBound + (span.upperBound - span.lowerBound) * part / parts
            let near = try log.firstPosition(notBefore: time)
            return LocalTime(time, offsetMinutes: zones.minutes(at: near))
        }
        return LogAxis(labels: labels, counts: index.counts(in: LogAxis.barCount))
    }

    /// What happened to walks around a position: its start, its pauses, marks, laps and so on.
    func turns(near: Position, _ state: LogState) throws(EventLogError) -> Response {
        /// More are not read for it, in either direction.
        let (limit, portion): (Position, Position) = (1 << 20, 8_192)
        var (before, after): ([RecordedEvent], [RecordedEvent]) = ([], [])
        let here = min(near, state.head ?? 0)
        var end = min(here + 1, state.next)
        while before.count < 5, end > here - min(here, limit) {
            let start = end - min(end, portion)
            before = try turns(in: start..<end, at: .max) + before
            end = start
        }
        let last = min(state.next, here + limit)
        if here + 1 < last { after = try turns(in: here + 1..<last, at: 4) }
        let views = try (before.suffix(5) + after).map { event throws(EventLogError) in
            let offset = try log.zoneOffsetMinutes(at: event.header.position)
            return ShownEvent(event, offsetMinutes: offset, units: state.units)
        }
        return .json { $0.field("view", views) }
    }

    private func turns(
        in range: Range<Position>, at most: Int
    ) throws(EventLogError) -> [RecordedEvent] {
        var turns: [RecordedEvent] = []
        try log.read(from: range.lowerBound, until: range.upperBound) { event in
            guard turns.count < most else { return false }
            if event.header.kind.lane == .session { turns.append(event.recorded) }
            return true
        }
        return turns
    }

    /// Events with their local times, each in a line.
    func shown(
        _ events: [RecordedEvent], _ units: Units
    ) throws(EventLogError) -> [ShownEvent] {
        guard let first = events.first else { return [] }
        var offset = try log.zoneOffsetMinutes(at: first.header.position)
        return events.map { event in
            if event.header.source == 0, let minutes = ZoneOffset.minutes(event.event) {
                offset = minutes
            }
            return ShownEvent(event, offsetMinutes: offset, units: units)
        }
    }

    /// Where something is that somebody has typed: a position, or a time of the day of an event.
    func place(
        of text: String, near: Position, _ state: LogState
    ) throws(EventLogError) -> Response {
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
        return HTTPRefusal(
            .unprocessableEntity, "noPlace",
            "Enter a time such as 09:51:57, a date such as 2026-03-01, both, or a position such "
                + "as 21,906."
        ).response
    }

    /// Where a slider is that was moved from an event to a time by a clock on the wall.
    ///
    /// Back from an event before which nothing came for long leads to the one before it.
    func moment(
        ofLocal milliseconds: Int64, near: Position
    ) throws(EventLogError) -> Response {
        let position = try position(ofLocal: milliseconds, near: near)
        guard position == near, let here = try log.events(in: near..<near + 1).first else {
            return found(position)
        }
        let time = here.header.stamp.wallMilliseconds
        let ahead = try log.zoneOffsetMinutes(at: near) * 60_000
        guard milliseconds.subtractingReportingOverflow(ahead).partialValue < time else {
            return found(position)
        }
        return found(try log.lastPosition(before: time) ?? position)
    }

    /// Where the first event is that is not before a time by a clock on the wall.
    private func position(
        ofLocal milliseconds: Int64, near: Position
    ) throws(EventLogError) -> Position {
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
        return "Compared with its seals at \(at.clock), \(at.date.long): "
            + "\(grouped(verifiedBlocks)) of \(grouped(sealedBlocks)) blocks so far, all as they "
            + "were signed."
    }
}
