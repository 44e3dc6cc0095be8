package import Events

/// The heart rate of a session, ready to be shown: exact integers and rounded texts.
package struct HeartRateReport: Hashable, Sendable {
    /// The highest sample and the event that gave it.
    package struct Maximum: Hashable, Sendable {
        /// Beats per minute.
        package let bpm: UInt16
        /// The first event that gave it.
        package let position: Position

        /// Makes a maximum.
        package init(bpm: UInt16, position: Position) {
            (self.bpm, self.position) = (bpm, position)
        }
    }

    /// Readings that did not count, by reason; each reading has one.
    package struct Excluded: Hashable, Sendable {
        /// BPM 0.
        package let zero: UInt64
        /// All bits of BPM were set: no reading.
        package let noReading: UInt64
        /// BPM that no heart has.
        package let notCredible: UInt64
        /// The strap said that it touches no skin.
        package let noContact: UInt64
        /// The session was paused.
        package let paused: UInt64
        /// The value could not be decoded.
        package let undecodable: UInt64
        /// The value was a copy: delivery was multiplied.
        package let copies: UInt64
    }

    /// Time in each zone; the sum is the time in which a sample was fresh.
    package struct ZoneTimes: Hashable, Sendable {
        /// Below moderate.
        package let restingMilliseconds: UInt64
        /// Moderate.
        package let moderateMilliseconds: UInt64
        /// Vigorous.
        package let vigorousMilliseconds: UInt64
        /// Maximum.
        package let maximumMilliseconds: UInt64
        /// Where they begin.
        package let bounds: Zones
    }

    /// Readings that count.
    package let samples: UInt64
    /// Their sum in BPM.
    package let sum: UInt64
    /// Sum over samples, or nil for no heart rate.
    package let mean: Hundredths?
    /// The sum of BPM times milliseconds, the dividend of the time-weighted mean.
    package let weightedSum: UInt64
    /// The milliseconds for which a sample was fresh, its divisor.
    package let weightedMilliseconds: UInt64
    /// The mean in which each sample weighs its fresh time, or nil for no heart rate; where no
    /// sample was fresh for any time they weigh the same.
    package let timeWeightedMean: Hundredths?
    /// The lowest sample, or nil.
    package let minimum: UInt16?
    /// The highest sample, or nil.
    package let maximum: Maximum?
    /// The highest sample that has another within 5 s and 10 BPM, or nil.
    package let supportedMaximum: Maximum?
    /// Readings that did not count.
    package let excluded: Excluded
    /// Time in each zone.
    package let zones: ZoneTimes

    init(_ totals: HeartRateTotals, in zones: Zones) {
        samples = totals.samples
        sum = totals.sum
        mean = Hundredths(totals.sum, over: totals.samples)
        weightedSum = totals.weightedSum
        weightedMilliseconds = totals.weightedMilliseconds
        timeWeightedMean =
            Hundredths(totals.weightedSum, over: totals.weightedMilliseconds) ?? mean
        minimum = totals.samples > 0 ? totals.minimum : nil
        maximum =
            totals.samples > 0
            ? Maximum(bpm: totals.maximum, position: totals.maximumPosition) : nil
        supportedMaximum =
            totals.supported.bpm > 0
            ? Maximum(bpm: totals.supported.bpm, position: totals.supported.position) : nil
        excluded = Excluded(
            zero: totals.excludedZero, noReading: totals.excludedNoReading,
            notCredible: totals.excludedNotCredible, noContact: totals.excludedNoContact,
            paused: totals.excludedPaused, undecodable: totals.excludedUndecodable,
            copies: totals.excludedCopies)
        self.zones = ZoneTimes(
            restingMilliseconds: totals.restingMilliseconds,
            moderateMilliseconds: totals.moderateMilliseconds,
            vigorousMilliseconds: totals.vigorousMilliseconds,
            maximumMilliseconds: totals.maximumMilliseconds, bounds: zones)
    }
}

/// Variability from RR intervals, ready to be shown.
package struct RRReport: Hashable, Sendable {
    /// Intervals.
    package let count: UInt64
    /// Their sum in 1/1024 s.
    package let sumTicks: UInt64
    /// Root mean square of successive differences; nil without a difference.
    package let rmssdMilliseconds: Hundredths?
    /// Standard deviation with n - 1; nil below two intervals.
    package let sdnnMilliseconds: Hundredths?
    /// Share of successive differences over 50 ms; nil without a difference.
    package let pnn50Percent: Hundredths?

    /// A tick is 1000/1024 ms, squared 15,625 / 16,384.
    private static let squaredMilliseconds: (UInt128, UInt128) = (15_625, 16_384)

    /// The root of the mean of squared differences, in ticks; nil without a difference.
    static func rmssd(_ sumSquaredDifferences: UInt64, over differences: UInt64) -> Hundredths? {
        Hundredths(
            squareRootOf: UInt128(sumSquaredDifferences), over: UInt128(differences),
            times: squaredMilliseconds)
    }

    init(_ sums: RRSums) {
        count = sums.count
        sumTicks = sums.sumTicks
        rmssdMilliseconds = Self.rmssd(sums.sumSquaredDifferences, over: sums.differences)
        let count = UInt128(sums.count)
        let sum = UInt128(sums.sumTicks)
        let (spread, overflow) = (count * UInt128(sums.sumSquaredTicks))
            .subtractingReportingOverflow(sum * sum)
        sdnnMilliseconds =
            count < 2 || overflow
            ? nil
            : Hundredths(
                squareRootOf: spread, over: count * (count - 1), times: Self.squaredMilliseconds)
        pnn50Percent = Hundredths(
            sums.differencesOver50Milliseconds.times(100), over: sums.differences)
    }
}

/// RR intervals against the clock: how much of the connected time the beats fill.
package struct RRConservation: Hashable, Sendable {
    /// The sum of the intervals in 1/1024 s, without those of each span's first notification.
    package let ticks: UInt64
    /// From each span's first notification with RR to its last, by the clock.
    package let milliseconds: UInt64
    /// The intervals' share of that time, 100.00 if no beat is missing; nil without time.
    package let percent: Hundredths?
    /// The same share as a ratio, 1.00 if no beat is missing; nil without time.
    package let ratio: Hundredths?

    /// Whether that share is below 0.9 or above 1.1 over half a minute or more.
    ///
    /// Values were lost then, or the strap sends not every beat, or values came several times in a
    /// way that was not recognized: the second witness of multiplied delivery. It divides nothing.
    package var isOff: Bool {
        guard let percent, milliseconds >= 30_000 else { return false }
        return percent.value < 90_00 || percent.value > 110_00
    }

    init(_ totals: RRTotals) {
        ticks = totals.spanTicks
        milliseconds = totals.spanMilliseconds
        percent = Hundredths(ticks.times(100_000), over: milliseconds.times(1_024))
        ratio = Hundredths(ticks.times(1_000), over: milliseconds.times(1_024))
    }
}
