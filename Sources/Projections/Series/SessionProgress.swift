/// How far a session had come at a moment: its time, its steps and its distance.
public struct SessionProgress: Hashable, Sendable {
    /// Since the session began, with its pauses.
    public internal(set) var elapsedMilliseconds: UInt64 = 0
    /// Since the session began, without its pauses.
    public internal(set) var activeMilliseconds: UInt64 = 0
    /// Steps of the session.
    public internal(set) var steps: UInt64 = 0
    /// The session's distance, by whatever tells it.
    public internal(set) var distanceMillimetres: UInt64 = 0
}

extension SessionProgress {
    /// The progress between two moments, in equal measure, as if the walker had moved evenly.
    ///
    /// - Parameters:
    ///   - before: The earlier moment.
    ///   - after: The later one.
    ///   - part: Which part of the way: the dividend.
    ///   - whole: Its divisor, at least `part`; where it is 0 the earlier moment is returned.
    init(_ before: Self, _ after: Self, at part: UInt64, of whole: UInt64) {
        func between(_ value: KeyPath<Self, UInt64>) -> UInt64 {
            let (from, to) = (before[keyPath: value], after[keyPath: value])
            guard whole > 0, to > from else { return from }
            return from + (to - from).scaled(by: min(part, whole), over: whole)
        }
        elapsedMilliseconds = between(\.elapsedMilliseconds)
        activeMilliseconds = between(\.activeMilliseconds)
        steps = between(\.steps)
        distanceMillimetres = between(\.distanceMillimetres)
    }

    /// The progress between two moments at which a distance was reached that lies between theirs.
    init(_ before: Self, _ after: Self, atDistance distance: UInt64) {
        self.init(
            before, after, at: distance.minus(before.distanceMillimetres),
            of: after.distanceMillimetres.minus(before.distanceMillimetres))
    }
}

extension [SessionProgress] {
    /// The progress at a moment, which may lie between those that are known.
    ///
    /// - Parameter elapsed: Milliseconds since the session began, with its pauses.
    /// - Returns: The progress; nil before the first that is known and after the last.
    func at(elapsed: UInt64) -> SessionProgress? {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].elapsedMilliseconds < elapsed {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < endIndex else { return nil }
        let after = self[low]
        if after.elapsedMilliseconds == elapsed { return after }
        guard low > startIndex else { return nil }
        let before = self[low - 1]
        return SessionProgress(
            before, after, at: elapsed - before.elapsedMilliseconds,
            of: after.elapsedMilliseconds - before.elapsedMilliseconds)
    }
}
