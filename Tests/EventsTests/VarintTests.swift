import Events
import TestSupport
import Testing

@Suite("Varint")
struct VarintTests {
    static let vectors: [(number: UInt64, hex: String)] = [
        (0, "00"), (1, "01"), (127, "7f"), (128, "8001"), (300, "ac02"), (16_383, "ff7f"),
        (16_384, "808001"), (1 << 53 - 1, "ffffffffffffff0f"), (.max, "ffffffffffffffffff01"),
    ]

    @Test("is LEB128 in its shortest form", arguments: vectors)
    func unsigned(_ vector: (number: UInt64, hex: String)) {
        var written: [UInt8] = []
        written.appendVarint(vector.number)
        #expect(hex(written) == vector.hex)
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
