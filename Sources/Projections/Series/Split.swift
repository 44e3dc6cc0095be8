/// A part of a session: a kilometre or mile, what is left of one at its end, or a lap.
package struct Split: Hashable, Sendable {
    /// When it begins, since the session began, with its pauses.
    package let startMilliseconds: UInt64
    /// When it ends.
    package let endMilliseconds: UInt64
    /// How long it took, without pauses.
    package let activeMilliseconds: UInt64
    /// How long it is; of splits, all but the last are of one length.
    package let distanceMillimetres: UInt64
    /// The steps in it.
    package let steps: UInt64
    /// What it climbs, as far as heights were recorded.
    package let ascentMillimetres: UInt64
    /// The mean of the samples in it, in BPM; nil without one.
    package let mean: Hundredths?
}

extension SessionSeries {
    /// A rest at the end that is shorter than this is left out: 10 m.
    private static let leastMillimetres: UInt64 = 10_000
    /// More of them than anybody walks; what lies beyond them is one more split.
    private static let mostSplits: UInt64 = 10_000

    /// The session kilometre by kilometre.
    package var splits: [Split] { splits(of: 1_000_000) }

    /// The session in parts of one length, by its own distance; a rest at its end is the last one.
    ///
    /// A sample belongs to the split in whose time it lies; at an end they share, to the later one.
    ///
    /// - Parameter millimetres: The length, 1 or more.
    /// - Returns: The parts, in order.
    package func splits(of millimetres: UInt64) -> [Split] {
        guard let last = distance.readings.last else { return [] }
        let whole = min(last.amount / millimetres, Self.mostSplits)
        var ends = (0..<whole).compactMap {
            distance.reading(atAmount: ($0 + 1) * millimetres)
        }
        if last.amount - whole * millimetres >= Self.leastMillimetres {
            ends.append(last)
        }
        return parts(endingAt: ends)
    }

    /// The session lap by lap; none if no lap was ended, for then it is only one.
    package var laps: [Split] {
        guard !lapEnds.isEmpty, let last = distance.readings.last else { return [] }
        let ends = lapEnds.prefix(Int(Self.mostSplits))
            .compactMap { distance.reading(atElapsed: $0.elapsedMilliseconds) }
        // Of the present lap nothing may be known yet.
        return parts(endingAt: ends.last == last ? ends : ends + [last])
    }

    /// The part of a length that took the least time without pauses.
    ///
    /// - Parameters:
    ///   - millimetres: The length.
    ///   - source: What the session's distance is by.
    /// - Returns: The part, and at which distance it begins, in millimetres; nil if the session is
    ///   shorter, or its distance only by the stride.
    package func fastestSplit(
        of millimetres: UInt64, by source: Session.DistanceSource?
    ) -> (split: Split, fromMillimetres: UInt64)? {
        guard let (start, end) = fastest(millimetres, by: source) else { return nil }
        let own = samples.drop { $0.elapsedMilliseconds < start.elapsedMilliseconds }
        return parts(from: start, endingAt: [end], of: own).first.map { ($0, start.amount) }
    }

    /// When that part begins and ends.
    func fastest(
        _ millimetres: UInt64, by source: Session.DistanceSource?
    ) -> (start: Growth.Reading, end: Growth.Reading)? {
        source == .stride ? nil : distance.fastest(millimetres)
    }

    private func parts(endingAt ends: [Growth.Reading]) -> [Split] {
        guard let first = distance.readings.first else { return [] }
        return parts(from: first, endingAt: ends, of: samples[...])
    }

    private func parts(
        from first: Growth.Reading, endingAt ends: [Growth.Reading],
        of samples: ArraySlice<Sample>
    ) -> [Split] {
        let last = distance.readings.last
        var samples = samples
        return zip([first] + ends, ends).map { start, end in
            let own = samples.prefix {
                $0.elapsedMilliseconds < end.elapsedMilliseconds || end == last
            }
            samples = samples.dropFirst(own.count)
            let sum = own.reduce(0) { $0 + UInt64($1.bpm) }
            return Split(
                startMilliseconds: start.elapsedMilliseconds,
                endMilliseconds: end.elapsedMilliseconds,
                activeMilliseconds: end.activeMilliseconds - start.activeMilliseconds,
                distanceMillimetres: end.amount - start.amount,
                steps: steps.counted(until: end).minus(steps.counted(until: start)),
                ascentMillimetres: ascent.counted(until: end).minus(ascent.counted(until: start)),
                mean: Hundredths(sum, over: UInt64(own.count)))
        }
    }
}

extension Growth {
    /// How much it was at a moment at which the distance is known.
    fileprivate func counted(until reading: Reading) -> UInt64 {
        self.reading(atElapsed: reading.elapsedMilliseconds)?.amount ?? amount
    }
}
