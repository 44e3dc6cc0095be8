/// One kilometre of a session, or what is left of one at its end.
public struct Split: Hashable, Sendable {
    /// Where it begins.
    public let start: SessionProgress
    /// Where it ends.
    public let end: SessionProgress
    /// The mean of the samples in it, in BPM; nil without one.
    public let mean: Hundredths?

    /// Its length: 1 km, but for the last.
    public var distanceMillimetres: UInt64 {
        end.distanceMillimetres - start.distanceMillimetres
    }

    /// How long it took, without pauses.
    public var activeMilliseconds: UInt64 { end.activeMilliseconds - start.activeMilliseconds }

    /// The steps in it.
    public var steps: UInt64 { end.steps - start.steps }
}

extension SessionSeries {
    private static let splitMillimetres: UInt64 = 1_000_000
    /// A rest at the end that is shorter than this is not told: 10 m.
    private static let leastMillimetres: UInt64 = 10_000

    /// The session kilometre by kilometre, by its own distance; a rest at its end is the last one.
    ///
    /// Between two moments at which the distance is known the walker is taken to have moved evenly.
    /// A sample belongs to the split in whose time it lies; at an end they share, to the later one.
    public var splits: [Split] {
        guard let first = progress.first, let last = progress.last else { return [] }
        var ends: [SessionProgress] = []
        for (before, after) in zip(progress, progress.dropFirst()) {
            // A reading that comes late may tell of more than one kilometre.
            while ends.count < Self.mostSplits {
                let kilometre = Self.splitMillimetres * UInt64(ends.count + 1)
                guard after.distanceMillimetres >= kilometre else { break }
                ends.append(SessionProgress(before, after, atDistance: kilometre))
            }
        }
        let rest = last.distanceMillimetres - (ends.last ?? first).distanceMillimetres
        if rest >= Self.leastMillimetres { ends.append(last) }
        var samples = samples[...]
        return zip([first] + ends, ends).map { start, end in
            let own = samples.prefix {
                $0.elapsedMilliseconds < end.elapsedMilliseconds || end == last
            }
            samples = samples.dropFirst(own.count)
            let sum = own.reduce(0) { $0 + UInt64($1.bpm) }
            return Split(start: start, end: end, mean: Hundredths(sum, over: UInt64(own.count)))
        }
    }

    /// More kilometres than anybody walks; a pedometer that lies tells no more.
    private static let mostSplits = 10_000
}
