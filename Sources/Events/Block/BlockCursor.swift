/// A place in a block: the order section's next lane, and a cursor in each lane section.
///
/// It borrows the block's memory and a scratch buffer for the time of one closure.
@usableFromInline
@frozen
@safe
struct BlockCursor {
    /// The most bytes that a dense body's payload takes: a position with all its fields takes 61.
    @inlinable static var scratchBytes: Int { 128 }
    /// No number of the format reaches this.
    @inlinable static var numberLimit: Int64 { 1 << 53 }

    @usableFromInline var order: ByteSource
    @usableFromInline var sources: InlineArray<7, ByteSource>
    @usableFromInline var states: InlineArray<7, LaneState>
    @usableFromInline var devices = DeviceList()
    /// The events of each lane that are still to come.
    @usableFromInline var laneRemaining: InlineArray<7, UInt64>
    /// The index within its lane of each lane's first event.
    @usableFromInline var laneIndex: InlineArray<7, UInt64>
    @usableFromInline var position: Position
    /// Where the bytes of a dense body's value are written.
    @usableFromInline let scratch: BytesInPlace
    /// The event that was read last.
    @usableFromInline let room: RecordRoom

    /// A cursor that ``begin()`` has to be called on, and the block is damaged unless that is true.
    @usableFromInline
    init(
        _ base: UnsafePointer<UInt8>, count: Int, scratch: UnsafeMutablePointer<UInt8>,
        _ record: UnsafeMutablePointer<EventRecord>
    ) {
        order = unsafe ByteSource(base, from: 0, to: count)
        sources = InlineArray(repeating: order)
        states = InlineArray(repeating: LaneState())
        laneRemaining = InlineArray(repeating: 0)
        laneIndex = InlineArray(repeating: 0)
        position = 0
        self.scratch = unsafe BytesInPlace(UnsafePointer(scratch), count: 0)
        room = unsafe RecordRoom(record)
    }

    /// Reads the header and the heads of all sections; false if they contradict each other.
    @usableFromInline
    mutating func begin() -> Bool {
        let (base, count) = unsafe (order.base, order.end)
        guard let head = order.all.lend({ BlockHead($0) }), head.isPossible,
            head.byteCount == count
        else { return false }
        let places = head.places
        order = unsafe ByteSource(base, from: places[0].lowerBound, to: places[0].upperBound)
        position = order.varint()
        guard remaining == head.count, !order.isFailed else { return false }
        var total: UInt64 = 0
        for lane in 0..<BlockLayout.laneCount {
            let place = places[1 + lane]
            sources[lane] = unsafe ByteSource(base, from: place.lowerBound, to: place.upperBound)
            guard readHead(of: lane) else { return false }
            total &+= laneRemaining[lane]
        }
        return total == UInt64(remaining)
            && position < UInt64(BlockCursor.numberLimit) - UInt64(remaining)
    }

    /// The events that are still to come: the order has a byte for each.
    @inlinable
    @inline(__always)
    var remaining: Int { order.end &- order.offset }

    /// Reads a lane section's head into its state.
    private mutating func readHead(of lane: Int) -> Bool {
        // Copies, so that they stay in registers.
        var source = sources[lane]
        let count = source.varint()
        let index = source.varint()
        laneRemaining[lane] = count
        laneIndex[lane] = index
        guard count <= UInt64(remaining), index < UInt64(BlockCursor.numberLimit) else {
            return false
        }
        guard count > 0 else {
            sources[lane] = source
            return !source.isFailed
        }
        var state = LaneState()
        let boot = source.varint()
        let difference = source.signed()
        let bootNumber = source.varint()
        let recorder = source.varint()
        state.flags = source.byte()
        state.kind = source.byte()
        guard boot < UInt64(BlockCursor.numberLimit), bootNumber <= UInt64(UInt32.max),
            recorder <= UInt64(UInt32.max),
            difference.magnitude < UInt64(BlockCursor.numberLimit) * 2
        else { return false }
        state.bootMilliseconds = boot
        state.wallMinusBoot = difference
        state.bootNumber = UInt32(bootNumber)
        state.source = UInt32(recorder)
        sources[lane] = source
        states[lane] = state
        return !source.isFailed && BlockCursor.isKind(state.kind, of: lane)
    }

