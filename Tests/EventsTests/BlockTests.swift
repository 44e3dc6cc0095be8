import Events
import Testing

@Suite("Block")
struct BlockTests {
    static let seeds: [UInt64] = Array(1...5)

    @Test("gives back envelopes and payloads, block after block", arguments: seeds)
    func roundTrip(seed: UInt64) throws {
        var random = BlockRandom(seed: seed)
        var builder = BlockBuilder()
        var written: [BlockEvent] = []
        var read: [BlockEvent] = []
        var laneCounts = [UInt64](repeating: 0, count: 7)
        for position in 0..<Position(1_500) {
            var event = random.event(after: written.last?.header)
            if !builder.append(event) {
                let block = builder.bytes()
                try checkHeads(of: block, &laneCounts)
                read += try events(of: block)
                builder.startNextBlock()
                let fits = builder.append(event)
                #expect(fits, "seed \(seed)")
            }
            event.header.position = position
            written.append(event)
        }
        read += try events(of: builder.bytes())
        #expect(read == written, "seed \(seed)")
    }

    private func checkHeads(of block: [UInt8], _ laneCounts: inout [UInt64]) throws {
        let heads = try BlockReader.heads(of: block.span)
        let kinds = try events(of: block).map(\.header.kind)
        #expect(try BlockReader.verify(block.span) == kinds.count)
        #expect(heads.count == kinds.count)
        for lane in Lane.allCases {
            let number = Int(lane.rawValue)
            let count = UInt64(kinds.count { $0.lane == lane })
            #expect(heads.indices(in: lane) == laneCounts[number]..<laneCounts[number] + count)
            laneCounts[number] += count
        }
    }

    @Test("keeps the bytes of earlier events when it is extended", arguments: seeds)
    func onlyGrows(seed: UInt64) throws {
        var random = BlockRandom(seed: seed)
        var builder = BlockBuilder()
        var last: [BlockEvent] = []
        var lastSections = [[UInt8]](repeating: [], count: 8)
        while builder.append(random.event(after: last.last?.header)) {
            let block = builder.bytes()
            let now = try events(of: block)
            #expect(now.dropLast() == last[...], "seed \(seed)")
            let sections = sections(of: block)
            for (old, new) in zip(lastSections, sections) {
                #expect(new.starts(with: old), "seed \(seed)")
            }
            last = now
            lastSections = sections
        }
        let block = builder.bytes()
        #expect(try events(of: block) == last)
    }

    /// The parts of a block that only grow: the order, and the entries of each lane after its
    /// section's head.
    private func sections(of block: [UInt8]) -> [[UInt8]] {
        var start = 24
        return (0..<8).map { number in
            let length = Int(block[8 + 2 * number]) | Int(block[9 + 2 * number]) << 8
            defer { start += length }
            let section = block[start..<start + length]
            guard number > 0, section.first != 0 else { return number > 0 ? [] : Array(section) }
            // Count, index, boot, wall, boot number and source, each ending in a byte below 128;
            // flags and kind.
            var rest = section
            for _ in 0..<6 { rest = rest.drop { $0 >= 0x80 }.dropFirst() }
            return Array(rest)
        }
    }

    @Test("goes on from its bytes as if it had never stopped", arguments: seeds)
    func resumes(seed: UInt64) throws {
        var random = BlockRandom(seed: seed)
        var straight = BlockBuilder()
        var resumed = BlockBuilder()
        var before: EventHeader?
        for _ in 0..<250 {
            let event = random.event(after: before)
            before = event.header
            let fits = straight.append(event)
            let fitsAlso = resumed.append(event)
            #expect(fitsAlso == fits, "seed \(seed)")
            if !fits {
                straight.startNextBlock()
                resumed.startNextBlock()
                _ = straight.append(event)
                _ = resumed.append(event)
            }
            let bytes = straight.bytes()
            let resumedBytes = resumed.bytes()
            #expect(resumedBytes == bytes, "seed \(seed)")
            var fresh = BlockBuilder()
            try fresh.resume(bytes.span)
            let isSame = fresh.first == straight.first && fresh.count == straight.count
            #expect(isSame)
            resumed = fresh
        }
    }

