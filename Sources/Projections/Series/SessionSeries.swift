internal import Decoding
public import Events

/// What a session's figures are made of, one by one: its samples and the points of its track.
///
/// The fold itself tells which readings and fixes count: this looks at what each event changed, so
/// that the samples are those of the averages, and no rule is written twice. It grows with the
/// session; a ``LogState`` does not.
public struct SessionSeries: Sendable {
    /// A heart-rate reading that counts.
    public struct Sample: Hashable, Sendable {
        /// The event.
        public let position: Position
        /// The strap that sent it.
        public let device: DeviceID
        /// Since the session began, with its pauses.
        public let elapsedMilliseconds: UInt64
        /// The heart rate.
        public let bpm: UInt16
        /// The RR intervals that came with it, in 1/1024 s.
        public let rrTicks: [UInt16]
        /// What the differences between beats add up to, with its own.
        let beats: BeatDifferences
    }

    /// A fix that counts.
    public struct Point: Hashable, Sendable {
        /// The event.
        public let position: Position
        /// When it was taken, since the session began, with its pauses; no later than it came.
        public let elapsedMilliseconds: UInt64
        /// Degrees north times 10^7.
        public let latitudeE7: Int64
        /// Degrees east times 10^7.
        public let longitudeE7: Int64
        /// The height, as its source gives it; nil where that was set aside.
        public let altitudeMillimetres: Int64?
        /// Its error, as its source gives it.
        public let accuracyMillimetres: UInt64?
        /// Whether it continues from no other: the first one, and those after a pause or a jump.
        public internal(set) var isStart: Bool
    }

    /// A mark that the walker set.
    public struct Mark: Hashable, Sendable {
        /// The event.
        public let position: Position
        /// Since the session began, with its pauses.
        public let elapsedMilliseconds: UInt64
        /// Its text; may be empty.
        public let text: String
    }

    /// The session's first event.
    public let session: Position
    /// The straps whose samples are left out.
    public var excludedStraps: [DeviceID] = []
    /// Its samples, in order.
    public var samples: [Sample] {
        excludedStraps.isEmpty
            ? heard : heard.filter { !excludedStraps.contains($0.device) }
    }
    /// The same of all straps.
    private var heard: [Sample] = []
    /// Its track, in order.
    public private(set) var points: [Point] = []
    /// Its marks, in order.
    public private(set) var marks: [Mark] = []
    /// When its laps ended, but for the last, since the session began, with its pauses.
    public private(set) var lapEndsMilliseconds: [UInt64] = []
    /// Its steps.
    private(set) var steps = Growth.steps
    /// Its distance, by whatever gives it.
    private(set) var distance = Growth.distance
    /// What its route has climbed.
    private(set) var ascent = Growth.ascent
    /// Where no heart rate came that counts, in order; up to the last event that changed that.
    ///
    /// The time of straps that are left out is as if no link had stood.
    public var intervals: [SessionInterval] {
        guard !excludedStraps.isEmpty else { return gaps }
        let ends = turns.dropFirst().map { $0.milliseconds } + [settledMilliseconds]
        return gaps.disconnected(
            in: zip(turns, ends).compactMap { turn, end -> Range<UInt64>? in
                guard let strap = turn.strap, excludedStraps.contains(strap) else { return nil }
                return turn.milliseconds..<max(turn.milliseconds, end)
            })
    }
    /// The same of all straps.
    private var gaps: [SessionInterval] = []
    /// Since when the last value is whose: of the first strap since the session began.
    private var turns: [(milliseconds: UInt64, strap: DeviceID?)] = []
    /// How far ``gaps`` reach.
    private var settledMilliseconds: UInt64 = 0
    /// Minutes east of UTC where the session began.
    public let offsetMinutes: Int64
    /// The state after the last event.
    public private(set) var state: LogState
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
    public init(of session: Position, _ provenance: Provenance, after state: LogState) {
        self.session = session
        self.provenance = provenance
        self.state = state
        offsetMinutes = state[provenance]?.recorder.zoneOffsetMinutes ?? 0
    }

    /// Whether the session began and has not ended.
    public private(set) var isOpen = false

    /// The zones of the session.
    public var zones: Zones { state[provenance]?.sessions[session]?.zones ?? .standard }

    /// What the open session has counted; nil before and after it.
    private mutating func counts() -> Counts? {
        state.lend(provenance) { [session, rules = state.rules] in Counts($0, session, rules) }
    }

