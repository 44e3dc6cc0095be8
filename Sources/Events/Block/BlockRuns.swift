/// What was read ahead of a block: the events that come often, lane by lane, by their fields.
///
/// Nearly all of a log are heart-rate values, counts and positions of the same devices, which only
/// add to sums. They are decoded here in a loop for each lane, and a fold takes them in runs:
/// everything up to the next event that may change more. What is not of the usual form is not
/// *plain* and ends the reading ahead; it is handed over by itself, in its place.
///
/// One value serves all blocks of a fold, one after the other.
@frozen
public struct BlockRuns: ~Copyable {
    /// The most entries of a lane that are read ahead at a time.
    @inlinable static var capacity: Int { 512 }

    @usableFromInline let hearts = EntryRoom<512, DenseHeart>(DenseHeart())
    /// The low halves of the boot clocks of ``hearts``, and their BPM: two columns that a processor
    /// takes several at a time of.
    @usableFromInline let heartTimes = EntryRoom<512, Int32>(0)
    @usableFromInline let heartRates = EntryRoom<512, Int32>(0)
    /// The places of those of ``hearts`` that are not usual, in order, and how many these are.
    @usableFromInline let oddHearts = EntryRoom<513, UInt16>(0)
    @usableFromInline var oddCount = 0
    /// The RR intervals of ``hearts``, one value's after the other's; three are written at a time.
    @usableFromInline let intervals = EntryRoom<2_563, UInt16>(0)
    @usableFromInline let counts = EntryRoom<512, DenseCount>(DenseCount())
    @usableFromInline let fixes = EntryRoom<512, PositionFixed>(PositionFixed())
    /// Heart, steps, place: ``capacity`` each.
    @usableFromInline let entries = EntryRoom<1_536, PlainEntry>(PlainEntry())
    /// The next place in ``entries`` of each lane, and the end.
    @usableFromInline var next = InlineArray<7, Int>(repeating: 0)
    @usableFromInline var end = InlineArray<7, Int>(repeating: 0)
    /// The places of the run's entries that are not of the heart lane, in the order of the log.
    @usableFromInline let others = EntryRoom<1_025, UInt16>(0)
    /// How many these are.
    public internal(set) var otherCount = 0
    /// The places of the run's counts and of its positions.
    @usableFromInline var countRange = 0..<0
    @usableFromInline var fixRange = 0..<0
    /// The places of the run's heart-rate values.
    @usableFromInline var heartRange = 0..<0
    /// Where the run's last event stands in ``entries``.
    @usableFromInline var last = 0
    @usableFromInline var heartDevice = UInt64.max
    @usableFromInline var stepsDevice = UInt64.max
    /// Whether what was read ahead has an envelope in common: the source, the boot and the flags.
    @usableFromInline var isUniform = false
    /// 0 for the live recorder, n for the n-th import.
    public internal(set) var source: UInt32 = 0
    /// The boot of all stamps.
    public internal(set) var bootNumber: UInt32 = 0
    /// Trusted clock, simulated input.
    public internal(set) var flags = EventFlags(rawValue: 0)

    /// Makes room.
    public init() {}
}

extension BlockRuns {
    /// Where a lane's entries begin.
    @inlinable
    @inline(__always)
    func start(_ lane: Int) -> Int {
        lane == BlockCursor.heartLane
            ? 0
            : lane == BlockCursor.stepsLane ? BlockRuns.capacity : 2 &* BlockRuns.capacity
    }

    @inlinable
    @inline(__always)
    func isEmpty(_ lane: Int) -> Bool { next[lane] >= end[lane] }

    @usableFromInline
    func device(_ word: UInt64) -> DeviceID {
        DeviceID(word: word) ?? DeviceID(address: 0, space: .public)
    }

    /// Forgets what was read ahead: another block begins.
    @inlinable
    mutating func clear() {
        next = InlineArray(repeating: 0)
        end = InlineArray(repeating: 0)
    }
}

// MARK: - What a fold asks for

extension BlockRuns {
    /// Whose walk the run is about.
    public var provenance: Provenance {
        Provenance(number: source == 0 && flags.contains(.simulated) ? .max : source)
    }

    /// The device of the heart-rate values that are next, and when the first came; nil if there
    /// are none.
    @inlinable
    public var nextHeart: (device: DeviceID, bootMilliseconds: UInt64)? {
        let lane = BlockCursor.heartLane
        guard !isEmpty(lane), let device = DeviceID(word: heartDevice) else { return nil }
        return (device, entries[next[lane]].bootMilliseconds)
    }

    /// The device of the counts that are next; nil if there are none.
    @inlinable
    public var nextPedometer: DeviceID? {
        isEmpty(BlockCursor.stepsLane) ? nil : DeviceID(word: stepsDevice)
    }

    /// How many heart-rate values the run has.
    @inlinable
    @inline(__always)
    public var heartCount: Int { heartRange.count }

