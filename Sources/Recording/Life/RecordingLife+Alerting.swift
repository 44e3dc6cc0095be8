internal import Clocks
internal import Projections
internal import Words

/// When the walker is told that the heart rate has left the limits that they set.
struct HeartAlertWatch: Hashable, Sendable {
    /// How long it has to be beyond a limit.
    static let patienceMilliseconds: UInt64 = 10_000
    /// How rarely it is told.
    static let intervalMilliseconds: UInt64 = 60_000

    private var beyond: HeartAlert?
    private var since: UInt64 = 0
    private var toldAt: UInt64?
    private var quietUntil: UInt64 = 0
    private var isTold = false

    /// Takes the heart rate of now.
    ///
    /// - Returns: What is to be told, if it is time.
    mutating func take(_ bpm: UInt16?, _ limits: HeartLimits, at boot: UInt64) -> String? {
        let alert = bpm.flatMap(limits.alert)
        if alert != beyond { (beyond, since, isTold) = (alert, boot, false) }
        guard let alert, boot.minus(since) >= Self.patienceMilliseconds,
            toldAt.map({ boot.minus($0) >= Self.intervalMilliseconds }) ?? true, boot >= quietUntil
        else { return nil }
        (toldAt, isTold) = (boot, true)
        return alert.sentence(bpm, forMilliseconds: boot.minus(since))
    }

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
        let bpm = state.own.sessions.isPaused ? nil : strap.currentBPM
        let sentence = heartAlert.take(bpm, limits, at: now.bootMilliseconds)
        if let sentence { alert(sentence) }
    }
}