    @Test("begins a new block after one that another writer made with other choices")
    func resumesForeign() throws {
        var builder = BlockBuilder()
        _ = builder.append(golden.events[0])
        // The same event with its value kept verbatim, where this writer chooses the dense form.
        let own = builder.bytes()
        let entries = try #require(own.firstIndex(of: 0x81))
        var lane = Array(own[24 + 2 + 4..<entries])
        let payload = golden.events[0].payload
        lane += [7, UInt8(payload.count)] + payload
        var foreign = Array(own[4..<12]) + [2, 0, UInt8(lane.count), 0] + Array(own[16..<24])
        foreign += own[24..<30] + lane + [UInt8](repeating: 0, count: 8)
        foreign = checksummed(foreign)
        #expect(try events(of: foreign).map(\.payload) == [payload])
        try builder.resume(foreign.span)
        let (next, count) = (builder.next, builder.count)
        #expect(next == 1 && count == 0)
        _ = builder.append(golden.events[0])
        let heads = try BlockReader.heads(of: builder.bytes().span)
        #expect(heads.indices(in: .heart) == 1..<2)
    }

    @Test("takes every flags byte and length of a 2A37 value, densely where it can")
    func strapValues() throws {
        var random = BlockRandom(seed: 37)
        for flags in UInt8.min...UInt8.max {
            for length in 0...20 {
                var value = random.bytes(length...length)
                if length > 0 { value[0] = flags }
                let payload = random.strapPayload(value: value)
                var event = golden.events[0]
                event.payload = payload
                var builder = BlockBuilder()
                let fits = builder.append(event)
                #expect(fits)
                let block = builder.bytes()
                #expect(try events(of: block).map(\.payload) == [payload])
                let body = Int(block[14]) - 15  // The section's length without head and time word.
                #expect(
                    body == denseBytes(of: value) ?? 2 + payload.count,
                    "flags \(flags), length \(length)")
            }
        }
    }

    /// The length of a value's dense body, the first in its section; nil if it is kept verbatim.
    private func denseBytes(of value: [UInt8]) -> Int? {
        guard let flags = value.first, flags < 0x20 else { return nil }
        let fixed = 1 + Int(flags & 1) + Int(flags >> 3 & 1) * 2
        let intervals = value.dropFirst(1 + fixed)
        guard value.count > fixed, intervals.count % 2 == 0, intervals.count <= 10,
            flags & 0x10 != 0 || intervals.isEmpty
        else { return nil }
        var last = 0
        var bytes = 1 + 8 + fixed
        for start in stride(from: intervals.startIndex, to: intervals.endIndex, by: 2) {
            let interval = Int(intervals[start]) | Int(intervals[start + 1]) << 8
            let difference = interval - last
            let zigzag = difference < 0 ? -2 * difference - 1 : 2 * difference
            bytes += zigzag < 0x80 ? 1 : zigzag < 0x4000 ? 2 : 3
            last = interval
        }
        return bytes
    }

    @Test("keeps positions whose numbers are at their limits")
    func positionLimits() throws {
        let limit: Int64 = 1 << 53
        var builder = BlockBuilder()
        var written: [[UInt8]] = []
        for number in [0, limit - 1, limit, 1 - limit, -limit, .max, .min, 1] {
            for there in [[UInt8](), [0, 0, 0, 0, 1], [1, 1, 1, 1, 1], [1, 0, 0, 0, 2]] {
                var payload: [UInt8] = []
                payload.appendVarint(zigzag(number))
                payload.appendVarint(zigzag(-1))
                for isThere in there {
                    payload.append(isThere)
                    if isThere == 1 { payload.appendVarint(zigzag(number)) }
                }
                var event = golden.events[0]
                event.header.kind = .positionFixed
                event.payload = payload
                let fits = builder.append(event)
                #expect(fits)
                written.append(payload)
            }
        }
        let block = builder.bytes()
        #expect(try events(of: block).map(\.payload) == written)
    }
}
