internal import Events
internal import Projections

extension LogState {
    /// The moment of the recorder's last event: what is looked back at stands still there, so that
    /// the same log gives the same bytes.
    var lastMoment: Moment { Moment(live.clock.lastStamp, []) }
}

extension SessionText {
    /// Tells a session as of the last moment of a log, in the zone in which it began.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - state: The fold that tells it.
    ///   - offsetMinutes: Minutes east of UTC at the event that began it.
    init(_ session: SessionReport, in state: LogState, offsetMinutes: Int64) {
        self.init(
            session, offsetMinutes: offsetMinutes,
            asOfMilliseconds: state.lastMoment.stamp.wallMilliseconds)
    }
}