    @inlinable
    static func isKind(_ kind: UInt8, of lane: Int) -> Bool {
        Int(kind >> 5) == lane && kind & 0x1F != 0
    }

    /// Whether every section has been read to its end, and not beyond.
    @usableFromInline
    var isConsumed: Bool {
        for lane in 0..<BlockLayout.laneCount
        where sources[lane].offset != sources[lane].end || sources[lane].isFailed
            || laneRemaining[lane] != 0
        {
            return false
        }
        return order.offset == order.end && !order.isFailed
    }

    /// Reads the next event; nil if the block is damaged here.
    ///
    /// - Returns: The event, valid until the next one is read.
    @inlinable
    @inline(__always)
    mutating func next() -> EventView? {
        let lane = Int(order.byte())
        guard lane < 7, laneRemaining[lane] > 0 else { return nil }
        // It is passed by value, so that it stays in registers; after a fault nobody reads on.
        var source = unsafe ByteSource(
            order.base, from: sources[lane].offset, to: sources[lane].end)
        let word = source.varint()
        let boot =
            Int64(bitPattern: states[lane].bootMilliseconds) &+ unzigzag(word &>> 1)
        guard boot >= 0, boot < BlockCursor.numberLimit else { return nil }
        states[lane].bootMilliseconds = UInt64(bitPattern: boot)
        if word & 1 == 1 {
            guard let rest = readExtras(lane, source) else { return nil }
            source = rest
        }
        let wall = boot &+ states[lane].wallMinusBoot
        guard wall.magnitude < UInt64(BlockCursor.numberLimit) else { return nil }
        room.record.header.position = position
        room.record.header.source = states[lane].source
        room.record.header.stamp.bootMilliseconds = UInt64(bitPattern: boot)
        room.record.header.stamp.wallMilliseconds = wall
        room.record.header.stamp.bootNumber = states[lane].bootNumber
        room.record.header.flags = EventFlags(rawValue: states[lane].flags)
        room.record.header.kind = EventKind(rawValue: states[lane].kind)
        room.record.header.version = states[lane].version
        room.record.form = .payload
        if states[lane].version == 1 {
            switch states[lane].kind {
            case EventKind.characteristicNotified.rawValue: readHeart(lane, &source)
            case EventKind.pedometerRead.rawValue: readPedometer(lane, &source)
            case EventKind.positionFixed.rawValue: source = readPosition(lane, source, wall: wall)
            default: break
            }
        }
        if room.record.form == .payload {
            let count = source.varint()
            guard count <= UInt64(EventLimit.payloadBytes) else { return nil }
            room.record.bytes = source.part(count)
        }
        guard !source.isFailed else { return nil }
        sources[lane].offset = source.offset
        position &+= 1
        laneRemaining[lane] &-= 1
        return room.view
    }

    /// Reads what differs from the entry before, besides the time.
    ///
    /// - Returns: The source after it; nil if that cannot be.
    @usableFromInline
    mutating func readExtras(_ lane: Int, _ start: ByteSource) -> ByteSource? {
        var source = start
        let extras = source.byte()
        guard extras != 0, extras < 0x40 else { return nil }
        if extras & 1 != 0 {
            let (sum, overflow) = states[lane].wallMinusBoot.addingReportingOverflow(
                source.signed())
            guard !overflow, sum.magnitude < UInt64(BlockCursor.numberLimit) * 2 else {
                return nil
            }
            states[lane].wallMinusBoot = sum
        }
        if extras & 2 != 0 {
            guard let number = UInt32(exactly: source.varint()) else { return nil }
            states[lane].bootNumber = number
        }
        if extras & 4 != 0 {
            guard let number = UInt32(exactly: source.varint()) else { return nil }
            states[lane].source = number
        }
        if extras & 8 != 0 { states[lane].flags = source.byte() }
        if extras & 16 != 0 {
            states[lane].kind = source.byte()
            guard BlockCursor.isKind(states[lane].kind, of: lane) else { return nil }
        }
        if extras & 32 != 0 {
            guard let version = UInt16(exactly: source.varint()), version > 0 else { return nil }
            states[lane].version = version
        }
        return source.isFailed ? nil : source
    }
}
