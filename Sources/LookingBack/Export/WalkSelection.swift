package import Events
package import Projections
package import Words

/// Which walks are wanted: those that began on a day, or in a span.
package struct WalkSelection {
    private let from: LogStart?
    private let until: LogMoment?
    private let date: CivilDate?

    /// Selects walks.
    ///
    /// - Parameters:
    ///   - from: Where the first one begins at the earliest; nil for no bound.
    ///   - until: Where the last one begins at the latest; nil for no bound.
    ///   - date: The local date on which they begin; nil for any.
    /// - Throws: ``CommandFailure`` if a time of the day has no day.
    package init(
        from: LogStart?, until: LogMoment?, on date: CivilDate?
    ) throws(CommandFailure) {
        (self.from, self.until, self.date) = (from, until, date)
        guard date == nil, from?.moment.isTimeOfDay == true || until?.isTimeOfDay == true else {
            return
        }
        throw CommandFailure(
            .usage, "Name the --day of the time, or write it as 2026-03-01T10:00:00+01:00.")
    }

    /// Whether a walk is one of them.
    ///
    /// - Parameter session: The walk.
    /// - Returns: Whether it is.
    package func holds(_ session: SessionReport) -> Bool {
        let start = session.startedAtMilliseconds
        let local = LocalTime(start, offsetMinutes: session.offsetMinutes)
        if let date, local.date != date { return false }
        switch from?.moment {
        case .position(let position)?: if session.position < position { return false }
        case .instant(let instant)?: if start <= instant { return false }
        case .timeOfDay(let time)?: if local.millisecondOfDay <= time { return false }
        case nil: break
        }
        switch until {
        case .position(let position)?: return session.position < position
        case .instant(let instant)?: return start <= instant
        case .timeOfDay(let time)?: return local.millisecondOfDay <= time
        case nil: return true
        }
    }
}
