/// Builds the open block of a log: takes events until they no longer fit, and gives the bytes.
///
/// Sections only grow at their ends, so the bytes of an event never change while its block is
/// extended. A builder belongs to one thread at a time.
@safe
public struct BlockBuilder: ~Copyable {
    /// Room of a section: a full block and one event more.
    static let sectionBytes = 8_192
    /// The most bytes that an entry takes, its payload not counted.
    static let entryBytes = 96

    private let memory: UnsafeMutablePointer<UInt8>
    /// The end of the order section, then of the lanes, each without its head.
    private var order: ByteSink
    private var lanes: InlineArray<7, ByteSink>
    private var states = InlineArray<7, LaneState>(repeating: LaneState())
    /// The first entry's envelope in each lane: the base of the section.
    private var bases = InlineArray<7, LaneState>(repeating: LaneState())
    private var devices = DeviceList()
    private var laneCounts = InlineArray<7, UInt64>(repeating: 0)
    private var laneIndices = InlineArray<7, UInt64>(repeating: 0)
    /// The bytes of the block as it stands, heads included.
    private var size = 0
    /// Whether an event of the lane of days is the record of one.
    private var holdsDayRecord = false

    /// The position of the block's first event.
    public private(set) var first: Position
    /// The number of events in the block.
    public private(set) var count = 0

