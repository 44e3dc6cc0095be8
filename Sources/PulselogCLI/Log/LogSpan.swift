internal import ArgumentParser
internal import EventStore
internal import Events
internal import Words

/// The options of a command that shows a part of the log: where it begins, and where it ends.
struct LogSpan: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "First position, or time to begin at: 10:15, an instant, or milliseconds since 1970.",
            valueName: "position|time"))
    var from: ReplayStart?

    @Option(
        help: ArgumentHelp(
            "Position to stop before, or time to stop after.", valueName: "position|time"))
    var until: AuditMoment?

    @Option(
        help: ArgumentHelp(
            "The local date of a time such as 10:15, default that of the last event; alone, all "
                + "of that day.", valueName: "date"))
    var day: String?

    /// Where in a log the part is; reads no further than its end.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - date: The day that was named.
    /// - Returns: The positions; those of an end that is not limited reach beyond the log.
    /// - Throws: `EventLogError`.
    func positions(
        in log: any EventLog, on date: CivilDate?
    ) throws(EventLogError) -> Range<Position> {
        let midnight = try midnight(in: log, on: date)
        let start: Position
        switch from {
        case .position(let position)?: start = position
        case .timeOfDay(let time)?:
            start = try log.firstPosition(after: .local(midnight + time - 1), from: 0)
        case .instant(let instant)?:
            start = try log.firstPosition(after: .instant(instant - 1), from: 0)
        case nil:
            let isWhole = date == nil
            start = isWhole ? 0 : try log.firstPosition(after: .local(midnight - 1), from: 0)
        }
        let end: Position
        switch until {
        case .position(let position)?: end = position
        case .timeOfDay(let time)?:
            end = try log.firstPosition(after: .local(midnight + time), from: start)
        case .instant(let instant)?:
            end = try log.firstPosition(after: .instant(instant), from: start)
        case nil:
            let last = midnight + Self.dayMilliseconds - 1
            end = date == nil ? .max : try log.firstPosition(after: .local(last), from: start)
        }
        return start..<max(start, end)
    }

    /// The day that was named.
    ///
    /// - Throws: ``CommandFailure`` if it is no date.
    func date() throws(CommandFailure) -> CivilDate? {
        var option = DayOption()
        option.day = day
        return try option.date()
    }

    private static let dayMilliseconds: Int64 = 86_400_000

    /// The local midnight from which times of the day count, in milliseconds since 1970 by the
    /// clock on the wall; 0 where no time needs it.
    private func midnight(
        in log: any EventLog, on date: CivilDate?
    ) throws(EventLogError) -> Int64 {
        if let date { return date.daysSinceEpoch * Self.dayMilliseconds }
        var isNeeded = until?.isTimeOfDay == true
        if case .timeOfDay? = from { isNeeded = true }
        guard isNeeded, case let next = try log.next, next > 0,
            let last = try log.events(in: next - 1..<next).first
        else { return 0 }
        let date = CivilDate(
            wallMilliseconds: last.header.stamp.wallMilliseconds,
            zoneOffsetMinutes: try log.zoneOffsetMinutes(at: next - 1))
        return date.daysSinceEpoch * Self.dayMilliseconds
    }
}
