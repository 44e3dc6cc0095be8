internal import Decoding
package import Events

/// What a session's figures are made of, one by one: its samples and the points of its track.
///
/// The fold itself tells which readings and fixes count: this collects what each event did to the
/// session (``SessionEffect``), so that the samples are those of the averages, and no rule is
/// written twice. It grows with the session; a ``LogState`` does not.
package struct SessionSeries: Sendable {
    /// A heart-rate reading that counts.
    package struct Sample: Hashable, Sendable {
        /// The event.
        package let position: Position
        /// The strap that sent it.
        package let device: DeviceID
        /// Since the session began, with its pauses.
        package let elapsedMilliseconds: UInt64
        /// The heart rate.
        package let bpm: UInt16
        /// The RR intervals that came with it, in 1/1024 s.
        package let rrTicks: [UInt16]
        /// What the cleaned beats add up to, with its own; what may be copies is not in them.
        let beats: RRSums
    }

    /// A fix that counts.
    package struct Point: Hashable, Sendable {
        /// The event.
        package let position: Position
        /// When it was taken, since the session began, with its pauses; no later than it came.
        package let elapsedMilliseconds: UInt64
        /// Degrees north times 10^7.
        package let latitudeE7: Int64
        /// Degrees east times 10^7.
        package let longitudeE7: Int64
        /// The height, as its source gives it; nil where that was set aside.
        package let altitudeMillimetres: Int64?
        /// Its error, as its source gives it.
        package let accuracyMillimetres: UInt64?
        /// Whether it continues from no other: the first one, and those after a pause or a jump.
        package internal(set) var isStart: Bool
    }

    /// The end of a lap.
    package struct LapEnd: Hashable, Sendable {
        /// Since the session began, with its pauses.
        package let elapsedMilliseconds: UInt64
        /// What ended it.
        package let cause: LapCause
    }

    /// A mark that the walker set.
    package struct Mark: Hashable, Sendable {
        /// The event.
        package let position: Position
        /// Since the session began, with its pauses.
        package let elapsedMilliseconds: UInt64
        /// Its text; may be empty.
        package let text: String
    }

    /// The session's first event.
    package let session: Position
    /// The straps whose samples are left out.
    package var excludedStraps: [DeviceID] = []
    /// Its samples, in order.
    package var samples: [Sample] {
        excludedStraps.isEmpty
            ? heard : heard.filter { !excludedStraps.contains($0.device) }
    }
    /// The same of all straps.
    private var heard: [Sample] = []
    /// Its track, in order.
    package private(set) var points: [Point] = []
    /// Its marks, in order.
    package private(set) var marks: [Mark] = []
    /// Where its laps ended, but for the last.
    package private(set) var lapEnds: [LapEnd] = []
    /// Its steps.
    private(set) var steps = Growth.steps
    /// Its distance, by whatever gives it.
    private(set) var distance = Growth.distance
    /// What its route has climbed.
    private(set) var ascent = Growth.ascent
    /// Where no heart rate came that counts, in order; up to the last event that changed that.
    ///
    /// The time of straps that are left out is as if no link had stood; what passed before the
    /// first value is the first strap's.
    package var intervals: [SessionInterval] {
        var intervals: [SessionInterval] = []
        for (kind, time, strap) in spent {
            let isLeftOut = (strap ?? firstStrap).map { excludedStraps.contains($0) } ?? false
            let kind = isLeftOut && kind != .paused ? .disconnected : kind
            if let kind { intervals.add(kind, time) }
        }
        return intervals
    }
    /// Where its time went, and whose the last value was.
    private var spent: [(SessionInterval.Kind?, Range<UInt64>, strap: DeviceID?)] = []
    /// The strap that sent the first value.
    private var firstStrap: DeviceID?
    /// The strap that sent the last value.
    private var strap: DeviceID?
    /// Minutes east of UTC where the session began.
    package let offsetMinutes: Int64
    /// The state after the last event.
    package private(set) var state: LogState
    private let provenance: Provenance
    /// Which of the samples may still prove to be copies, in order.
    private var samplesOnTrial: [Int] = []
    /// The fixes that count once others agree with them, in order.
    private var pointsOnTrial: [Point] = []
    /// When the session, or a pause of it, began or ended last.
    private var turnedAtMilliseconds: UInt64 = 0

    /// Waits for a session.
    ///
    /// - Parameters:
    ///   - session: The event that begins it.
    ///   - provenance: Whose walk it is.
    ///   - state: The state before that event.
    package init(of session: Position, _ provenance: Provenance, after state: LogState) {
        (self.session, self.provenance, self.state) = (session, provenance, state)
        offsetMinutes = state[provenance]?.recorder.zoneOffsetMinutes ?? 0
    }

    /// Whether the session began and has not ended.
    package private(set) var isOpen = false

    /// The zones of the session.
    package var zones: Zones { state[provenance]?.sessions[session]?.zones ?? .standard }

    /// Takes in the event that comes next in the log.
    package mutating func evolve(_ event: borrowing EventView) {
        let effect = state.evolve(event).session
        guard effect.session == session else { return }
        let position = event.header.position
        // A turn comes after the way that it ends.
        if let way = effect.way { take(way, of: effect) }
        if let turn = effect.turn { take(turn, of: effect, at: position) }
        spent += effect.stretches.lazy.filter { !$0.time.isEmpty }.map { ($0, $1, strap) }
        if let fix = effect.fix, let place = event.fix { take(fix, place, of: effect, position) }
        if let heart = effect.heart { take(heart, of: effect, event) }
    }

    private mutating func take(_ turn: SessionEffect.Turn, of effect: SessionEffect, at: Position) {
        let (elapsed, active) = (effect.elapsedMilliseconds, effect.activeMilliseconds)
        if case .marked(let text) = turn {
            return marks.append(Mark(position: at, elapsedMilliseconds: elapsed, text: text))
        }
        if case .lapped(let cause) = turn {
            lapEnds.append(LapEnd(elapsedMilliseconds: elapsed, cause: cause))
        } else {
            turnedAtMilliseconds = elapsed
        }
        isOpen = turn != .ended
        noteLengths(effect)
        steps.turn(elapsed: elapsed, active: active)
        distance.turn(elapsed: elapsed, active: active)
        ascent.turn(elapsed: elapsed, active: active)
    }

    private mutating func take(_ way: SessionEffect.Way, of effect: SessionEffect) {
        let (elapsed, active) = (effect.elapsedMilliseconds, effect.activeMilliseconds)
        steps.note(steps.amount + way.steps, elapsed: elapsed, active: active)
        noteLengths(effect)
    }

    private mutating func noteLengths(_ effect: SessionEffect) {
        ascent.note(
            effect.ascentMillimetres, elapsed: effect.elapsedMilliseconds,
            active: effect.activeMilliseconds)
        let known = distance.readings.last?.elapsedMilliseconds ?? 0
        let late = effect.elapsedMilliseconds.minus(max(effect.measuredMilliseconds, known))
        distance.note(
            effect.distanceMillimetres, elapsed: effect.elapsedMilliseconds - late,
            active: effect.activeMilliseconds.minus(late))
    }

    private mutating func take(
        _ fix: SessionEffect.Fix, _ place: PositionFixed, of effect: SessionEffect,
        _ position: Position
    ) {
        let goesOnTrial = fix.isOnTrial && !fix.isStart
        let earlier = goesOnTrial ? pointsOnTrial.last ?? points.last : points.last
        let point = Point(
            position: position,
            elapsedMilliseconds: max(
                effect.way?.fixedAtMilliseconds ?? 0, earlier?.elapsedMilliseconds ?? 0,
                turnedAtMilliseconds),
            latitudeE7: place.latitudeE7, longitudeE7: place.longitudeE7,
            altitudeMillimetres: fix.altitudeMillimetres,
            accuracyMillimetres: place.accuracyMillimetres, isStart: fix.isStart)
        if fix.isOnTrial {
            pointsOnTrial = goesOnTrial ? pointsOnTrial + [point] : [point]
        } else {
            if effect.provenFixes > 0 { points += pointsOnTrial }
            points.append(point)
            pointsOnTrial = []
        }
    }

    private mutating func take(
        _ heart: HeartEffect, of effect: SessionEffect, _ event: borrowing EventView
    ) {
        firstStrap = firstStrap ?? heart.device
        strap = heart.device
        if effect.trial == .proved {
            for index in samplesOnTrial.reversed() { heard.remove(at: index) }
        }
        if effect.trial != nil { samplesOnTrial = [] }
        guard heart.outcome == .counts, let fields = event.heartFields else { return }
        if heart.isOnTrial { samplesOnTrial.append(heard.count) }
        let ticks = event.withBytes(fields.value) {
            heart.measurement?.rrIntervals1024ths(in: $0) ?? []
        }
        heard.append(
            Sample(
                position: event.header.position, device: heart.device,
                elapsedMilliseconds: effect.elapsedMilliseconds, bpm: heart.sentBPM,
                rrTicks: ticks, beats: heart.beats))
    }
}

extension RRSums {
    /// RMSSD of what came after an earlier moment; nil below five differences.
    func rmssd(since earlier: RRSums) -> Hundredths? {
        guard differences >= earlier.differences.plus(5),
            sumSquaredDifferences >= earlier.sumSquaredDifferences
        else { return nil }
        return RRReport.rmssd(
            sumSquaredDifferences - earlier.sumSquaredDifferences,
            over: differences - earlier.differences)
    }
}