    /// Makes an empty block at the start of an empty log.
    public init() {
        let memory = UnsafeMutablePointer<UInt8>.allocate(
            capacity: (BlockLayout.laneCount + 2) * BlockBuilder.sectionBytes)
        unsafe self.memory = unsafe memory
        order = unsafe ByteSink(memory, capacity: BlockBuilder.sectionBytes)
        lanes = InlineArray<7, ByteSink> { lane in
            unsafe ByteSink(
                memory + (lane + 1) * BlockBuilder.sectionBytes,
                capacity: BlockBuilder.sectionBytes)
        }
        first = 0
        restart(first: 0, laneIndices: InlineArray(repeating: 0))
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// The position that the next event gets.
    public var next: Position { first + UInt64(count) }

    /// Begins the next block, after the last event of this one.
    public mutating func startNextBlock() {
        var indices = laneIndices
        for lane in 0..<BlockLayout.laneCount { indices[lane] += laneCounts[lane] }
        restart(first: next, laneIndices: indices)
    }

    /// Begins the next block in the middle of another one: after its events before a position.
    ///
    /// - Parameters:
    ///   - position: The position of the first event that follows, one of the other block's.
    ///   - block: The other block.
    /// - Throws: ``DamagedBlock`` if the other block cannot be read.
    public mutating func startNextBlock(
        at position: Position, within block: Span<UInt8>
    ) throws(DamagedBlock) {
        var indices = try BlockReader.heads(of: block).laneIndices
        try BlockReader.forEach(in: block) { event in
            guard event.header.position < position else { return false }
            indices[BlockBuilder.lane(of: event.header)] += 1
            return true
        }
        restart(first: position, laneIndices: indices)
    }

    private mutating func restart(first: Position, laneIndices: InlineArray<7, UInt64>) {
        self.first = first
        self.laneIndices = laneIndices
        count = 0
        order.offset = 0
        holdsDayRecord = false
        devices = DeviceList()
        size = BlockLayout.headerBytes + varintBytes(first)
        for lane in 0..<BlockLayout.laneCount {
            lanes[lane].offset = 0
            states[lane] = LaneState()
            laneCounts[lane] = 0
            size += 1 + varintBytes(laneIndices[lane])
        }
    }

    /// Adds events of a batch, in order, until one does not fit or all are in.
    ///
    /// A block without events takes at least one.
    ///
    /// - Parameters:
    ///   - batch: The events.
    ///   - start: The index of the first to add.
    /// - Returns: The index of the event that did not fit, or the number of events.
    public mutating func append(_ batch: EventBatch, from start: Int) -> Int {
        for index in start..<batch.count {
            guard batch.withEvent(at: index, { append($0) }) else {
                precondition(count > 0, "Every event fits into a block of its own.")
                return index
            }
        }
        return batch.count
    }

    /// Adds an event at ``next``, unless the block is too full for it.
    ///
    /// A day's record needs the day lane of its block to itself: a proof discloses a whole section,
    /// and shall reveal one day only.
    ///
    /// - Parameter event: The event; its position is not looked at. Its limits have been checked
    ///   by ``EventBatch``.
    /// - Returns: false if the event does not fit; the block is unchanged then.
    public mutating func append(_ event: borrowing EventView) -> Bool {
        if event.header.kind.rawValue >> 5 == Lane.day.rawValue, isDayLaneTaken(for: event.header) {
            return false
        }
        if size &+ event.payloadCount &+ BlockBuilder.entryBytes > BlockLayout.maximumBytes {
            return appendIfItFits(event)
        }
        add(event)
        return true
    }

    /// Whether the day lane holds an event and either that one or the new one needs the lane to
    /// itself.
    private mutating func isDayLaneTaken(for header: EventHeader) -> Bool {
        let isRecord = header.kind == .dayRecorded && header.source == 0
        let isTaken = laneCounts[BlockLayout.dayLane] > 0 && (isRecord || holdsDayRecord)
        if !isTaken { holdsDayRecord = isRecord }
        return isTaken
    }

    /// Adds an event for which there may be no room, and takes it back if there is none.
    private mutating func appendIfItFits(_ event: borrowing EventView) -> Bool {
        let lane = BlockBuilder.lane(of: event.header)
        let (oldSize, oldOffset, oldState) = (size, lanes[lane].offset, states[lane])
        add(event)
        guard size > BlockLayout.maximumBytes else { return true }
        size = oldSize
        lanes[lane].offset = oldOffset
        states[lane] = oldState
        laneCounts[lane] &-= 1
        order.offset &-= 1
        count &-= 1
        assert(order.offset == count && size <= BlockLayout.maximumBytes, "An event left a trace.")
        return false
    }

    @inline(__always)
    private static func lane(of header: EventHeader) -> Int {
        let lane = Int(header.kind.rawValue >> 5)
        precondition(lane < BlockLayout.laneCount, "The kind has no lane.")
        return lane
    }

    private mutating func add(_ event: borrowing EventView) {
        // Sections are written without a look at their end: there is room after a full block.
        precondition(
            size <= BlockLayout.maximumBytes
                && event.payloadCount <= BlockBuilder.sectionBytes - BlockLayout.maximumBytes
                    - BlockBuilder.entryBytes,
            "The event's payload exceeds its limit.")
        let header = event.header
        let lane = BlockBuilder.lane(of: header)
        if laneCounts[lane] == 0 { writeBase(lane, header) }
        // A copy, so that its offset stays in a register.
        var sink = lanes[lane]
        writeEnvelope(&sink, lane, header)
        writeBody(&sink, lane, event)
        size &+= 1 &+ sink.offset &- lanes[lane].offset
        lanes[lane] = sink
        laneCounts[lane] &+= 1
        if laneCounts[lane] & 0x7F == 0 {
            size &+= varintBytes(laneCounts[lane]) &- varintBytes(laneCounts[lane] &- 1)
        }
        order.byte(UInt8(truncatingIfNeeded: lane))
        count &+= 1
        assert(order.offset == count, "Each event has a byte in the order.")
    }

    private mutating func writeBase(_ lane: Int, _ header: EventHeader) {
        let boot = header.stamp.bootMilliseconds
        states[lane].bootMilliseconds = boot
        states[lane].wallMinusBoot = header.stamp.wallMilliseconds &- Int64(bitPattern: boot)
        states[lane].bootNumber = header.stamp.bootNumber
        states[lane].source = header.source
        states[lane].flags = header.flags.rawValue
        states[lane].kind = header.kind.rawValue
        bases[lane] = states[lane]
        size +=
            varintBytes(boot) + varintBytes(zigzag(states[lane].wallMinusBoot))
            + varintBytes(UInt64(header.stamp.bootNumber)) + varintBytes(UInt64(header.source)) + 2
    }

    @inline(__always)
    private mutating func writeEnvelope(
        _ sink: inout ByteSink, _ lane: Int, _ header: EventHeader
    ) {
        let boot = header.stamp.bootMilliseconds
        let step = Int64(bitPattern: boot &- states[lane].bootMilliseconds)
        let difference = header.stamp.wallMilliseconds &- Int64(bitPattern: boot)
        var extras: UInt8 = difference == states[lane].wallMinusBoot ? 0 : 1
        if header.stamp.bootNumber != states[lane].bootNumber { extras |= 2 }
        if header.source != states[lane].source { extras |= 4 }
        if header.flags.rawValue != states[lane].flags { extras |= 8 }
        if header.kind.rawValue != states[lane].kind { extras |= 16 }
        if header.version != states[lane].version { extras |= 32 }
        states[lane].bootMilliseconds = boot
        sink.varint(zigzag(step) &<< 1 | (extras == 0 ? 0 : 1))
        if extras != 0 { writeExtras(&sink, lane, header, extras, difference) }
    }

    private mutating func writeExtras(
        _ sink: inout ByteSink, _ lane: Int, _ header: EventHeader, _ extras: UInt8,
        _ difference: Int64
    ) {
        sink.byte(extras)
        if extras & 1 != 0 { sink.signed(difference &- states[lane].wallMinusBoot) }
        if extras & 2 != 0 { sink.varint(UInt64(header.stamp.bootNumber)) }
        if extras & 4 != 0 { sink.varint(UInt64(header.source)) }
        if extras & 8 != 0 { sink.byte(header.flags.rawValue) }
        if extras & 16 != 0 { sink.byte(header.kind.rawValue) }
        if extras & 32 != 0 { sink.varint(UInt64(header.version)) }
        states[lane].wallMinusBoot = difference
        states[lane].bootNumber = header.stamp.bootNumber
        states[lane].source = header.source
        states[lane].flags = header.flags.rawValue
        states[lane].kind = header.kind.rawValue
        states[lane].version = header.version
    }

    @inline(__always)
    private mutating func writeBody(
        _ sink: inout ByteSink, _ lane: Int, _ event: borrowing EventView
    ) {
        var verbatim: UInt8?
        if event.header.version == 1 {
            switch event.header.kind {
            case .characteristicNotified:
                if writeHeart(&sink, &states[lane], &devices, event) { return }
                verbatim = 7
            case .pedometerRead:
                if writePedometer(&sink, &states[lane], &devices, event) { return }
                verbatim = 7
            case .positionFixed:
                if writePosition(&sink, &states[lane], event) { return }
                verbatim = 255
            default: break
            }
        }
        if let verbatim { sink.byte(verbatim) }
        sink.varint(UInt64(event.payloadCount))
        event.withPayload { sink.bytes($0) }
    }
}

extension BlockBuilder {
    /// Hands the block's bytes to `body`, valid during the call; at most 4,080.
    ///
    /// The block continues afterwards. It holds at least one event.
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(count > 0, "The block has no events.")
        precondition(size <= BlockLayout.maximumBytes, "The block is too long.")
        assert((0..<7).reduce(0) { $0 + laneCounts[$1] } == UInt64(count), "Each has a lane.")
        // The last part of the memory is where blocks are put together.
        var block = unsafe ByteSink(
            memory + 8 * BlockBuilder.sectionBytes, capacity: BlockBuilder.sectionBytes)
        block.offset = BlockLayout.headerBytes
        var lengths = InlineArray<8, Int>(repeating: 0)
        block.varint(first)
        order.written { block.bytes($0) }
        lengths[0] = block.offset - BlockLayout.headerBytes
        for lane in 0..<BlockLayout.laneCount {
            let start = block.offset
            block.varint(laneCounts[lane])
            block.varint(laneIndices[lane])
            if laneCounts[lane] > 0 {
                block.varint(bases[lane].bootMilliseconds)
                block.signed(bases[lane].wallMinusBoot)
                block.varint(UInt64(bases[lane].bootNumber))
                block.varint(UInt64(bases[lane].source))
                block.byte(bases[lane].flags)
                block.byte(bases[lane].kind)
                lanes[lane].written { block.bytes($0) }
            }
            lengths[lane + 1] = block.offset - start
        }
        let end = block.offset
        assert(end == size, "The sections have the bytes that were counted.")
        block.offset = 4
        block.fixed(UInt64(BlockLayout.format), 2)
        block.fixed(UInt64(count), 2)
        for part in 0..<8 { block.fixed(UInt64(lengths[part]), 2) }
        block.offset = end
        let checksum = block.written(from: 4) { CRC32C.checksum($0) }
        block.offset = 0
        block.fixed(UInt64(checksum), 4)
        block.offset = end
        return try block.written(body)
    }

    /// Goes on where a block ends: becomes a copy of it to which events can be added.
    ///
    /// A block that another writer made with other choices is left as it is: the builder begins
    /// the block after it.
    ///
    /// - Throws: ``DamagedBlock`` if the block cannot be read whole.
    public mutating func resume(_ block: Span<UInt8>) throws(DamagedBlock) {
        try BlockReader.verify(block)
        let heads = try BlockReader.heads(of: block)
        restart(first: heads.first, laneIndices: heads.laneIndices)
        var fits = true
        try BlockReader.forEach(in: block) { event in
            fits = append(event)
            return fits
        }
        let isSame = fits && withBytes { $0.count == block.count && $0.isEqual(to: block) }
        if !isSame {
            restart(
                first: heads.next,
                laneIndices: InlineArray { heads.laneIndices[$0] + heads.laneCounts[$0] })
        }
        assert(next == heads.next, "The log continues where the block ends.")
    }
}

extension Span<UInt8> {
    /// Whether both spans, of the same length, hold the same bytes.
    fileprivate func isEqual(to other: Span<UInt8>) -> Bool {
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
