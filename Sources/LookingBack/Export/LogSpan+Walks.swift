package import Projections
package import Words

extension LogSpan {
    /// The walks that began in the part: on its date, or on any without one.
    ///
    /// - Throws: ``CommandFailure`` if a time of the day has no day.
    package func walks(
        among sessions: [SessionReport]
    ) throws(CommandFailure) -> [SessionReport] {
        guard date == nil, from?.moment.isTimeOfDay == true || until?.isTimeOfDay == true else {
            return sessions.filter(holds)
        }
        throw CommandFailure(
            .usage, "Name the --day of the time, or write it as 2026-03-01T10:00:00+01:00.")
    }

    private func holds(_ session: SessionReport) -> Bool {
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
