internal import Clocks
internal import Events
internal import Projections
internal import Words

/// When the strap was worn last, for a recorder that begins and ends walks by that.
struct WearWatch: Hashable, Sendable {
    /// A walk ends when nobody has worn the strap for so long.
    static let limitMilliseconds: UInt64 = 5 * 60_000
    /// A walk that is paused ends after so long: nobody listens for the strap meanwhile.
    static let pauseLimitMilliseconds: UInt64 = 60 * 60_000
    /// After a walk that somebody ended, the next begins once the strap was off for so long.
    static let offMilliseconds: UInt64 = 60_000

    private var wornAt: UInt64 = 0
    private var isPaused = false
    /// Whether somebody ended a walk, and has worn the strap ever since.
    private(set) var isSpent = false
    /// Why the end of the walk was asked for, if it was.
    private var ending: EndReason?

    /// Learns whether the strap is worn; after a pause it has time to come back.
    fileprivate mutating func note(isWorn: Bool, isPaused: Bool, at boot: UInt64) {
        if isWorn && !isPaused || isPaused != self.isPaused {
            wornAt = boot
        } else if boot.minus(wornAt) >= Self.offMilliseconds {
            isSpent = false
        }
        self.isPaused = isPaused
    }

    /// A walk begins or goes on, as if the strap were worn.
    mutating func begin(at boot: UInt64) {
        wornAt = boot
        ending = nil
    }

    /// The machine has slept since a time, in which nobody can tell whether the strap was worn.
    fileprivate mutating func sleep(since boot: UInt64) {
        if !isPaused { wornAt = boot }
        ending = nil
    }

    /// The walk has ended; after a pause its strap may be worn and is not meant.
    fileprivate mutating func end() {
        isSpent = ending != .takenOff
    }

    /// Asks for the end of the walk, once.
    ///
    /// - Returns: Why it ends; nil if it goes on.
    fileprivate mutating func endDue(at boot: UInt64) -> EndReason? {
        let limit = isPaused ? Self.pauseLimitMilliseconds : Self.limitMilliseconds
        guard ending == nil, boot.minus(wornAt) >= limit else { return nil }
        ending = isPaused ? .leftPaused : .takenOff
        return ending
    }
}

/// Walks that begin and end with the strap being worn.
extension RecordingLife {
    /// Whether the strap is on a body, as far as it can tell.
    private var isWorn: Bool { strap.status == .connected && strap.currentBPM != nil }

    /// Whether the strap begins the walk that is being set up: its battery is told before.
    var isBegunByStrap: Bool {
        switch plan.begins {
        case .withHeartRate, .wheneverWorn:
            isWorn && !wear.isSpent && strap.device.map(narrator.isGreeting) != true
        case .atOnce, .whenAsked, .leftOpen: false
        }
    }

    /// Learns from the strap whether it is worn, and ends a walk in which it was not for long.
    mutating func updateWear() {
        guard plan.begins == .wheneverWorn else { return }
        let boot = now.bootMilliseconds
        wear.note(isWorn: isWorn, isPaused: state.own.sessions.isAtRest, at: boot)
        if case .recording = phase, let reason = wear.endDue(at: boot) { append(.end(reason)) }
    }

    /// Whether it waits for a known strap to be worn, and nobody watches it in a terminal.
    var isResting: Bool {
        plan.begins == .wheneverWorn && phase == .settingUp && !plan.isWatched
            && !intake.search.isUnderWay
    }

    /// Whether the recorder goes on when a walk ends.
    var goesOnAfterWalk: Bool { plan.begins == .wheneverWorn && sessionEnd == nil }

    /// The walk has ended, and the next one is waited for.
    mutating func awaitNextWalk() {
        wear.end()
        (lastSession, session) = (session, nil)
        phase = .settingUp
    }

    /// Whether nobody has recorded the walk that is open for so long that the next is another one.
    ///
    /// After a boot of which nobody knows when it was, too much may have happened.
    var isOpenWalkOver: Bool {
        // What others have appended meanwhile does not record it.
        guard let walk = state.withoutRecorder().own.sessions.open else { return false }
        let clock = state.own.clock
        let passed = clock.time(at: moment.stamp, moment.flags).minus(walk.settledTo)
        let isUnknown = walk.endedAt?.bootNumber != moment.stamp.bootNumber && passed == 0
        let limit =
            walk.state == .paused && !walk.standsStill
            ? WearWatch.pauseLimitMilliseconds : WearWatch.limitMilliseconds
        return isUnknown || passed >= limit
    }

    /// Begins anew if the machine has slept: the walk before ended when it fell asleep.
    mutating func beginAnew(after last: Arrival) {
        guard plan.begins == .wheneverWorn, case .recording = phase,
            now.bootMilliseconds.minus(last.bootMilliseconds) >= WearWatch.limitMilliseconds
        else { return }
        wear.sleep(since: last.bootMilliseconds)
        if wear.endDue(at: now.bootMilliseconds) != nil {
            startRecorder()
            append(.end(.leftOpen))
        }
    }
}
