import Decoding
import Events

/// What the readings of a session add up to.
struct Readings: StatePart, Hashable, Sendable {
    /// Heart rate.
    var heartRate = HeartRateTotals()
    /// RR intervals.
    var rr = RRTotals()

    /// Takes a heart-rate value that was decoded.
    @inline(__always)
    mutating func receive(
        _ measurement: HeartRateMeasurement, _ value: Span<UInt8>, _ reading: HeartReading,
        isPaused: Bool, at now: UInt64, position: Position, _ rules: Rules
    ) {
        guard heartRate.take(reading, isPaused: isPaused, at: now, position: position) else {
            return rr.endSpan()
        }
        guard measurement.rrIntervalCount > 0 else { return rr.breakAdjacency() }
        var sum: UInt64 = 0
        for index in 0..<measurement.rrIntervalCount {
            let ticks = measurement.rrInterval1024ths(at: index, in: value)
            sum &+= UInt64(ticks)
            rr.add(ticks, rules.artefacts)
        }
        rr.follow(sum, at: now)
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

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&heartRate, &rr)
    }
}

/// Copies of a device's values on trial: the readings as they are if they prove to be copies.
struct Trial: StatePart, Hashable, Sendable {
    /// The device.
    private(set) var device = DeviceID()
    /// The readings without what may be copies.
    var readings = Readings()

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&device, &readings)
    }
}