    /// Takes in the event that comes next in the log.
    public mutating func evolve(_ event: borrowing EventView) {
        let header = event.header
        guard header.provenance == provenance else {
            state.evolve(event)
            return
        }
        let before = counts()
        state.evolve(event)
        let after = counts()
        isOpen = after != nil
        guard let after else {
            if let before { end(from: before) }
            return
        }
        note(
            after.amounts, isTurn: before == nil || before?.isPaused != after.isPaused,
            isLap: header.kind == .lapMarked,
            distanceAt: header.kind == .positionFixed ? after.fixElapsedMilliseconds : nil)
        guard let before else { return }
        addGaps(from: before.accounting, to: after.accounting)
        if after.strap != before.strap {
            turns.append((turns.isEmpty ? 0 : after.amounts.elapsedMilliseconds, after.strap))
        }
        switch header.kind {
        case .characteristicNotified:
            takeSample(event, from: before, to: after)
        case .deviceExcluded:
            excludedStraps = state[provenance]?.sessions[session]?.excludedStraps ?? []
        case .positionFixed: takePoint(event, from: before, to: after)
        case .sessionMarked: takeMark(event, at: after.amounts.elapsedMilliseconds)
        case .lapMarked: lapEndsMilliseconds.append(after.amounts.elapsedMilliseconds)
        default: break
        }
    }

    /// It has ended with the last event.
    private mutating func end(from before: Counts) {
        let ended = state[provenance]?.sessions[session]
        addGaps(from: before.accounting, to: ended?.accounting ?? before.accounting)
        guard let ended else { return }
        let elapsed = ended.accounting.elapsedMilliseconds
        note(Counts.Amounts(ended, at: elapsed, state.rules), isTurn: true)
    }

    private mutating func addGaps(from before: Accounting, to after: Accounting) {
        gaps.add(from: before, to: after)
        settledMilliseconds = after.elapsedMilliseconds
    }

    private mutating func note(
        _ amounts: Counts.Amounts, isTurn: Bool, isLap: Bool = false, distanceAt: UInt64? = nil
    ) {
        let (elapsed, active) = (amounts.elapsedMilliseconds, amounts.activeMilliseconds)
        if isTurn { turnedAtMilliseconds = elapsed }
        let isTurn = isTurn || isLap
        steps.note(amounts.steps, elapsed: elapsed, active: active, isTurn: isTurn)
        let known = distance.readings.last?.elapsedMilliseconds ?? 0
        ascent.note(amounts.ascent, elapsed: elapsed, active: active, isTurn: isTurn)
        let late = elapsed.minus(max(distanceAt ?? elapsed, known))
        distance.note(
            amounts.millimetres, elapsed: elapsed - late, active: active.minus(late),
            isTurn: isTurn)
    }

    private mutating func takePoint(
        _ event: borrowing EventView, from before: Counts, to after: Counts
    ) {
        // What does not count, and is not on trial, changes neither.
        guard after.fixes > before.fixes || after.trial != before.trial, let fix = event.fix else {
            return
        }
        let tried = after.fixes.minus(before.fixes + 1)
        let goesOnTrial = after.trial?.fixes ?? 0 > 1
        let earlier = goesOnTrial ? pointsOnTrial.last ?? points.last : points.last
        let point = Point(
            position: event.header.position,
            elapsedMilliseconds: max(
                after.fixElapsedMilliseconds, earlier?.elapsedMilliseconds ?? 0,
                turnedAtMilliseconds),
            latitudeE7: fix.latitudeE7, longitudeE7: fix.longitudeE7,
            altitudeMillimetres: after.excludedHeights > before.excludedHeights
                ? nil : fix.altitudeMillimetres,
            accuracyMillimetres: fix.accuracyMillimetres,
            isStart: tried > 0
                ? before.trial?.isBroken ?? false
                : before.isBroken || after.jumps > before.jumps || after.trial?.fixes == 1)
        if after.fixes > before.fixes {
            points += pointsOnTrial.suffix(Int(tried))
            points.append(point)
            pointsOnTrial = []
        } else {
            pointsOnTrial = goesOnTrial ? pointsOnTrial + [point] : [point]
        }
    }

    private mutating func takeMark(_ event: borrowing EventView, at elapsed: UInt64) {
        guard case .sessionMarked(let mark) = event.decoded else { return }
        marks.append(
            Mark(position: event.header.position, elapsedMilliseconds: elapsed, text: mark.text))
    }

    /// Compares what the session had counted before an event and after it.
    private mutating func takeSample(
        _ event: borrowing EventView, from before: Counts, to after: Counts
    ) {
        guard let device = event.heartFields?.device else { return }
        let isSameTrial = before.trialDevice == after.trialDevice
        if !isSameTrial {
            // It is over: if what was on trial proved to be copies, they are counted as such now.
            if after.copies > before.copies {
                for index in samplesOnTrial.reversed() { heard.remove(at: index) }
            }
            samplesOnTrial = []
        }
        guard after.samples > UInt64(heard.count) else { return }
        let certain = isSameTrial ? before.certainSamples : before.samples
        if after.trialDevice != nil, after.certainSamples == certain {
            samplesOnTrial.append(heard.count)
        }
        heard.append(
            Sample(
                position: event.header.position, device: device,
                elapsedMilliseconds: after.amounts.elapsedMilliseconds,
                bpm: after.bpm, rrTicks: Self.rrTicks(event), beats: after.beats))
    }

