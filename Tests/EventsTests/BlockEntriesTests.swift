import Events
import Testing

@Suite("The entries of a block")
struct BlockEntriesTests {
    @Test("are weighed to the byte by which each event made its section grow", arguments: 1...5)
    func growth(seed: UInt64) throws {
        var random = BlockRandom(seed: seed)
        var builder = BlockBuilder()
        var last: EventHeader?
        var lengths = [Int](repeating: 0, count: 8)
        var expected: [Int?] = []
        while true {
            let event = random.event(after: last)
            guard builder.append(event) else { break }
            last = event.header
            let now = sectionLengths(of: builder.bytes())
            let lane = Int(try #require(event.header.kind.lane).rawValue)
            let count = try events(of: builder.bytes()).count {
                $0.header.kind.lane?.rawValue == UInt8(lane)
            }
            // The first event also makes the head, and the 128th makes it grow.
            expected.append(count == 1 || count == 128 ? nil : now[lane + 1] - lengths[lane + 1])
            lengths = now
        }
        var weighed: [Int] = []
        try BlockReader.forEachEntry(in: builder.bytes().span) {
            $0.header.position
        } _: {
            #expect($0 == Position(weighed.count))
            weighed.append($1)
        }
        #expect(weighed.count == expected.count && weighed.count > 20)
        for (bytes, grown) in zip(weighed, expected) where grown != nil {
            #expect(bytes == grown, "seed \(seed)")
        }
    }

    private func sectionLengths(of block: [UInt8]) -> [Int] {
        (0..<8).map { Int(block[8 + 2 * $0]) | Int(block[9 + 2 * $0]) << 8 }
    }

    @Test("of a damaged block end before the damage")
    func damaged() throws {
        var random = BlockRandom(seed: 1)
        var builder = BlockBuilder()
        var last: EventHeader?
        for _ in 0..<20 {
            let event = random.event(after: last)
            last = event.header
            let fits = builder.append(event)
            #expect(fits)
        }
        let block = builder.bytes()
        for length in 0..<block.count {
            var taken = 0
            #expect(throws: DamagedBlock.self) {
                try BlockReader.forEachEntry(in: Array(block.prefix(length)).span) { _ in
                } _: { _, _ in
                    taken += 1
                }
            }
            #expect(taken < 20)
        }
    }
}
