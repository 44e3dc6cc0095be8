import Decoding
package import Events

/// What a pedometer counted from one reading to the next.
struct StepsDelta: Sendable {
    /// Steps; 0 for the first reading.
    var steps: UInt64 = 0
    /// Whether the reading has a distance.
    var hasDistance = false
    /// The distance since the last reading that had one, or nil if there is none to compare.
    var distanceMillimetres: UInt64?
    /// The way since the last reading by the speed that it told; nil if the device tells none.
    var speedMillimetres: UInt64?
    /// Whether its value tells steps that are being made.
    var isStepping = false
    /// The length of a step that it tells.
    var strideMicrometres: UInt64?
    /// Whether the counter restarted, so that all it shows is new.
    var isRestart = false
    /// Steps that the reading shows and that nobody can have made; nil if there are none.
    var setAside: (steps: UInt64, kind: SetAside.Kind)?
    /// Whether a part was set aside that it gained over midnight.
    var isPartSetAside = false
    /// Whether its cadence is faster than legs.
    var isTooFast = false
    /// Whether its distance was set aside.
    var isDistanceSetAside = false
    /// Whether the reading tells of no steps, and the next one is the next.
    var isNone = false

    /// The reading counts nothing.
    mutating func setAside(_ steps: UInt64, _ kind: SetAside.Kind) {
        (self.steps, setAside, isNone) = (0, (steps, kind), true)
    }

    /// Takes what became of a count.
    fileprivate mutating func count(_ outcome: CountedLine.Outcome) {
        switch outcome {
        case .begun: break
        case .counted(let steps), .wrapped(let steps), .onLine(let steps): self.steps = steps
        case .begunAnew(let steps): (self.steps, isRestart) = (steps, true)
        case .setAside(let steps): setAside(steps, .reading)
        case .fellBack(let count): setAside(count, .fall)
        }
    }

    /// Sets steps aside that the legs cannot have made, or takes them from their account.
    fileprivate mutating func hold(
        against legs: inout some LegBound, at now: FoldMoment
    ) {
        let turn = legs.turn(to: now)
        if steps <= legs.most(turn, after: nil) { return legs.walk(steps, turn, after: nil) }
        setAside(steps, .reading)
    }

    /// What was found of the reading, or nil.
    var finding: Finding.Code? {
        setAside != nil || isTooFast || isPartSetAside
            ? .stepsSetAside : isDistanceSetAside ? .distanceSetAside : nil
    }
}

/// One reading as it is in the payload.
enum PedometerValue {
    case counter(UInt64)
    /// InfiniTime's 32-bit count.
    case watch(UInt32)
    /// What a foot pod measures.
    case footPod(RunningSpeedCadenceMeasurement)
}

extension PedometerValue {
    /// Takes what a characteristic's value says.
    ///
    /// - Returns: What is wrong with the value; it is unchanged if that is `undecodableValue`.
    mutating func decode(_ bytes: Span<UInt8>, _ form: PedometerForm) -> Finding.Code? {
        do throws(MalformedMeasurement) {
            let trailing: Int
            switch form {
            case .counter: return nil
            case .infiniTimeStepCount:
                let count = try InfiniTimeStepCount(decoding: bytes)
                self = .watch(count.steps)
                trailing = count.trailingByteCount
            case .runningSpeedCadenceMeasurement:
                let rate = try RunningSpeedCadenceMeasurement(decoding: bytes)
                self = .footPod(rate)
                trailing = rate.trailingByteCount
            }
            return trailing > 0 ? .trailingBytes : nil
        } catch {
            return .undecodableValue
        }
    }
}

