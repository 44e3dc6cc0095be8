import Events
import Projections

/// Where the time of each session went, as it was seen: no part shrinks, all add up when it ends,
/// and what has ended stays.
struct SessionAccounts {
    /// Where the time of the open session went at least.
    private var open: (session: Position, parts: Accounting)?
    /// The sessions that have ended, as they were then.
    private var ended: [Session] = []
    /// The greatest stamp of the present boot: the time of what is appended next, at least.
    private var latest = Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0)
    /// The event that began the open session, and ``latest`` at that time: with what another
    /// process appended before it, it may be later than the event's own stamp.
    private(set) var began: (session: Position, stamp: Stamp)?
    /// ``latest`` when the open session was not left yet: that is where it ends if nothing follows.
    private var heard = Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0)
    /// Whether the recorder has stopped, or was found dead.
    private var isStopped = false
    /// Whether nobody has recorded the session, nor done something to it, since the recorder
    /// stopped or the machine started anew.
    private var isLeft = false

    /// Looks at a session that is open, or has just ended.
    ///
    /// - Returns: What is wrong; nil for nothing.
    mutating func grow(_ session: Session?) -> String? {
        guard let session else { return nil }
        defer { open = (session.position, session.accounting) }
        guard let open, open.session == session.position,
            let part = session.accounting.shrunkPart(since: open.parts)
        else { return nil }
        return "\(part) of session \(session.position) shrank"
    }

    /// Takes an event that the sessions have taken; the last accounting of a session is held
    /// against the one before it and against the clock.
    ///
    /// - Returns: What is wrong; nil for nothing.
    mutating func take(_ recorded: RecordedEvent, _ sessions: Sessions) -> String? {
        let stamp = recorded.header.stamp
        let isNewBoot = stamp.bootNumber != latest.bootNumber
        if isNewBoot || stamp.bootMilliseconds > latest.bootMilliseconds { latest = stamp }
        switch recorded.event {
        case .sessionStarted:
            began = (recorded.header.position, latest)
            isLeft = false
        case .sessionEnded:
            return began.flatMap { end(began: $0.stamp, at: isLeft ? heard : latest, sessions) }
        case .recorderStarted: (isStopped, isLeft) = (false, true)
        case .recorderStopped(let event):
            if !isLeft, event.reason.known != .foundDead { heard = latest }
            (isStopped, isLeft) = (true, true)
        case .bootBegan, .originBegan: isLeft = true
        case .deviceExcluded: break
        case let event:
            let lane = event.kind.lane
            if isStopped {
                // What the walker does to a session that nobody records lasts for that moment.
                if lane == .session { heard = latest }
            } else if lane != .control {
                isLeft = false
            }
        }
        if !isLeft { heard = latest }
        return nil
    }

    private mutating func end(
        began: Stamp, at latest: Stamp, _ sessions: Sessions
    ) -> String? {
        self.began = nil
        guard ended.count < sessions.ended.count else { return "a session that ended is gone" }
        let session = sessions.ended[ended.count]
        ended.append(session)
        if let complaint = grow(session) { return complaint }
        // The boot clock of another boot tells nothing.
        guard began.bootNumber == latest.bootNumber else { return nil }
        let elapsed = latest.bootMilliseconds - began.bootMilliseconds
        let sum = session.accounting.elapsedMilliseconds
        guard sum != elapsed else { return nil }
        return "session \(session.position) ended with parts of \(sum) ms of \(elapsed)"
    }

    /// A session that has changed since its end, or is gone, or never ended.
    ///
    /// - Returns: What is wrong; nil for nothing.
    func changed(in sessions: Sessions) -> String? {
        guard ended.count == sessions.ended.count else {
            return "\(ended.count) sessions have ended, and \(sessions.ended.count) are kept"
        }
        return zip(ended, sessions.ended).first { $0 != $1 }
            .map { "session \($0.0.position) has changed since its end" }
    }
}

extension Accounting {
    /// The first part that is less than it was.
    fileprivate func shrunkPart(since before: Accounting) -> String? {
        let parts: [(String, KeyPath<Accounting, UInt64>)] = [
            ("fresh", \.freshMilliseconds), ("held", \.heldMilliseconds),
            ("silent", \.silentMilliseconds), ("no contact", \.noContactMilliseconds),
            ("disconnected", \.disconnectedMilliseconds), ("paused", \.pausedMilliseconds),
        ]
        return parts.first { self[keyPath: $0.1] < before[keyPath: $0.1] }?.0
    }
}
