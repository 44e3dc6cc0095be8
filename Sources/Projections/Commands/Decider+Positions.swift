package import Events

/// A fix as an app of a phone sends it, and what it says of itself.
package struct PhoneFix: Hashable, Sendable {
    /// The fix; what is said to be left out may be nowhere.
    package var fix: PositionFixed
    /// Who sends it, and whether it is to be left out.
    package var told: PositionSourceTold

    /// Joins the two.
    package init(_ fix: PositionFixed, of told: PositionSourceTold) {
        (self.fix, self.told) = (fix, told)
    }
}

/// Fixes, of which those are recorded that the source tells which leads.
extension Decider {
    static func fixEvents(
        _ fix: PositionFixed, _ told: PositionSourceTold, _ own: SourceState, at moment: Moment
    ) -> [Event] {
        let sources = own.recorder.positions
        guard sources.takes(fix, of: told, at: moment.stamp) else { return [] }
        let source = Event.positionSourceTold(told)
        guard told.leftOut == OpenCode(.none) else { return [source] }
        // A log begins with a receiver, of which nothing is told.
        let known = sources.leader?.told ?? PositionSourceTold()
        return (told == known ? [] : [source]) + [.positionFixed(fix)]
    }

    /// What a phone sends is recorded as long as somebody records a walk.
    ///
    /// A fix of before it is none of it. One of a time to come, or of before the last one that
    /// came, is told and not held.
    static func phoneEvents(
        _ sent: PhoneFix, _ own: SourceState, at moment: Moment
    ) -> [Event] {
        guard let session = own.sessions.open, !session.isLeft else { return [] }
        var (fix, told) = (sent.fix, sent.told)
        let now = moment.stamp.wallMilliseconds
        let taken = fix.fixedAtMilliseconds ?? now
        guard taken >= session.startedAt.wallMilliseconds else { return [] }
        let passed = own.clock.time(at: moment.stamp, moment.flags).minus(session.pausedAtFold)
        if own.sessions.isAtRest, now - taken < Int64(passed) { return [] }
        fix.fixedAtMilliseconds = taken
        if taken > now + Plausibility.clockDifferenceMilliseconds {
            told.leftOut = OpenCode(.ahead)
        } else if let last = session.route.newest, let time = last.time.takenAtMilliseconds,
            FoldClock.wall(taken) <= time
        {
            // The same once more, as of an app that has missed the answer.
            if FoldClock.wall(taken) == time, last.place == Place(fix) { return [] }
            told.leftOut = OpenCode(.outOfOrder)
        }
        return fixEvents(fix, told, own, at: moment)
    }
}