/// The readings of one pedometer, as a stream of differences.
///
/// A ``CountedLine`` for its count, another for its distance. A cadence holds until the next value,
/// but no longer than the rule says.
package struct PedometerStream: StatePart, Hashable, Sendable {
    /// Who counts.
    package private(set) var device: DeviceID
    /// Readings so far.
    package private(set) var readings: UInt64 = 0
    /// How often the counter restarted.
    package private(set) var restarts: UInt64 = 0
    /// The last count, or nil if there is none.
    package var lastCount: UInt64? { counts.last?.count }
    /// The fold time of the last reading.
    package var lastAt: UInt64? { lastMoment?.milliseconds }
    /// The last reading.
    private(set) var lastMoment: FoldMoment?
    private var counts = CountedLine()
    private var distances = CountedLine()
    /// Whether the last reading had a distance.
    private(set) var gaveDistance = false
    private(set) var lastCadence: UInt8 = 0
    /// The last speed in 1/256 m/s, when it came, and what is left of a millimetre, in 1/256 mm.
    private var lastSpeed: UInt16 = 0
    private var speedAt: UInt64?
    private var speedRemainder: UInt64 = 0
    /// What is left of a step, in 1/60,000 steps.
    private(set) var remainder: UInt64 = 0
    /// No reading came since the recorder started.
    var isStale = false

    var key: UInt64 { device.word }

    init() { self.init(DeviceID()) }

    init(_ device: DeviceID) { self.device = device }

    /// Takes a reading.
    ///
    /// - Parameters:
    ///   - value: What the device gave.
    ///   - distance: Cumulative distance next to it, in millimetres.
    ///   - now: Fold time.
    ///   - factor: 1 or 2, of a foot pod.
    ///   - rules: For how long a cadence holds.
    ///   - legs: What the legs can have walked; what is counted is taken from it.
    ///   - delta: What was counted since the reading before.
    ///   - effects: Which rule gave what it shows, and of what.
    mutating func read(
        _ value: PedometerValue, distance: UInt64?, at now: FoldMoment,
        stepsPerCadenceCount factor: UInt8, _ rules: Rules, _ legs: inout some LegBound,
        _ delta: inout StepsDelta, _ effects: inout some EffectSink
    ) {
        var total = distance
        var isRead = true
        switch value {
        case .counter(let count):
            delta.count(take(count, at: now, limit(false, rules), &legs, &effects))
        case .watch(let count):
            delta.count(take(UInt64(count), at: now, limit(true, rules), &legs, &effects))
        case .footPod(let rate):
            let cadence = rate.cadencePerMinute
            isRead = cadence != Plausibility.noCadence || rules.countImplausible
            if isRead {
                integrate(cadence, at: now.milliseconds, factor: factor, rules, &delta, &effects)
                delta.hold(against: &legs, at: now)
            } else if lastAt != nil {
                // It ends no cadence, and is one of the readings of its stretch.
                effects.note {
                    $0.reading?.step = StepsStretch(device, factor, carried: remainder)
                }
            }
            total = total ?? rate.totalDistanceDecimetres.map { UInt64($0) * 100 }
            measureSpeed(rate, at: now.milliseconds, factor: factor, rules, &delta)
        }
        measure(total, at: now, rules, &delta)
        readings.add(1)
        if delta.isRestart { restarts.add(1) }
        if isRead { lastMoment = now }
        isStale = false
        if !isRead { delta.isNone = true }
    }

    /// The integral of the speed that held until now, and what else the value tells of the way.
    private mutating func measureSpeed(
        _ rate: RunningSpeedCadenceMeasurement, at now: UInt64, factor: UInt8, _ rules: Rules,
        _ delta: inout StepsDelta
    ) {
        let cadence = rate.cadencePerMinute
        delta.isStepping = cadence > 0 && cadence != Plausibility.noCadence
        delta.strideMicrometres = rate.strideLengthCentimetres.flatMap {
            let length = UInt64($0) * 10_000 / UInt64(max(factor, 1))
            return Plausibility.stepMicrometres.contains(length) ? length : nil
        }
        let held = min(now.minus(speedAt ?? now), rules.cadenceMilliseconds)
        let sum = speedRemainder + UInt64(lastSpeed).times(held)
        (delta.speedMillimetres, speedRemainder) = (sum / 256, sum % 256)
        let isCredible =
            UInt64(rate.speed256thsMetresPerSecond) * 1_000
            <= Plausibility.millimetresPerSecond * 256
        lastSpeed = isCredible || rules.countImplausible ? rate.speed256thsMetresPerSecond : 0
        speedAt = now
    }

    private mutating func measure(
        _ total: UInt64?, at now: FoldMoment, _ rules: Rules, _ delta: inout StepsDelta
    ) {
        delta.hasDistance = total != nil
        gaveDistance = delta.hasDistance
        guard let total else { return }
        var legs = NoLegs()
        switch distances.take(
            total, at: now, rules.countImplausible ? .any(wraps: false) : .distance, &legs)
        {
        case .begun, .begunAnew: break
        case .counted(let millimetres), .wrapped(let millimetres), .onLine(let millimetres):
            delta.distanceMillimetres = millimetres
        case .setAside, .fellBack: delta.isDistanceSetAside = true
        }
    }

    @inline(__always)
    private mutating func take(
        _ count: UInt64, at now: FoldMoment, _ limit: CountLimit, _ legs: inout some LegBound,
        _ effects: inout some EffectSink
    ) -> CountedLine.Outcome {
        let before = lastCount
        let outcome = counts.take(count, at: now, limit, &legs)
        if let before {
            let step = StepsStretch(device, outcome, from: before, to: count)
            effects.note { $0.reading?.step = step }
        }
        return outcome
    }

    /// How fast a count can grow.
    private func limit(_ wraps: Bool, _ rules: Rules) -> CountLimit {
        rules.countImplausible ? .any(wraps: wraps) : .steps
    }

    /// The integral of the cadence that held until now: (1/min x ms) are 1/60,000 steps.
    private mutating func integrate(
        _ cadence: UInt8, at now: UInt64, factor: UInt8, _ rules: Rules, _ delta: inout StepsDelta,
        _ effects: inout some EffectSink
    ) {
        if let lastAt {
            let held = min(now.minus(lastAt), rules.cadenceMilliseconds)
            let made = stepsPerMinute(factor, rules).times(held)
            effects.note {
                $0.reading?.step = StepsStretch(device, factor, carried: remainder, made)
            }
            let sum = remainder + made
            delta.steps = sum / 60_000
            remainder = sum % 60_000
        }
        lastCadence = cadence
        delta.isTooFast = cadence > 0 && stepsPerMinute(factor, rules) == 0
    }

    /// What the last cadence makes in a minute; 0 where legs cannot.
    func stepsPerMinute(_ factor: UInt8, _ rules: Rules) -> UInt64 {
        let steps = UInt64(lastCadence) * UInt64(factor)
        return steps <= Plausibility.stepsPerMinute || rules.countImplausible ? steps : 0
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&device, &readings, &restarts, &counts, &lastMoment, &distances)
        try coder(&gaveDistance, &lastCadence, &remainder, &isStale)
        try coder(&lastSpeed, &speedAt, &speedRemainder)
        try coder.require(remainder < 60_000 && speedRemainder < 256)
    }
}
