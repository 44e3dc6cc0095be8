internal import Events

/// What a walk's heart tells of its walker: at rest in the morning, and on the way.
extension WalkOutline {
    /// How long what is compared lasts: five minutes.
    package static let stretchMilliseconds: UInt64 = 300_000
    /// How much of a stretch has to have a heart rate: 95 %.
    private static let leastMilliseconds = stretchMilliseconds / 100 * 95
    /// The heart rates at which paces are compared, in hundredths of a BPM.
    package static let comparedHundredths: ClosedRange<UInt64> = 115_00...125_00
    /// A stretch as flat as that rises or falls by less than 1 in 50, or 2 %.
    private static let flatness: UInt64 = 50

    /// The variability of five minutes.
    package struct Variability: StatePart, Hashable, Sendable {
        /// RMSSD of the cleaned beats, in hundredths of a millisecond.
        package internal(set) var rmssdHundredths: UInt64 = 0
        /// How much of the time no cleaned beat fills, in hundredths of a percent.
        package internal(set) var missingHundredths: UInt64 = 0

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&rmssdHundredths, &missingHundredths)
        }
    }

    mutating func takeHeart(_ series: SessionSeries, _ source: Session.DistanceSource?) {
        let rates = Rates(series)
        let resting = rates.lowest { series.isStill(in: $0) }
        restingHundredths = resting.flatMap {
            series.zones.zone(ofHundredths: $0.value) == .resting ? $0.value : nil
        }
        variability = Self.variability(of: rates.samples, series)
        guard source == .position else { return }
        var covered = Laps.Amount()
        for (time, mean) in rates.stretches where Self.comparedHundredths.contains(mean.value) {
            guard let way = series.distance.grown(in: time), way.amount > 0,
                way.elapsed == Self.stretchMilliseconds, way.active == way.elapsed,
                let rise = series.rise(in: time), rise.times(Self.flatness) < way.amount
            else { continue }
            covered.milliseconds.add(way.active)
            covered.millimetres.add(way.amount)
        }
        if covered.millimetres > 0 { self.covered = covered }
    }

    /// The most parts of a trace; each lasts 5 s at least.
    static let traceParts = 44

    mutating func takeTrace(_ samples: [SessionSeries.Sample], _ elapsed: UInt64) {
        guard !samples.isEmpty else { return }
        let count = Int(clamping: min(UInt64(Self.traceParts), max(elapsed / 5_000, 2)))
        var parts = [(sum: UInt64, samples: UInt64)](repeating: (0, 0), count: count)
        for sample in samples {
            let part = sample.elapsedMilliseconds.scaled(by: UInt64(count), over: max(elapsed, 1))
            parts[min(Int(clamping: part), count - 1)].sum.add(UInt64(sample.bpm))
            parts[min(Int(clamping: part), count - 1)].samples.add(1)
        }
        trace = parts.map { ($0.sum + $0.samples / 2) / max($0.samples, 1) }
    }

    /// That of the first five minutes; nil if the walker moved, or no beat came.
    private static func variability(
        of samples: [SessionSeries.Sample], _ series: SessionSeries
    ) -> Variability? {
        guard let first = samples.first,
            let last = samples.first(where: {
                $0.elapsedMilliseconds >= first.elapsedMilliseconds + stretchMilliseconds
            })
        else { return nil }
        let time = first.elapsedMilliseconds..<last.elapsedMilliseconds
        let filled = last.beats.sumTicks.minus(first.beats.sumTicks)
        // What straps that are left out have sent is among the beats.
        guard filled > 0, series.isStill(in: time), series.excludedStraps.isEmpty,
            let rmssd = last.beats.rmssd(since: first.beats)
        else { return nil }
        let length = UInt64(time.count)
        let missing = length.times(1_024).minus(filled.times(1_000))
        var variability = Variability()
        variability.rmssdHundredths = rmssd.value
        variability.missingHundredths = missing.scaled(by: 10_000, over: length.times(1_024))
        return variability
    }

    /// Samples, and how long each was fresh.
    private struct Rates {
        let samples: [SessionSeries.Sample]
        let fresh: [UInt64]

        init(_ series: SessionSeries) {
            samples = series.samples
            var silences = series.intervals[...]
            fresh = zip(samples, samples.dropFirst()).map { sample, next in
                let (start, end) = (sample.elapsedMilliseconds, next.elapsedMilliseconds)
                silences = silences.drop { $0.endMilliseconds <= start }
                return silences.prefix { $0.startMilliseconds < end }.reduce(end.minus(start)) {
                    $0.minus(min($1.endMilliseconds, end).minus(max($1.startMilliseconds, start)))
                }
            }
        }

        /// The lowest mean over a stretch that passes.
        func lowest(where passes: (Range<UInt64>) -> Bool) -> Hundredths? {
            var lowest: Hundredths?
            var (start, sum, time): (Int, UInt64, UInt64) = (0, 0, 0)
            for (end, length) in zip(samples.indices.dropFirst(), fresh) {
                sum.add(length.times(UInt64(samples[end - 1].bpm)))
                time.add(length)
                let now = samples[end].elapsedMilliseconds
                while now.minus(samples[start + 1].elapsedMilliseconds) >= stretchMilliseconds {
                    sum = sum.minus(fresh[start].times(UInt64(samples[start].bpm)))
                    time = time.minus(fresh[start])
                    start += 1
                }
                let begin = samples[start].elapsedMilliseconds
                guard now.minus(begin) >= stretchMilliseconds, time >= leastMilliseconds,
                    let mean = Hundredths(sum, over: time), lowest.map({ mean < $0 }) ?? true,
                    passes(begin..<now)
                else { continue }
                lowest = mean
            }
            return lowest
        }

        /// The stretches, one after the other, that have a heart rate.
        var stretches: [(time: Range<UInt64>, mean: Hundredths)] {
            var sums: [(index: UInt64, sum: UInt64, time: UInt64)] = []
            for (sample, length) in zip(samples, fresh) {
                let index = sample.elapsedMilliseconds / stretchMilliseconds
                if sums.last?.index != index { sums.append((index, 0, 0)) }
                sums[sums.count - 1].sum.add(length.times(UInt64(sample.bpm)))
                sums[sums.count - 1].time.add(length)
            }
            return sums.compactMap { index, sum, time in
                guard time >= leastMilliseconds, let mean = Hundredths(sum, over: time) else {
                    return nil
                }
                let begin = index * stretchMilliseconds
                return (begin..<begin + stretchMilliseconds, mean)
            }
        }
    }
}

extension SessionSeries {
    /// Whether nobody is known to have moved in a time.
    fileprivate func isStill(in time: Range<UInt64>) -> Bool {
        (steps.grown(in: time)?.amount ?? 0) == 0 && (distance.grown(in: time)?.amount ?? 0) == 0
    }

    /// By how much the track rises or falls in a time; nil without heights.
    fileprivate func rise(in time: Range<UInt64>) -> UInt64? {
        let start = points.partitioningIndex { $0.elapsedMilliseconds >= time.lowerBound }
        let end = points.partitioningIndex { $0.elapsedMilliseconds >= time.upperBound }
        let heights = points[start..<end].compactMap(\.altitudeMillimetres)
        guard heights.count > 1, let first = heights.first, let last = heights.last else {
            return nil
        }
        return (last - first).magnitude
    }
}
