/// The way ahead in one lane: what was read for good, and the entry under way.
struct LaneAhead {
    /// Whether the lane's next entry is of the usual kind, and of version 1.
    let isPlain: Bool
    var source: ByteSource
    var state: LaneState
    var kept: Mark
    /// How many were read for good.
    var count = 0
    let limit: Int

    @inline(__always)
    init(_ cursor: borrowing BlockCursor, _ lane: Int, _ kind: EventKind) {
        source = cursor.sources[lane]
        state = cursor.states[lane]
        limit = min(Int(cursor.laneRemaining[lane]), BlockRuns.capacity)
        isPlain = limit > 0 && state.kind == kind.rawValue && state.version == 1
        kept = Mark(source.offset, state)
    }

    /// Takes an entry's time and its control byte; nil if nothing is left to read ahead, or its
    /// envelope says more than that the wall clock went on otherwise.
    @inline(__always)
    mutating func next() -> (PlainEntry, UInt8)? {
        guard count < limit else { return nil }
        let word = source.varint()
        let boot = Int64(bitPattern: state.bootMilliseconds) &+ unzigzag(word &>> 1)
        if word & 1 == 1 {
            guard source.byte() == 1 else { return nil }
            state.wallMinusBoot &+= source.signed()
        }
        let wall = boot &+ state.wallMinusBoot
        guard boot >= 0, boot < BlockCursor.numberLimit, LaneAhead.isNumber(wall),
            state.wallMinusBoot.magnitude < UInt64(BlockCursor.numberLimit) * 2
        else { return nil }
        return (PlainEntry(UInt64(bitPattern: boot), wall), source.byte())
    }

    /// Takes a heart-rate value of the dense form.
    ///
    /// - Parameters:
    ///   - earliest: The boot clock from which on the value is plain.
    ///   - keep: Called with the index of each RR interval, and the interval.
    /// - Returns: The value; nil if nothing is left to read ahead, or the next one is not plain.
    @inline(__always)
    mutating func takeHeart(
        from earliest: UInt64, _ keep: (Int, UInt16) -> Void
    ) -> (PlainEntry, DenseHeart)? {
        guard let (entry, control) = next(), control & 0x87 < 7,
            entry.bootMilliseconds >= earliest
        else { return nil }
        let heart = BlockCursor.takeHeart(control, &source, &state.first, keep)
        return source.isFailed ? nil : (entry, heart)
    }

    /// Whether the magnitude is below ``BlockCursor/numberLimit``.
    @inline(__always)
    static func isNumber(_ value: Int64) -> Bool {
        UInt64(bitPattern: value &+ BlockCursor.numberLimit &- 1)
            < UInt64(2 &* BlockCursor.numberLimit &- 1)
    }

    /// The entry under way is read for good.
    @inline(__always)
    mutating func keep(_ entry: PlainEntry) {
        state.bootMilliseconds = entry.bootMilliseconds
        kept = Mark(source.offset, state)
        count &+= 1
    }
}

extension LaneAhead {
    /// How far was read for good: what changes from one plain entry to the next.
    struct Mark {
        let offset: Int
        let bootMilliseconds: UInt64
        let wallMinusBoot: Int64
        let first: Int64
        let second: Int64
        let third: Int64

        @inline(__always)
        init(_ offset: Int, _ state: LaneState) {
            self.offset = offset
            bootMilliseconds = state.bootMilliseconds
            wallMinusBoot = state.wallMinusBoot
            first = state.first
            second = state.second
            third = state.third
        }
    }
}
