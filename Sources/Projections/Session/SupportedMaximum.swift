public import Events

/// The spike rule: the highest sample that has another within 5 s and 10 BPM.
///
/// It looks back on the last 16 samples that can still matter, enough for three a second.
public struct SupportedMaximum: StatePart, Hashable, Sendable {
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
    static let keptLimit = 16

    /// The supported maximum; 0 if no sample has another next to it.
    public private(set) var bpm: UInt16 = 0
    /// The event that gave it.
    public private(set) var position: Position = 0
    /// The last samples that matter, a ring.
    private var recent: [Sample] = []
    /// Where in the full ring the oldest stands.
    private var oldest: UInt = 0
    /// The highest of ``recent``; 0 if it is empty.
    private var highest: UInt16 = 0

    /// Takes a sample in.
    @inline(__always)
    mutating func add(_ sample: Sample) {
        // One this far below neither raises the maximum nor supports one that would.
        if Int(sample.bpm) + Int(SupportedMaximum.windowBPM) > Int(bpm) { compare(sample) }
    }

    /// Takes samples in that follow each other.
    ///
    /// - Parameters:
    ///   - rates: Their heart rates.
    ///   - highest: The highest of these.
    ///   - sample: One of them by its index.
    mutating func add(_ rates: Span<Int32>, highest: UInt16, sample: (Int) -> Sample) {
        // Unless all of these and of those before are at most what is supported, each is looked at.
        guard max(highest, self.highest) <= bpm, recent.count == SupportedMaximum.keptLimit else {
            for index in rates.indices { add(sample(index)) }
            return
        }
        let least = Int32(bpm) - Int32(SupportedMaximum.windowBPM)
        var matter: Int32 = 0
        for index in rates.indices { matter &+= rates[index] > least ? 1 : 0 }
        keep(last: Int(matter), from: rates.count) { rates[$0] > least ? sample($0) : nil }
    }

    /// Keeps the last of so many samples that matter.
    private mutating func keep(last matter: Int, from end: Int, _ sample: (Int) -> Sample?) {
        guard matter > 0 else { return }
        let limit = UInt(SupportedMaximum.keptLimit)
        oldest = (oldest + UInt(matter)) % limit
        var place = oldest
        var left = min(UInt(matter), limit)
        var index = end
        while left > 0 {
            index -= 1
            guard let sample = sample(index) else { continue }
            place = (place + limit - 1) % limit
            recent[Int(place)] = sample
            left -= 1
        }
        self.highest = recent.reduce(0) { max($0, $1.bpm) }
    }

    private mutating func compare(_ sample: Sample) {
        // Nearly always the highest of all was supported at once, and nothing is left to compare.
        if max(sample.bpm, highest) > bpm { support(sample) }
        highest = max(highest, sample.bpm)
        if recent.count < SupportedMaximum.keptLimit {
            recent.append(sample)
        } else {
            let left = recent[Int(oldest)].bpm
            recent[Int(oldest)] = sample
            oldest = (oldest + 1) % UInt(SupportedMaximum.keptLimit)
            if left == highest { highest = recent.reduce(0) { max($0, $1.bpm) } }
        }
    }

    private mutating func support(_ sample: Sample) {
        for index in recent.indices {
            let other = recent[index]
            let high = max(sample.bpm, other.bpm)
            guard high > bpm, high - min(sample.bpm, other.bpm) <= SupportedMaximum.windowBPM,
                sample.at.minus(other.at) <= SupportedMaximum.windowMilliseconds
            else { continue }
            bpm = high
            position = other.bpm >= sample.bpm ? other.position : sample.position
        }
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&bpm, &position, &oldest, &recent)
        highest = recent.reduce(0) { max($0, $1.bpm) }
        try coder.require(recent.count <= SupportedMaximum.keptLimit)
        try coder.require(oldest == 0 || oldest < recent.count)
    }
}
