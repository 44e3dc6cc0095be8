import Decoding
public import Events

/// What a pedometer counted from one reading to the next.
struct StepsDelta: Hashable, Sendable {
    /// Steps; 0 for the first reading.
    var steps: UInt64 = 0
    /// Whether the reading has a distance.
    var hasDistance = false
    /// The distance since the last reading that had one, or nil if there is none to compare.
    var distanceMillimetres: UInt64?
    /// Whether the counter began anew, so that all it shows is new.
    var isRestart = false
}

/// What readings add up to that follow each other, each going on from the one before.
struct SteadyCounts {
    /// How many they are.
    let readings: UInt64
    /// The last count.
    let count: UInt64
    /// Steps since the reading before.
    let steps: UInt64
    /// The last distance, if they have one.
    let total: UInt64?
    /// The distance since the reading before, if they have one.
    let distanceMillimetres: UInt64?
}

/// One reading as it stands in the payload.
enum PedometerValue {
    case counter(UInt64)
    /// InfiniTime's 32-bit count.
    case watch(UInt32)
    /// Cadence per minute and, if sent, total distance in 1/10 m.
    case footPod(cadence: UInt8, totalDistanceDecimetres: UInt32?)
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
                self = .footPod(
                    cadence: rate.cadencePerMinute,
                    totalDistanceDecimetres: rate.totalDistanceDecimetres)
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
/// A counter that shows less than before began anew: what it shows now is new. Only the watch's
/// 32-bit counter is taken to wrap, and only if that makes fewer than 100,000 steps. A cadence
/// holds until the next value, but no longer than the rule says.
public struct PedometerStream: StatePart, Hashable, Sendable {
    /// Who counts.
    public private(set) var device: DeviceID
    /// Readings so far.
    public private(set) var readings: UInt64 = 0
    /// How often the counter began anew.
    public private(set) var restarts: UInt64 = 0
    /// The last count, or nil if there is none.
    public private(set) var lastCount: UInt64?
    /// The fold time of the last reading.
    public private(set) var lastAt: UInt64?
    private var lastDistanceMillimetres: UInt64?
    /// Whether the last reading had a distance.
    private(set) var gaveDistance = false
    private(set) var lastCadence: UInt8 = 0
    /// What is left of a step, in 1/60,000 steps.
    private(set) var remainder: UInt64 = 0
    /// No reading came since the recorder started.
    var isStale = false

    private(set) var key: UInt64

    /// The greatest number of steps that a wrap may stand for.
    static let wrapLimit: UInt32 = 100_000

    init(_ device: DeviceID) {
        self.device = device
        key = device.key
    }

    /// Takes a reading.
    ///
    /// - Parameters:
    ///   - value: What the device gave.
    ///   - distance: Cumulative distance beside it, in millimetres.
    ///   - now: Fold time.
    ///   - stepsPerCadenceCount: 1 or 2, of a foot pod.
    ///   - rules: For how long a cadence holds.
    /// - Returns: What was counted since the reading before.
    mutating func read(
        _ value: PedometerValue, distance: UInt64?, at now: UInt64, stepsPerCadenceCount: UInt8,
        _ rules: Rules
    ) -> StepsDelta {
        var delta = StepsDelta()
        var total = distance
        switch value {
        case .counter(let count): advance(to: count, wraps: false, &delta)
        case .watch(let count): advance(to: UInt64(count), wraps: true, &delta)
        case .footPod(let cadence, let decimetres):
            integrate(cadence, at: now, factor: stepsPerCadenceCount, rules, &delta)
            total = total ?? decimetres.map { UInt64($0) * 100 }
        }
        delta.hasDistance = total != nil
        gaveDistance = delta.hasDistance
        if let total {
            if let before = lastDistanceMillimetres, total >= before {
                delta.distanceMillimetres = total - before
            }
            lastDistanceMillimetres = total
        }
        readings.add(1)
        lastAt = now
        isStale = false
        return delta
    }

    /// What readings add up to that follow each other and the reading before: no count is below the
    /// one before, and all have a distance, which goes on as well, or none has; else nil.
    func steady(_ counts: Span<DenseCount>) -> SteadyCounts? {
        guard counts.count > 0, let before = lastCount else { return nil }
        let hasDistance = counts[0].hasDistance
        guard !hasDistance || lastDistanceMillimetres != nil else { return nil }
        var count = before
        var distance = hasDistance ? lastDistanceMillimetres ?? 0 : 0
        var isSteady = true
        for index in counts.indices {
            let reading = counts[index]
            isSteady =
                isSteady && reading.count >= count && reading.hasDistance == hasDistance
                && reading.distanceMillimetres >= distance
            count = reading.count
            distance = reading.distanceMillimetres
        }
        guard isSteady else { return nil }
        return SteadyCounts(
            readings: UInt64(counts.count), count: count, steps: count - before,
            total: hasDistance ? distance : nil,
            distanceMillimetres: hasDistance ? distance - (lastDistanceMillimetres ?? 0) : nil)
    }

    /// Takes such readings in, the last of which came at a fold time.
    mutating func take(_ told: SteadyCounts, at now: UInt64) {
        lastCount = told.count
        gaveDistance = told.total != nil
        lastDistanceMillimetres = told.total ?? lastDistanceMillimetres
        readings.add(told.readings)
        lastAt = now
        isStale = false
    }

    /// The difference of a cumulative count to the one before.
    private mutating func advance(to count: UInt64, wraps: Bool, _ delta: inout StepsDelta) {
        defer { lastCount = count }
        guard let before = lastCount else { return }
        guard count < before else {
            delta.steps = count - before
            return
        }
        if wraps, before <= UInt64(UInt32.max) {
            let wrapped = UInt32(truncatingIfNeeded: count) &- UInt32(before)
            if wrapped < PedometerStream.wrapLimit {
                delta.steps = UInt64(wrapped)
                return
            }
        }
        delta.steps = count
        delta.isRestart = true
        restarts.add(1)
    }

    /// The integral of the cadence that held until now: (1/min x ms) are 1/60,000 steps.
    private mutating func integrate(
        _ cadence: UInt8, at now: UInt64, factor: UInt8, _ rules: Rules, _ delta: inout StepsDelta
    ) {
        if let lastAt {
            let held = min(now.minus(lastAt), rules.cadenceMilliseconds)
            let sum = remainder + UInt64(lastCadence) * UInt64(factor) * held
            delta.steps = sum / 60_000
            remainder = sum % 60_000
        }
        lastCadence = cadence
    }

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try coder.device(&device)
        key = device.key
        try coder.unsigned(&readings)
        try coder.unsigned(&restarts)
        try coder.optional(&lastCount)
        try coder.optional(&lastAt)
        try coder.optional(&lastDistanceMillimetres)
        try coder.flag(&gaveDistance)
        try coder.unsigned(&lastCadence)
        try coder.unsigned(&remainder)
        try coder.require(remainder < 60_000)
        try coder.flag(&isStale)
    }
}
