import Events
import Testing

@Suite("Head of a block")
struct BlockHeadTests {
    private func block() throws -> [UInt8] {
        var batch = EventBatch()
        let stamp = Stamp(bootMilliseconds: 5, wallMilliseconds: 1_750_000_000_000, bootNumber: 0)
        for number in 0..<20 {
            try batch.append(.noted(Noted(text: "\(number)")), stamp: stamp, flags: [])
            try batch.append(.sessionPaused(SessionPaused()), stamp: stamp, flags: [])
        }
        var builder = BlockBuilder()
        _ = builder.append(batch, from: 0)
        return builder.withBytes { [UInt8](copying: $0) }
    }

    @Test("says the size of a block and of its parts, also of one that bytes follow")
    func sizes() throws {
        let block = try block()
        for bytes in [block, block + [1, 2, 3]] {
            let head = BlockHead(bytes.span)
            #expect(head?.isPossible == true)
            guard let head else { continue }
            #expect(head.count == 40 && head.byteCount == block.count)
            #expect(head.orderBytes == 41)
            let lanes = Lane.allCases.reduce(0) { $0 + head.bytes(of: $1) }
            #expect(lanes + head.orderBytes + 24 == block.count)
            #expect(head.bytes(of: .heart) == 2 && head.bytes(of: .control) > 60)
        }
    }

    @Test("is none of what is too short, of another format, without events, or too long")
    func none() throws {
        let block = try block()
        for count in 0...24 {
            #expect(BlockHead(block.span.extracting(0..<count)) == nil)
        }
        for (offset, value) in [(4, 2), (5, 1), (9, 16), (23, 16)] as [(Int, UInt8)] {
            var other = block
            other[offset] = value
            #expect(BlockHead(other.span)?.isPossible == false, "byte \(offset)")
        }
        var empty = block
        (empty[6], empty[7]) = (0, 0)
        #expect(BlockHead(empty.span)?.isPossible == false)
    }
}
