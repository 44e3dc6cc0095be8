public import Events

/// What a store reports to monitoring, without reading the log.
public struct StoreFigures: Sendable {
    /// How far the log was compared with its seals; nil if nobody knows.
    public var selfCheck: SelfCheck?
    /// The bytes that the store's tables take; nil if they cannot be read.
    public var sizeBytes: Int?
    /// The position after the last event that a checkpoint vouches for; nil if that cannot be told.
    public var signedEvents: Position?
    /// When the last checkpoint was kept: UTC in milliseconds since 1970-01-01; nil if none was.
    public var checkpointAtMilliseconds: Int64?
    /// The commits of this process; nil if it writes nothing.
    public var commits: CommitFigures?

    /// Makes figures of which nothing is known.
    public init() {}
}

/// The commits of a process, from its start on.
public struct CommitFigures: Hashable, Sendable {
    /// How many took how long: a histogram.
    public struct Times: Hashable, Sendable {
        /// The longest time of each bucket but the last, in microseconds: disks take from a
        /// tenth of a millisecond to a second, and another process may hold up the writer.
        public static let boundsMicroseconds: [UInt64] = [
            250, 1_000, 2_500, 5_000, 10_000, 25_000, 100_000, 250_000, 1_000_000, 5_000_000,
        ]
        /// How many are in each bucket.
        ///
        /// A bucket goes up to its bound, from above the one before; the last has all others.
        public private(set) var counts = [UInt64](
            repeating: 0, count: boundsMicroseconds.count + 1)
        /// What all took together, in microseconds.
        public private(set) var totalMicroseconds: UInt64 = 0

        /// Counts one.
        public mutating func add(_ time: Duration) {
            let microseconds = UInt64(max(0, time / .microseconds(1)))
            let bucket = Self.boundsMicroseconds.firstIndex { microseconds <= $0 }
            counts[bucket ?? counts.count - 1] += 1
            totalMicroseconds += microseconds
        }
    }

    /// Those that became durable; the time that another process wrote meanwhile is included.
    public var durable = Times()
    /// Those that failed.
    public var failed = Times()
    /// The appends that wait for one.
    public var waiting = 0

    /// Makes figures of no commits.
    public init() {}
}
