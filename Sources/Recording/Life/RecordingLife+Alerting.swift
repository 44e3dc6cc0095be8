internal import Clocks
internal import Projections
internal import Words

/// When the walker is told that the heart rate has left the limits that they set.
///
/// Only what was measured is evidence: a value counts until the next one comes, and for no longer
/// than a strap takes to send one. What is held, missing, 0 or without contact adds nothing.
struct HeartAlertWatch: Hashable, Sendable {
    /// How long values have to be beyond a limit.
    static let patienceMilliseconds: UInt64 = 10_000
    /// How rarely it is told.
    static let intervalMilliseconds: UInt64 = 60_000
    /// For how long a value counts at most where values come every second.
    static let valueMilliseconds: UInt64 = 2_000

    private var beyond: HeartAlert?
    private var since: UInt64 = 0
    /// When the last value beyond the limit came, and for how long such values have counted.
    private var measuredAt: UInt64 = 0
    private var measuredMilliseconds: UInt64 = 0
    /// When the last value came, and whether it is a heart rate.
    private var (lastAt, lastCounts): (UInt64, Bool) = (0, false)
    private var toldAt: UInt64?
    private var quietUntil: UInt64 = 0
    private var isTold = false

    /// Takes the last value of the strap.
    ///
    /// - Returns: What is to be told, if it is time.
    mutating func take(
        _ bpm: UInt16?, of valueAt: UInt64, _ limits: HeartLimits,
        heldFor silence: UInt64 = Rules().silenceMilliseconds, at boot: UInt64
    ) -> String? {
        if boot.minus(measuredAt) > silence { beyond = nil }
        guard valueAt != lastAt else { return nil }
        if lastCounts {
            let longest = max(Self.valueMilliseconds, silence > 5_000 ? silence * 2 / 3 : 0)
            measuredMilliseconds += min(valueAt.minus(lastAt), longest)
        }
        (lastAt, lastCounts) = (valueAt, bpm != nil)
        guard let bpm else { return nil }
        let alert = limits.alert(bpm)
        if alert != beyond {
            (beyond, since, measuredMilliseconds, isTold) = (alert, valueAt, 0, false)
        }
        measuredAt = valueAt
        guard let alert, measuredMilliseconds >= Self.patienceMilliseconds,
            toldAt.map({ boot.minus($0) >= Self.intervalMilliseconds }) ?? true, boot >= quietUntil
        else { return nil }
        (toldAt, isTold) = (boot, true)
        return alert.sentence(bpm, forMilliseconds: boot.minus(since))
    }

    /// The link is lost, or the walk pauses: what was measured is no evidence any more.
    mutating func breakOff() { (beyond, lastCounts) = (nil, false) }

    /// Nothing is told before a time.
    mutating func beQuiet(until boot: UInt64) { (quietUntil, isTold) = (boot, false) }

    /// The limit that the heart rate is beyond, and for how long; nil unless that was told.
    func standing(at boot: UInt64) -> (alert: HeartAlert, milliseconds: UInt64)? {
        beyond.flatMap { isTold ? ($0, boot.minus(since)) : nil }
    }
}

extension RecordingLife {
    /// Tells the walker of a heart rate beyond the limits; in a pause nothing is.
    mutating func updateAlert() {
        guard case .recording = phase else { return heartAlert = HeartAlertWatch() }
        let limits = plan.limits ?? HeartLimits(state.own.recorder.preferences)
        let boot = now.bootMilliseconds
        guard !state.own.sessions.isPaused, strap.status == .connected,
            let link = state.own.devices.strap?.link, let valueAt = link.lastValueAt
        else { return heartAlert.breakOff() }
        let age = state.own.clock.time(at: moment.stamp, moment.flags).minus(valueAt)
        let sentence = heartAlert.take(
            link.isWithoutPulse ? nil : link.lastBPM, of: boot.minus(age), limits,
            heldFor: link.cadence.silenceMilliseconds(state.rules), at: boot)
        if let sentence { alert(sentence) }
    }
}
