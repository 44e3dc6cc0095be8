import Events
import TestSupport
import Testing

@Suite("Varint")
struct VarintTests {
    static let vectors: [(number: UInt64, hex: String)] = [
        (0, "00"), (1, "01"), (127, "7f"), (128, "8001"), (300, "ac02"), (16_383, "ff7f"),
        (16_384, "808001"), (1 << 53 - 1, "ffffffffffffff0f"), (.max, "ffffffffffffffffff01"),
    ]

    @Test("is LEB128 in its shortest form, and read as it was written", arguments: vectors)
    func reads(_ vector: (number: UInt64, hex: String)) {
        var written: [UInt8] = [0xFF]
        written.appendVarint(vector.number)
        #expect(hex(written) == "ff" + vector.hex)
        written.append(0)
        var offset = 1
        #expect(written.span.varint(at: &offset) == vector.number)
        #expect(offset == written.count - 1)
        for end in 1..<written.count - 1 {
            var offset = 1
            #expect(written.span.extracting(..<end).varint(at: &offset) == nil)
            #expect(offset == 1)
        }
    }

    @Test(
        "is refused in any other form",
        arguments: [
            "", "80", "8000", "8100", "808000", "ff8000", "81808080808080808000",
            "ffffffffffffffffff02", "ffffffffffffffffff81", "8080808080808080808001",
        ])
    func refuses(_ hex: String) {
        let other = bytes(hex)
        var offset = 0
        #expect(other.span.varint(at: &offset) == nil)
        #expect(offset == 0)
    }

    @Test("is the same number for every reader of random bytes", arguments: UInt64(1)...4)
    func random(_ seed: UInt64) {
        var random = BlockRandom(seed: seed)
        for _ in 0..<5_000 {
            // Mostly bytes that go on, so that long forms come up.
            let text = (0..<random.number(0...12)).map { _ in
                random.isOne(in: 6) ? random.byte() & 0x7F : random.byte() | 0x80
            }
            var offset = 0
            let number = text.span.varint(at: &offset)
            #expect(number == naive(text), "seed \(seed), \(hex(text))")
            let payload = decoded(.importEnded, text + [0])
            if let number, number <= FieldRange.unsigned.upperBound, offset == text.count {
                #expect(payload == .success(.importEnded(ImportEnded(importedEvents: number))))
            }
        }
    }

    /// The number at the beginning of bytes, by division and comparison with what would be written.
    private func naive(_ text: [UInt8]) -> UInt64? {
        guard let length = text.firstIndex(where: { $0 < 128 }).map({ $0 + 1 }), length <= 10 else {
            return nil
        }
        let value = text.prefix(length).reversed().reduce(UInt128(0)) {
            $0 * 128 + UInt128($1 % 128)
        }
        guard let number = UInt64(exactly: value) else { return nil }
        var written: [UInt8] = []
        written.appendVarint(number)
        return written == Array(text.prefix(length)) ? number : nil
    }

    static let signed: [(number: Int64, zigzag: UInt64)] = [
        (0, 0), (-1, 1), (1, 2), (-2, 3), (2, 4), (.max, .max - 1), (.min, .max),
    ]

    @Test("keeps small magnitudes small", arguments: signed)
    func zigzags(_ vector: (number: Int64, zigzag: UInt64)) {
        #expect(zigzag(vector.number) == vector.zigzag)
        #expect(unzigzag(vector.zigzag) == vector.number)
    }
}
