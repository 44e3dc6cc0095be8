internal import Clocks
internal import Events
internal import Projections
internal import Words

/// When the strap was worn last, for a recorder that begins and ends walks by that.
struct WearWatch: Hashable, Sendable {
    /// A walk ends when nobody has worn the strap for so long.
    static let limitMilliseconds: UInt64 = 5 * 60_000
    /// After a walk that somebody ended, the next begins once the strap was off for so long.
    static let offMilliseconds: UInt64 = 60_000

    private var wornAt: UInt64 = 0
    /// Whether somebody ended a walk, and has worn the strap ever since.
    private(set) var isSpent = false
    /// Whether the end of the walk was asked for.
    fileprivate var isEnding = false

    /// Learns whether the strap is worn.
    fileprivate mutating func note(isWorn: Bool, at boot: UInt64) {
        if isWorn {
            wornAt = boot
        } else if boot.minus(wornAt) >= Self.offMilliseconds {
            isSpent = false
        }
    }

    /// A walk begins or goes on, as if the strap were worn.
    mutating func begin(at boot: UInt64) {
        wornAt = boot
        isEnding = false
    }

    /// The walk has ended.
    fileprivate mutating func end() {
        isSpent = !isEnding
    }

    /// Asks for the end of the walk, once.
    fileprivate mutating func asksForEnd(at boot: UInt64) -> Bool {
        guard !isEnding, boot.minus(wornAt) >= Self.limitMilliseconds else { return false }
        isEnding = true
        return true
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
        wear.note(isWorn: isWorn, at: boot)
        if case .recording = phase, wear.asksForEnd(at: boot) { append(.end(.takenOff)) }
    }

    /// Whether the recorder goes on when a walk ends.
    var goesOnAfterWalk: Bool { plan.begins == .wheneverWorn && sessionEnd == nil }

    /// The walk has ended, and the next one is waited for.
    mutating func awaitNextWalk() {
        wear.end()
        session = nil
        phase = .settingUp
    }

    /// Whether nothing was recorded for so long that a walk which is open is another one.
    ///
    /// After a boot of which nobody knows when it was, too much may have happened.
    var isOpenWalkOver: Bool {
        let clock = state.live.clock
        let passed = clock.time(at: moment.stamp, moment.flags).minus(clock.milliseconds)
        let isUnknown = clock.bootNumber != moment.stamp.bootNumber && passed == 0
        return isUnknown || passed >= WearWatch.limitMilliseconds
    }

    /// Begins anew if the machine has slept: the walk before ended when it fell asleep.
    mutating func beginAnew(after last: Arrival) {
        guard plan.begins == .wheneverWorn, case .recording = phase,
            now.bootMilliseconds.minus(last.bootMilliseconds) >= WearWatch.limitMilliseconds
        else { return }
        wear.begin(at: last.bootMilliseconds)
        if wear.asksForEnd(at: now.bootMilliseconds) {
            startRecorder()
            append(.end(.leftOpen))
        }
    }
}
