internal import Decoding
package import Events

/// What an event did to the session that is open, or was until then.
///
/// A heart-rate value on trial counts as it came, and a fix on trial does not count; what comes of
/// the trial is the effect of a later event.
package struct SessionEffect: Sendable {
    /// What was done to the session.
    package enum Turn: Hashable, Sendable {
        /// It began.
        case began
        /// It was paused, or paused by itself.
        case paused
        /// It goes on.
        case resumed
        /// A lap ended.
        case lapped(LapCause)
        /// The walker set a mark with this text.
        case marked(String)
        /// It ended.
        case ended
    }

    /// What is known of values on trial.
    package enum Trial: Sendable {
        /// Those that come from now on may be copies; what was on trial before counts as it came.
        case began
        /// They are copies, and count as such.
        case proved
    }

    /// Where the session's time had gone before and has gone since, and the BPM that weighs what of
    /// it was fresh; 0 if none does.
    package typealias Time = (from: Accounting, to: Accounting, weighing: UInt16)

    /// The steps that a reading adds; of a fix when it was taken, since the session began.
    package typealias Way = (steps: UInt64, fixedAtMilliseconds: UInt64?)

    /// Whether a fix counts only if others agree with it, whether it continues from no other, and
    /// its height, unless that was set aside.
    package typealias Fix = (isOnTrial: Bool, isStart: Bool, altitudeMillimetres: Int64?)

    /// The session's first event; nil if no session is open.
    package private(set) var session: Position?
    /// How far it has come, with its pauses.
    package private(set) var elapsedMilliseconds: UInt64 = 0
    /// The same without pauses.
    package private(set) var activeMilliseconds: UInt64 = 0
    /// What was done to it, or nil.
    package internal(set) var turn: Turn?
    /// What its time counted as; nil if none was attributed.
    package internal(set) var time: Time?
    /// What the event proves of values on trial, or nil.
    package internal(set) var trial: Trial?
    /// What became of a heart-rate value; nil for another event.
    package internal(set) var heart: HeartEffect?
    /// What a reading or a fix says of the way; nil for another event, and while it is paused.
    package internal(set) var way: Way?
    /// How long the way is from then on, by whatever gives it; of use with ``way`` and ``turn``.
    package private(set) var distanceMillimetres: UInt64 = 0
    /// When that was known, since the session began, with its pauses.
    package private(set) var measuredMilliseconds: UInt64 = 0
    /// What the route has climbed by then; of use with ``way``.
    package private(set) var ascentMillimetres: UInt64 = 0
    /// What became of a fix; nil for another event, and for a fix that is rejected.
    ///
    /// A fix on trial is dropped without a word once another one counts that does not prove it.
    package internal(set) var fix: Fix?
    /// How many fixes on trial count from now on.
    package internal(set) var provenFixes: UInt64 = 0

    /// Takes how far a session has come at a fold time: steps and places do not settle its time.
    mutating func reach(_ session: borrowing Session, at now: UInt64) {
        let unsettled = session.isLeft ? 0 : now.minus(session.settledTo)
        self.session = session.position
        elapsedMilliseconds = session.accounting.elapsedMilliseconds + unsettled
        activeMilliseconds =
            session.accounting.activeMilliseconds + (session.state == .running ? unsettled : 0)
        guard way != nil || turn != nil else { return }
        distanceMillimetres = session.way.millimetres
        measuredMilliseconds = session.way.knownTo.minus(session.startedAtFold)
        ascentMillimetres = session.route.ascentMillimetres
    }
}

/// What became of a heart-rate value in a session.
package struct HeartEffect: Sendable {
    /// Whether it counts, or why not.
    package enum Outcome: Hashable, Sendable {
        /// It is one of the session's samples.
        case counts
        /// It is a copy of the value before.
        case copy
        /// It could not be decoded.
        case undecodable
        /// It came while the session was paused.
        case paused
        /// The strap denies contact.
        case noContact
        /// Its BPM is no heart rate.
        case doubted(HeartRateDoubt)
    }

    /// The strap that sent it.
    package let device: DeviceID
    /// Whether it counts, or why not.
    package let outcome: Outcome
    /// Whether it may prove to be a copy.
    package let isOnTrial: Bool
    /// Beats per minute as they came; 0 if it could not be decoded.
    package let sentBPM: UInt16
    /// Where its intervals are.
    let measurement: HeartRateMeasurement?
    /// What the cleaned beats add up to with its own, without those on trial.
    let beats: RRSums

    init(
        _ heard: HeardValue?, _ verdict: Delivery.Verdict, of device: DeviceID,
        in session: borrowing Session
    ) {
        self.device = device
        let outcome = heard?.reading.outcome(isPaused: session.state == .paused)
        self.outcome = verdict == .copy ? .copy : outcome ?? .undecodable
        isOnTrial = verdict == .candidate
        sentBPM = heard?.reading.sentBPM ?? 0
        measurement = heard?.measurement
        beats = (session.trials.first?.readings.rr ?? session.readings.rr).filtered
    }
}