    /// The RR intervals of a value that counts.
    private static func rrTicks(_ event: borrowing EventView) -> [UInt16] {
        guard let fields = event.heartFields else { return [] }
        return event.withBytes(fields.value) { value in
            do throws(MalformedMeasurement) {
                return try HeartRateMeasurement(decoding: value).rrIntervals1024ths(in: value)
            } catch {
                return []
            }
        }
    }
}

/// What an event can change of an open session's series.
private struct Counts {
    /// How far it has come.
    struct Amounts {
        let elapsedMilliseconds: UInt64
        let activeMilliseconds: UInt64
        let steps: UInt64
        let millimetres: UInt64
        let ascent: UInt64

        /// - Parameters:
        ///   - session: The session, settled to within the fold's last event.
        ///   - elapsed: Milliseconds since it began.
        ///   - rules: What gives the distance.
        init(_ session: borrowing Session, at elapsed: UInt64, _ rules: Rules) {
            let unsettled = elapsed.minus(session.accounting.elapsedMilliseconds)
            elapsedMilliseconds = elapsed
            activeMilliseconds =
                session.accounting.activeMilliseconds + (session.state == .running ? unsettled : 0)
            steps = session.steps
            millimetres = session.distance(rules)?.millimetres ?? 0
            ascent = session.route.ascentMillimetres
        }
    }

    let amounts: Amounts
    let isPaused: Bool
    let samples: UInt64
    /// The BPM of the last sample.
    let bpm: UInt16
    let copies: UInt64
    /// Whose values may be copies; nil while none are on trial.
    let trialDevice: DeviceID?
    /// The samples without those on trial.
    let certainSamples: UInt64
    /// Without those on trial.
    let beats: BeatDifferences
    let fixes: UInt64
    let jumps: UInt64
    let isBroken: Bool
    let excludedHeights: UInt64
    /// The fixes on trial.
    let trial: RouteTrial?
    /// When the last fix was that counts or is on trial.
    let fixElapsedMilliseconds: UInt64
    let accounting: Accounting
    /// The strap that sent the last value.
    let strap: DeviceID?

    init?(_ source: borrowing SourceState, _ session: Position, _ rules: Rules) {
        guard !source.sessions.slot.isEmpty, source.sessions.slot.value.position == session else {
            return nil
        }
        amounts = Amounts(
            source.sessions.slot.value,
            at: source.sessions.slot.value.isLeft
                ? source.sessions.slot.value.accounting.elapsedMilliseconds
                : source.clock.milliseconds.minus(source.sessions.slot.value.startedAtFold), rules)
        isPaused = source.sessions.slot.value.state == .paused
        samples = source.sessions.slot.value.readings.heartRate.samples
        bpm = source.sessions.slot.value.readings.heartRate.weighing
        copies = source.sessions.slot.value.readings.heartRate.excludedCopies
        trialDevice = source.sessions.slot.value.trials.first?.device
        certainSamples =
            source.sessions.slot.value.trials.first?.readings.heartRate.samples ?? samples
        beats = BeatDifferences(
            source.sessions.slot.value.trials.first?.readings.rr.filtered
                ?? source.sessions.slot.value.readings.rr.filtered)
        fixes = source.sessions.slot.value.route.fixes
        jumps = source.sessions.slot.value.route.jumps
        isBroken = source.sessions.slot.value.route.isBroken
        excludedHeights = source.sessions.slot.value.route.excludedHeights
        trial = source.sessions.slot.value.route.trial.optional
        let fixedAt = trial?.last.time ?? source.sessions.slot.value.route.last?.time
        fixElapsedMilliseconds =
            (fixedAt?.milliseconds ?? 0).minus(source.sessions.slot.value.startedAtFold)
        accounting = source.sessions.slot.value.accounting
        strap = source.sessions.slot.value.readings.lastStrap
    }
}

/// The differences between adjacent beats, cleaned, that a session has counted up to a moment.
///
/// What may be copies is not in them; where it proves to be none, it is from then on.
struct BeatDifferences: Hashable, Sendable {
    private var count: UInt64 = 0
    private var sumSquared: UInt64 = 0
    /// What the beats themselves add up to, in 1/1024 s.
    private(set) var sumTicks: UInt64 = 0

    init() {}

    init(_ sums: RRSums) {
        count = sums.differences
        sumSquared = sums.sumSquaredDifferences
        sumTicks = sums.sumTicks
    }

    /// RMSSD of what came after an earlier moment; nil below five differences.
    func rmssd(since earlier: BeatDifferences) -> Hundredths? {
        guard count >= earlier.count.plus(5), sumSquared >= earlier.sumSquared else { return nil }
        return RRReport.rmssd(
            sumSquared - earlier.sumSquared, over: count - earlier.count)
    }
}
