/// What the pedometer counted when, so that steps after a health total's end can be added.
///
/// Kept only under the rule `carryOverlap`, for the current date, and for the last 4,096 readings
/// that counted a step: at one a second more than an hour. Older steps are not carried.
struct OverlapWindow: StatePart, Hashable, Sendable {
    struct Entry: StatePart, Hashable, Sendable {
        var wallMilliseconds: Int64 = 0
        var steps: UInt64 = 0

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&wallMilliseconds, &steps)
        }
    }

    static let limit = 4_096

    private var entries: [Entry] = []
    /// The index of the oldest entry in the full ring.
    private var oldest: UInt = 0

    mutating func add(_ steps: UInt64, at wallMilliseconds: Int64) {
        let entry = Entry(wallMilliseconds: wallMilliseconds, steps: steps)
        if entries.count < OverlapWindow.limit {
            entries.append(entry)
        } else {
            entries[Int(oldest)] = entry
            oldest = (oldest + 1) % UInt(OverlapWindow.limit)
        }
    }

    func steps(after wallMilliseconds: Int64) -> UInt64 {
        entries.reduce(0) { sum, entry in
            entry.wallMilliseconds > wallMilliseconds ? sum.plus(entry.steps) : sum
        }
    }

    mutating func clear() {
        entries = []
        oldest = 0
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&oldest, &entries)
        try coder.require(oldest == 0 || oldest < entries.count)
    }
}
