import Events
import Testing

@Suite("Outline of a block")
struct BlockOutlineTests {
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
            let outline = BlockOutline(bytes.span)
            #expect(outline != nil)
            guard let outline else { continue }
            #expect(outline.count == 40 && outline.byteCount == block.count)
            #expect(outline.orderBytes == 41)
            let lanes = Lane.allCases.reduce(0) { $0 + outline.bytes(of: $1) }
            #expect(lanes + outline.orderBytes + 24 == block.count)
            #expect(outline.bytes(of: .heart) == 2 && outline.bytes(of: .control) > 60)
        }
    }

    @Test("is none of what is too short, of another format, without events, or too long")
    func none() throws {
        let block = try block()
        for count in 0...BlockOutline.minimumBytes - 1 {
            #expect(BlockOutline(block.span.extracting(0..<count)) == nil)
        }
        for (offset, value) in [(4, 2), (5, 1), (9, 16), (23, 16)] as [(Int, UInt8)] {
            var other = block
            other[offset] = value
            #expect(BlockOutline(other.span) == nil, "byte \(offset)")
        }
        var empty = block
        (empty[6], empty[7]) = (0, 0)
        #expect(BlockOutline(empty.span) == nil)
    }
}
