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
    /// The state after the last event.
    public private(set) var state: LogState
    private let source: UInt32
    /// Which of the samples may still prove to be copies, in order.
    private var samplesOnTrial: [Int] = []
    private var startMilliseconds: UInt64 = 0

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
    }

    /// Whether the session began and has not ended.
    public var isOpen: Bool { openSession != nil }

    private var openSession: Session? {
        guard let open = state[source: source]?.sessions.open, open.position == session else {
            return nil
        }
        return open
    }

    /// Takes in the event that comes next in the log.
    public mutating func evolve(_ event: borrowing EventView) {
        let header = event.header
        guard header.source == source, header.kind.lane != .control else {
            return state.evolve(event)
        }
        let before = openSession
        state.evolve(event)
        guard let after = openSession else { return }
        guard let before else {
            startMilliseconds = after.startMilliseconds
            return
        }
        let elapsed = (state[source: source]?.clock.milliseconds ?? 0).minus(startMilliseconds)
        if header.kind == .characteristicNotified {
            takeSample(from: before, to: after, at: header.position, elapsed)
        }
        guard after.route.fixes > before.route.fixes, let fix = event.fix else { return }
        points.append(
            Point(
                position: header.position, elapsedMilliseconds: elapsed,
                latitudeE7: fix.latitudeE7, longitudeE7: fix.longitudeE7,
                altitudeMillimetres: fix.altitudeMillimetres,
                isStart: before.route.isBroken || after.route.jumps > before.route.jumps))
    }

    /// Compares what a session counted before an event and after it.
    private mutating func takeSample(
        from before: Session, to after: Session, at position: Position, _ elapsed: UInt64
    ) {
        let (trialBefore, trial) = (before.trials.first, after.trials.first)
        if let trialBefore, trialBefore.device != trial?.device {
            // It is over: if what was on trial proved to be copies, they are counted as such now.
            if after.heartRate.excludedCopies > before.heartRate.excludedCopies {
                for index in samplesOnTrial.reversed() { samples.remove(at: index) }
            }
            samplesOnTrial = []
        }
        guard after.heartRate.samples > UInt64(samples.count) else { return }
        if let trial {
            let isFirst = trialBefore?.device != trial.device
            let certain = isFirst ? before.readings : trialBefore?.readings ?? before.readings
            if trial.readings.heartRate.samples == certain.heartRate.samples {
                samplesOnTrial.append(samples.count)
            }
        }
        samples.append(
            Sample(
                position: position, elapsedMilliseconds: elapsed, bpm: after.heartRate.weighing))
    }
}
