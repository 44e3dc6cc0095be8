import Decoding
import Events

/// What the readings of a session add up to.
struct Readings: StatePart, Hashable, Sendable {
    /// Heart rate.
    var heartRate = HeartRateTotals()
    /// RR intervals.
    var rr = RRTotals()

    init() {}

    /// Takes a heart-rate value that was decoded.
    ///
    /// One reason excludes a reading: paused before no contact before zero.
    @inline(__always)
    mutating func receive(
        _ measurement: HeartRateMeasurement, _ value: Span<UInt8>, isPaused: Bool, at now: UInt64,
        position: Position
    ) {
        let bpm = measurement.heartRateBPM
        if !isPaused, bpm > 0, measurement.contact != .notDetected {
            heartRate.add(bpm, at: now, position: position)
            if measurement.rrIntervalCount == 0 {
                rr.breakAdjacency()
            } else {
                let before = rr.raw.sumTicks
                for index in 0..<measurement.rrIntervalCount {
                    rr.add(measurement.rrInterval1024ths(at: index, in: value))
                }
                rr.follow(rr.raw.sumTicks - before, at: now)
            }
        } else {
            exclude(measurement, isPaused: isPaused)
        }
    }

    private mutating func exclude(_ measurement: HeartRateMeasurement, isPaused: Bool) {
        rr.endSpan()
        heartRate.weighing = 0
        if isPaused {
            heartRate.excludedPaused.add(1)
        } else if measurement.contact == .notDetected {
            heartRate.excludedNoContact.add(1)
        } else {
            heartRate.excludedZero.add(1)
        }
    }

    /// Takes note of a value that could not be decoded.
    mutating func receiveUndecodable() {
        rr.endSpan()
        heartRate.excludedUndecodable.add(1)
    }

    /// Takes note of a copy of the last value.
    mutating func receiveCopy() {
        rr.addCopy()
        heartRate.excludedCopies.add(1)
    }

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try heartRate.code(&coder)
        try rr.code(&coder)
    }
}

/// Copies of a device's values on trial: the readings as they are if they prove to be copies.
struct Trial: StatePart, Hashable, Sendable {
    /// The device.
    private(set) var device: DeviceID
    /// The readings without what may be copies.
    var readings: Readings

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try coder.device(&device)
        try readings.code(&coder)
    }
}
