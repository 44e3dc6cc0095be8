package import Events

/// The spike rule: the highest sample that has another within 5 s and 10 BPM.
///
/// It looks back on the last sample of each heart rate that can still matter. These are few,
/// however fast a strap sends: two that are at most 10 BPM apart would support each other.
package struct SupportedMaximum: StatePart, Hashable, Sendable {
    /// A sample that may support another or be supported.
    struct Sample: StatePart, Hashable, Sendable {
        var bpm: UInt16 = 0
        var at: UInt64 = 0
        var position: Position = 0

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&bpm, &at, &position)
        }
    }

    static let windowMilliseconds: UInt64 = 5_000
    static let windowBPM: UInt16 = 10
    /// Ten up to what is supported, and one each 11 BPM from there to the highest credible one; a
    /// rule that counts every number may forget the oldest.
    static let keptLimit = 48

    /// The supported maximum; 0 if no sample has another next to it.
    package private(set) var bpm: UInt16 = 0
    /// The event that gave it.
    package private(set) var position: Position = 0
    /// The last samples that matter, each with another heart rate, in order.
    private var recent: [Sample] = []
    /// The highest of ``recent``; 0 if it is empty.
    private var highest: UInt16 = 0

    /// Forgets what only a next sample would need.
    mutating func close() {
        (recent, highest) = ([], 0)
    }

    /// Takes a sample in.
    @inline(__always)
    mutating func add(_ sample: Sample) {
        // One this far below neither raises the maximum nor supports one that would.
        if Int(sample.bpm) + Int(SupportedMaximum.windowBPM) > Int(bpm) { compare(sample) }
    }

    private mutating func compare(_ sample: Sample) {
        // A heart rate that stays, and is supported, is only seen later.
        if let last = recent.indices.last, recent[last].bpm == sample.bpm,
            max(sample.bpm, highest) <= bpm
        {
            recent[last] = sample
            return
        }
        // Nearly always the highest of all was supported at once, and nothing is left to compare.
        if max(sample.bpm, highest) > bpm { support(sample) }
        keep(sample)
    }

    /// Keeps a sample, and forgets those that no later one can need next to it.
    private mutating func keep(_ sample: Sample) {
        var kept = 0
        highest = sample.bpm
        for index in recent.indices {
            let other = recent[index]
            if other.bpm == sample.bpm || !Self.isNear(other, sample)
                || Int(other.bpm) + Int(Self.windowBPM) <= Int(bpm)
            {
                continue
            }
            if kept < index { recent[kept] = other }
            highest = max(highest, other.bpm)
            kept += 1
        }
        if kept == Self.keptLimit {
            recent.removeFirst()
            kept -= 1
        }
        // Nearly always one has gone, and leaves its place.
        if kept < recent.count { recent[kept] = sample } else { recent.append(sample) }
        while recent.count > kept + 1 { recent.removeLast() }
        assert(recent.count <= Self.keptLimit, "Samples that support each other are forgotten.")
    }

    private static func isNear(_ sample: Sample, _ later: Sample) -> Bool {
        later.at.minus(sample.at) <= windowMilliseconds
    }

    private mutating func support(_ sample: Sample) {
        for index in recent.indices {
            let other = recent[index]
            let high = max(sample.bpm, other.bpm)
            guard high > bpm, high - min(sample.bpm, other.bpm) <= SupportedMaximum.windowBPM,
                Self.isNear(other, sample)
            else { continue }
            bpm = high
            position = other.bpm >= sample.bpm ? other.position : sample.position
        }
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&bpm, &position, &recent)
        highest = recent.reduce(0) { max($0, $1.bpm) }
        try coder.require(recent.count <= SupportedMaximum.keptLimit)
    }
}