    /// A heart-rate value of the run, in order: 0 to ``heartCount`` - 1.
    @inlinable
    @inline(__always)
    public func heart(_ index: Int) -> (value: DenseHeart, entry: PlainEntry) {
        let place = heartRange.lowerBound &+ index
        return (hearts[place], entries[place])
    }

    /// The first value of the run from one on that is not usual; ``heartCount`` if all are.
    ///
    /// A usual one has contact, or cannot tell, a heart rate from 20 to 254 BPM, and an RR
    /// interval: every fold counts it.
    public func firstOddHeart(from index: Int) -> Int {
        let place = heartRange.lowerBound &+ index
        var (low, high) = (0, oddCount)
        while low < high {
            let middle = (low &+ high) / 2
            if Int(oddHearts[middle]) < place { low = middle &+ 1 } else { high = middle }
        }
        guard low < oddCount else { return heartCount }
        return min(Int(oddHearts[low]), heartRange.upperBound) &- heartRange.lowerBound
    }

    /// Lends times and heart rates of some heart-rate values of the run, in order.
    ///
    /// - Parameters:
    ///   - range: Which values, one at least.
    ///   - body: Called with the low halves of the boot clocks in ms, and BPM; valid during the
    ///     call.
    @inlinable
    @inline(__always)
    public func withRates(of range: Range<Int>, _ body: (Span<Int32>, Span<Int32>) -> Void) {
        let lower = heartRange.lowerBound &+ range.lowerBound
        let places = lower..<lower &+ range.count
        heartTimes.lend(places) { times in heartRates.lend(places) { body(times, $0) } }
    }

    /// Lends the RR intervals of some heart-rate values of the run, in order.
    ///
    /// - Parameters:
    ///   - range: Which values, one at least.
    ///   - body: Called with the intervals in ticks of 1/1024 s, valid during the call.
    @inlinable
    @inline(__always)
    public func withIntervals(of range: Range<Int>, _ body: (Span<UInt16>) -> Void) {
        let first = hearts[heartRange.lowerBound &+ range.lowerBound]
        let last = hearts[heartRange.lowerBound &+ range.upperBound &- 1]
        let end = Int(last.firstInterval) &+ Int(last.intervalCount)
        intervals.lend(Int(first.firstInterval)..<end, body)
    }

    /// Lends the event of the heart-rate value that is next; there is one.
    @inlinable
    public func withNextHeart<Result>(_ body: (borrowing EventView) -> Result) -> Result {
        withHeart(at: next[BlockCursor.heartLane], body)
    }

    /// Lends the event of the run's last heart-rate value; there is one.
    @inlinable
    public func withLastHeart<Result>(_ body: (borrowing EventView) -> Result) -> Result {
        withHeart(at: heartRange.upperBound &- 1, body)
    }

    @inlinable
    @inline(__always)
    func withHeart<Result>(
        at place: Int, _ body: (borrowing EventView) -> Result
    ) -> Result {
        let (value, entry) = (hearts[place], entries[place])
        return unsafe withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: BlockCursor.scratchBytes
        ) { scratch in
            guard let room = scratch.baseAddress else { preconditionFailure("No scratch buffer.") }
            var sink = unsafe ByteSink(room)
            sink.write(value, of: device(heartDevice)) {
                intervals[Int(value.firstInterval) &+ $0]
            }
            let header = EventHeader(
                position: entry.position, source: source, stamp: entry.stamp(inBoot: bootNumber),
                flags: flags, kind: .characteristicNotified, version: 1)
            return body(EventView(header, sink.written))
        }
    }

    /// The device of the run's counts; nil if there may be none.
    @inlinable
    public var pedometer: DeviceID? { DeviceID(word: stepsDevice) }

    /// An event of the run that is not a heart-rate value, in the order of the log: 0 to
    /// ``otherCount`` - 1.
    @inlinable
    @inline(__always)
    public func otherEntry(_ index: Int) -> PlainEntry { entries[Int(others[index])] }

    /// How many counts the run has.
    @inlinable
    @inline(__always)
    public var countsCount: Int { countRange.count }

    /// The count that the same event is; nil if it is a position.
    @inlinable
    @inline(__always)
    public func count(_ index: Int) -> DenseCount? {
        let place = Int(others[index])
        return place < start(BlockCursor.placeLane)
            ? counts[place &- start(BlockCursor.stepsLane)] : nil
    }

    /// The position that the same event is.
    @inlinable
    @inline(__always)
    public func fix(_ index: Int) -> PositionFixed {
        fixes[Int(others[index]) &- start(BlockCursor.placeLane)]
    }

    /// The position of the run's last event, and its stamp.
    @inlinable
    public var lastEvent: (position: Position, stamp: Stamp) {
        (entries[last].position, entries[last].stamp(inBoot: bootNumber))
    }
}
