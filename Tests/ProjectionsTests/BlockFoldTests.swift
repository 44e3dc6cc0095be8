import Events
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("The events of a block")
struct BlockFoldTests {
    /// Blocks of some of the events each, in order.
    private static func blocks(
        of events: [RecordedEvent], _ random: inout SeededGenerator, limit: UInt64
    ) throws -> [(bytes: [UInt8], end: Int)] {
        let batch = try EventBatch(of: events)
        var blocks: [(bytes: [UInt8], end: Int)] = []
        var builder = BlockBuilder()
        var index = 0
        while index < events.count {
            let end = min(events.count, index + Int(1 + random.below(limit)))
            while index < end, batch.withEvent(at: index, { builder.append($0) }) { index += 1 }
            blocks.append((builder.withBytes { [UInt8](copying: $0) }, index))
            builder.startNextBlock()
        }
        return blocks
    }

    /// Folds blocks, and the same events one by one, and compares after each block.
    private static func compare(_ events: [RecordedEvent], seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let limit: UInt64 = [7, 60, 4_000][seed % 3]
        var single = LogState()
        var inBlocks = LogState()
        var begin = 0
        for (block, end) in try blocks(of: events, &random, limit: limit) {
            // Some of it was folded before, as by who follows a log.
            let ahead = begin + Int(random.below(UInt64(end - begin + 1)) / 2)
            for event in events[begin..<end] { single.take(event) }
            for event in events[begin..<ahead] { inBlocks.take(event) }
            try inBlocks.evolve(block: block.span, from: Position(ahead))
            let isSame = single.canonicalBytes() == inBlocks.canonicalBytes()
            try #require(isSame, "seed \(seed), events \(begin)..<\(end)")
            begin = end
        }
        #expect(single == inBlocks)
    }

    @Test("give what they give one by one, on quiet logs", arguments: sample(0..<120, 8))
    func quiet(seed: Int) throws {
        var log = QuietLog(seed: UInt64(seed))
        let events = (0..<1_500).map { _ in log.next() }
        try Self.compare(events, seed: seed)
    }

    @Test("give what they give one by one, on hostile logs", arguments: sample(0..<60, 8))
    func hostile(seed: Int) throws {
        var log = HostileLog(seed: UInt64(seed))
        let events = (0..<800).map { _ in log.next() }
        try Self.compare(events, seed: seed)
    }

    @Test("sources that take turns are kept apart", arguments: sample(0..<60, 6))
    func sources(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var logs = (0..<4).map { QuietLog(seed: UInt64(seed * 4 + $0)) }
        var source = 0
        let events = (0..<1_200).map { position in
            if random.below([3, 30, 300][seed % 3]) == 0 { source = Int(random.below(4)) }
            var event = logs[source].next()
            event.header.position = Position(position)
            event.header.source = UInt32(source * source)
            return event
        }
        try Self.compare(events, seed: seed)
        var (whole, restored) = (LogState(), LogState())
        for event in events {
            whole.take(event)
            restored.take(event)
            if random.below(9) == 0 {
                // No import is the current one after this.
                restored = try LogState(canonicalBytes: restored.canonicalBytes().span)
                #expect(restored == whole && restored.hashValue == whole.hashValue)
            }
        }
        #expect(restored.canonicalBytes() == whole.canonicalBytes())
        #expect(restored.snapshotBytes() == whole.snapshotBytes())
        #expect(whole.sources == [0, 1, 4, 9, .max].compactMap { whole[Provenance(number: $0)] })
    }
}
