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
        /// Since the session began, with its pauses.
        public let elapsedMilliseconds: UInt64
        /// The heart rate.
        public let bpm: UInt16
    }

    /// A fix that counts.
    public struct Point: Hashable, Sendable {
        /// The event.
        public let position: Position
        /// Since the session began, with its pauses.
        public let elapsedMilliseconds: UInt64
        /// Degrees north times 10^7.
        public let latitudeE7: Int64
        /// Degrees east times 10^7.
        public let longitudeE7: Int64
        /// The height, as its source gives it.
        public let altitudeMillimetres: Int64?
        /// Whether it goes on from no other: the first one, and those after a pause or a jump.
        public let isStart: Bool
    }

    /// The session's first event.
    public let session: Position
    /// Its samples, in order.
    public private(set) var samples: [Sample] = []
    /// Its track, in order.
    public private(set) var points: [Point] = []
    /// Where no heart rate came that counts, in order; up to the last event that changed that.
    public private(set) var intervals: [SessionInterval] = []
    /// Minutes east of UTC where the session began.
    public let offsetMinutes: Int64
    /// The state after the last event.
    public private(set) var state: LogState
    private let source: UInt32
    /// Which of the samples may still prove to be copies, in order.
    private var samplesOnTrial: [Int] = []

    /// Waits for a session.
    ///
    /// - Parameters:
    ///   - session: The event that begins it.
    ///   - source: Its source: 0 for the live recorder, n for the n-th import.
    ///   - state: The state before that event.
    public init(of session: Position, source: UInt32, after state: LogState) {
        self.session = session
        self.source = source
        self.state = state
        offsetMinutes = state[source: source]?.recorder.zoneOffsetMinutes ?? 0
    }

    /// Whether the session began and has not ended.
    public var isOpen: Bool { counts != nil }

    /// The zones of the session.
    public var zones: Zones { state[source: source]?.sessions[session]?.zones ?? .standard }

    /// What the open session has counted; nil before and after it.
    private var counts: Counts? {
        // The live source where it stands: a copy of it takes longer than an event.
        if source == 0 { return Counts(state.shared.folds.live, session) }
        return state[source: source].flatMap { Counts($0, session) }
    }

    /// Takes in the event that comes next in the log.
    public mutating func evolve(_ event: borrowing EventView) {
        let header = event.header
        guard header.source == source else { return state.evolve(event) }
        let before = counts
        state.evolve(event)
        guard let before else { return }
        guard let after = counts else {
            // It has ended with this event.
            let ended = state[source: source]?.sessions[session]?.accounting
            return intervals.add(from: before.accounting, to: ended ?? before.accounting)
        }
        intervals.add(from: before.accounting, to: after.accounting)
        if header.kind == .characteristicNotified {
            takeSample(from: before, to: after, at: header.position)
        }
        guard after.fixes > before.fixes, let fix = event.fix else { return }
        points.append(
            Point(
                position: header.position, elapsedMilliseconds: after.elapsedMilliseconds,
                latitudeE7: fix.latitudeE7, longitudeE7: fix.longitudeE7,
                altitudeMillimetres: fix.altitudeMillimetres,
                isStart: before.isBroken || after.jumps > before.jumps))
    }

    /// Compares what the session had counted before an event and after it.
    private mutating func takeSample(
        from before: Counts, to after: Counts, at position: Position
    ) {
        let isSameTrial = before.trialDevice == after.trialDevice
        if !isSameTrial {
            // It is over: if what was on trial proved to be copies, they are counted as such now.
            if after.copies > before.copies {
                for index in samplesOnTrial.reversed() { samples.remove(at: index) }
            }
            samplesOnTrial = []
        }
        guard after.samples > UInt64(samples.count) else { return }
        let certain = isSameTrial ? before.certainSamples : before.samples
        if after.trialDevice != nil, after.certainSamples == certain {
            samplesOnTrial.append(samples.count)
        }
        samples.append(
            Sample(
                position: position, elapsedMilliseconds: after.elapsedMilliseconds,
                bpm: after.bpm))
    }
}

/// What an event can change of an open session's samples and points.
private struct Counts {
    let elapsedMilliseconds: UInt64
    let samples: UInt64
    /// The BPM of the last sample.
    let bpm: UInt16
    let copies: UInt64
    /// Whose values may be copies; nil while none are on trial.
    let trialDevice: DeviceID?
    /// The samples without those on trial.
    let certainSamples: UInt64
    let fixes: UInt64
    let jumps: UInt64
    let isBroken: Bool
    let accounting: Accounting

    init?(_ source: borrowing SourceState, _ session: Position) {
        guard !source.sessions.slot.isEmpty, source.sessions.slot.value.position == session else {
            return nil
        }
        elapsedMilliseconds =
            source.clock.milliseconds.minus(source.sessions.slot.value.startedAtFold)
        samples = source.sessions.slot.value.readings.heartRate.samples
        bpm = source.sessions.slot.value.readings.heartRate.weighing
        copies = source.sessions.slot.value.readings.heartRate.excludedCopies
        trialDevice = source.sessions.slot.value.trials.first?.device
        certainSamples =
            source.sessions.slot.value.trials.first?.readings.heartRate.samples ?? samples
        fixes = source.sessions.slot.value.route.fixes
        jumps = source.sessions.slot.value.route.jumps
        isBroken = source.sessions.slot.value.route.isBroken
        accounting = source.sessions.slot.value.accounting
    }
}
