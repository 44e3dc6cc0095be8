import Events
import TestSelection
import Testing

@Suite("Damaged block")
struct BlockDamageTests {
    @Test("is noticed at its place for every change of one byte, before anything is read")
    func everyByte() throws {
        #expect(try check(golden.block, at: 0) == 0..<3)
        var wrong: [String] = []
        for offset in golden.block.indices {
            var block = golden.block
            for change in UInt8(1)...255 {
                block[offset] = golden.block[offset] ^ change
                let found = Result { () throws(DamagedBlock) in try check(block, at: 0) }
                if found != .failure(DamagedBlock(.checksum, position: 0)) {
                    wrong.append("offset \(offset), change \(change): \(found)")
                }
            }
            #expect(throws: DamagedBlock.self) { try BlockReader.verify(block.span) }
        }
        #expect(wrong.isEmpty)
    }

    /// Checks a block that an array holds.
    private func check(
        _ block: [UInt8], at first: Position
    ) throws(DamagedBlock) -> Range<Position> {
        try BlockReader.check(block.span, at: first)
    }

    @Test("is told from a block of a newer format, and from one of another place")
    func whole() {
        var newer = Array(golden.block[4...])
        newer[0] = 2
        #expect(throws: DamagedBlock(.format, position: 0)) {
            try check(checksummed(newer), at: 0)
        }
        #expect(throws: DamagedBlock(.place, position: 3)) {
            try check(golden.block, at: 3)
        }
        let head = Array(golden.block.prefix(24))
        #expect(throws: DamagedBlock(.size, position: 7)) {
            try check(head, at: 7)
        }
    }

    @Test("that begins where no event can stand is noticed, and nothing is added to its position")
    func enormousPosition() throws {
        let positions: [(UInt64, [UInt8])] = [
            (.max, [UInt8](repeating: 0xFF, count: 9) + [1]),
            (1 << 53, [UInt8](repeating: 0x80, count: 7) + [0x10]),
        ]
        for (first, varint) in positions {
            var block = golden.block
            #expect(block[24] == 0, "The position of its first event.")
            block.replaceSubrange(24...24, with: varint)
            block[8] += UInt8(varint.count - 1)
            #expect(throws: DamagedBlock(.section, position: first)) {
                try check(checksummed(Array(block[4...])), at: first)
            }
        }
    }

    @Test("is noticed at every length but its own")
    func everyLength() {
        for count in 0..<golden.block.count {
            let shorter = Array(golden.block.prefix(count))
            #expect(throws: DamagedBlock.self) { try BlockReader.verify(shorter.span) }
            #expect(throws: DamagedBlock.self) { try events(of: shorter) }
        }
        for extra in 1...40 {
            let longer = golden.block + [UInt8](repeating: 0, count: extra)
            #expect(throws: DamagedBlock.self) { try BlockReader.verify(longer.span) }
            #expect(throws: DamagedBlock.self) { try events(of: longer) }
        }
    }

    @Test(
        "is read without a trap whatever the bytes",
        arguments: sample(1...40 as ClosedRange<UInt64>, 8))
    func mutations(seed: UInt64) throws {
        var random = BlockRandom(seed: seed)
        var builder = BlockBuilder()
        var before: EventHeader?
        for _ in 0..<random.number(1...60) {
            let event = random.event(after: before)
            before = event.header
            guard builder.append(event) else { break }
        }
        let block = builder.bytes()
        for _ in 0..<300 {
            var damaged = block
            for _ in 0..<random.number(1...6) {
                damaged[random.number(4...block.count - 1)] =
                    random.isOne(in: 3) ? 0xFF : random.byte()
            }
            read(damaged, seed: seed)
        }
    }

    @Test(
        "is read without a trap if it is noise", arguments: sample(1...20 as ClosedRange<UInt64>, 4)
    )
    func noise(seed: UInt64) {
        var random = BlockRandom(seed: seed)
        for _ in 0..<300 {
            var noise = random.bytes(0...200)
            read(noise, seed: seed)
            guard noise.count > 24 else { continue }
            // With a header that fits, so that the sections are reached.
            var rest = noise.count - 24
            noise.replaceSubrange(4..<8, with: [1, 0, UInt8(random.number(1...20)), 0])
            for section in 0..<8 {
                let length = section == 7 ? rest : random.number(0...rest)
                noise[8 + 2 * section] = UInt8(length)
                noise[9 + 2 * section] = 0
                rest -= length
            }
            read(noise, seed: seed)
        }
    }

    /// Reads a block without its checksum: it ends, and what it gives keeps to the limits.
    private func read(_ block: [UInt8], seed: UInt64) {
        do throws(DamagedBlock) {
            let keepsLimits = try events(of: block).allSatisfy { event in
                event.header.kind.isStorable && event.header.version > 0
                    && event.payload.count <= EventLimit.payloadBytes
                    && event.header.stamp.bootMilliseconds < 1 << 53
                    && event.header.stamp.wallMilliseconds.magnitude < 1 << 53
                    && event.header.position < 1 << 53
            }
            #expect(keepsLimits, "seed \(seed)")
            // What can be read can be verified, and a writer can go on after it.
            let whole = checksummed(Array(block[4...]))
            try BlockReader.verify(whole.span)
            var builder = BlockBuilder()
            try builder.resume(whole.span)
            let next = builder.next
            #expect(next > 0)
        } catch {
            return
        }
    }
}
