package import Events

/// The heart rate of a session, from its samples.
///
/// Every sum stays at ``greatestSum`` instead of passing it, whatever the log says.
package struct HeartRateTotals: StatePart, Hashable, Sendable {
    /// Readings that count.
    package internal(set) var samples: UInt64 = 0
    /// Their sum in BPM.
    package internal(set) var sum: UInt64 = 0
    /// The lowest; meaningless without samples.
    package internal(set) var minimum: UInt16 = 0
    /// The highest; 0 without samples.
    package internal(set) var maximum: UInt16 = 0
    /// The first event that gave the highest.
    package internal(set) var maximumPosition: Position = 0
    /// The highest that has another sample next to it.
    package internal(set) var supported = SupportedMaximum()
    /// Sum of BPM times the milliseconds for which each sample was fresh.
    package internal(set) var weightedSum: UInt64 = 0
    /// Milliseconds for which a sample was fresh: the sum of the zones.
    package var weightedMilliseconds: UInt64 {
        restingMilliseconds + moderateMilliseconds + vigorousMilliseconds + maximumMilliseconds
    }
    /// Fresh time by zone, in order of ``Zone``.
    package internal(set) var restingMilliseconds: UInt64 = 0
    /// Fresh time in the moderate zone.
    package internal(set) var moderateMilliseconds: UInt64 = 0
    /// Fresh time in the vigorous zone.
    package internal(set) var vigorousMilliseconds: UInt64 = 0
    /// Fresh time in the maximum zone.
    package internal(set) var maximumMilliseconds: UInt64 = 0
    /// Readings with BPM 0.
    package internal(set) var excludedZero: UInt64 = 0
    /// Readings with all bits of BPM set.
    package internal(set) var excludedNoReading: UInt64 = 0
    /// Readings with another BPM that no heart has.
    package internal(set) var excludedNotCredible: UInt64 = 0
    /// Readings without contact, whatever their BPM.
    package internal(set) var excludedNoContact: UInt64 = 0
    /// Readings that came while the session was paused, whatever they say.
    package internal(set) var excludedPaused: UInt64 = 0
    /// Values that could not be decoded.
    package internal(set) var excludedUndecodable: UInt64 = 0
    /// Copies of values, of whatever kind, while delivery was multiplied.
    package internal(set) var excludedCopies: UInt64 = 0
    /// The BPM that weighs the fresh time from now on; 0 if the last reading does not count.
    var weighing: UInt16 = 0

    /// Everything that arrived: what counts and what does not.
    var arrivals: UInt64 {
        samples.plus(excludedZero).plus(excludedNoReading).plus(excludedNotCredible)
            .plus(excludedNoContact).plus(excludedPaused).plus(excludedUndecodable)
            .plus(excludedCopies)
    }

    /// Takes a reading.
    ///
    /// - Returns: Whether it counts, so that its intervals do as well.
    @inline(__always)
    mutating func take(
        _ reading: HeartReading, isPaused: Bool, at now: UInt64, _ position: Position
    ) -> Bool {
        let outcome = reading.outcome(isPaused: isPaused)
        if case .counts = outcome {
            add(reading.sentBPM, at: now, position: position)
            return true
        }
        exclude(outcome)
        return false
    }

    @inline(never)
    private mutating func exclude(_ outcome: HeartEffect.Outcome) {
        // The last sample holds past what is no value at all.
        if outcome != .doubted(.notCredible) { weighing = 0 }
        switch outcome {
        case .counts, .copy, .undecodable: break
        case .paused: excludedPaused.add(1)
        case .noContact: excludedNoContact.add(1)
        case .doubted(.zero): excludedZero.add(1)
        case .doubted(.noReading): excludedNoReading.add(1)
        case .doubted(.notCredible): excludedNotCredible.add(1)
        }
    }

    /// Forgets what only a next reading would need.
    mutating func close() {
        weighing = 0
        supported.close()
    }

    /// Takes a reading that counts.
    @inline(__always)
    private mutating func add(_ bpm: UInt16, at now: UInt64, position: Position) {
        if samples == 0 || bpm < minimum { minimum = bpm }
        if bpm > maximum {
            maximum = bpm
            maximumPosition = position
        }
        assert(minimum <= bpm && bpm <= maximum, "A sample is within the extremes.")
        samples.add(1)
        sum.add(UInt64(bpm))
        weighing = bpm
        supported.add(SupportedMaximum.Sample(bpm: bpm, at: now, position: position))
    }

    /// Lets the last sample weigh for some fresh time.
    @inline(__always)
    mutating func weigh(_ milliseconds: UInt64, _ zones: Zones) {
        guard weighing > 0, milliseconds > 0 else { return }
        weightedSum.add(milliseconds.times(UInt64(weighing)))
        // No bound: of the time of a fold each millisecond comes once.
        switch zones.zone(ofHundredths: UInt64(weighing) * 100) {
        case .resting: restingMilliseconds &+= milliseconds
        case .moderate: moderateMilliseconds &+= milliseconds
        case .vigorous: vigorousMilliseconds &+= milliseconds
        case .maximum: maximumMilliseconds &+= milliseconds
        }
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&samples, &sum, &minimum, &maximum, &maximumPosition, &supported)
        try coder(&weightedSum, &restingMilliseconds, &moderateMilliseconds)
        try coder(&vigorousMilliseconds, &maximumMilliseconds, &excludedZero, &excludedNoReading)
        try coder(&excludedNotCredible, &excludedNoContact, &excludedPaused, &excludedUndecodable)
        try coder(&excludedCopies, &weighing)
    }
}
