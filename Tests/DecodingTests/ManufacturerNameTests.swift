import Decoding
import TestSupport
import Testing

@Suite("ManufacturerName")
struct ManufacturerNameTests {
    @Test(
        "keeps text as it is",
        arguments: [
            "", "Polar Electro Oy", "Garmin\u{7F}", "Süunto", "速度計", "👟", "\u{FEFF}Wahoo",
            "a\u{0}b", "\u{1B}[2J", "\u{202E}<b>=cmd", String(repeating: "é", count: 256),
        ])
    func keepsText(_ text: String) throws {
        let value = Array(text.utf8)
        let name = try ManufacturerName(decoding: value.span)
        // By bytes: equality of strings looks through normalization.
        #expect(Array(name.text.utf8) == value)
        #expect(name.trailingByteCount == 0)
    }

    @Test("leaves out NUL bytes at the end, and only those", arguments: [1, 2, 15])
    func leavesOutTrailingNULs(_ count: Int) throws {
        let value = Array("Polar\u{0}H10".utf8) + Array(repeating: 0, count: count)
        let name = try ManufacturerName(decoding: value.span)
        #expect(name.text == "Polar\u{0}H10")
        #expect(name.trailingByteCount == count)
    }

    @Test("reads a buffer of nothing but NUL bytes as an empty name")
    func readsBlankBuffer() throws {
        let name = try ManufacturerName(decoding: [0, 0, 0].span)
        #expect(name.text.isEmpty)
        #expect(name.trailingByteCount == 3)
    }

    @Test(
        "names the first byte that is not UTF-8",
        arguments: [
            ("ff", 0), ("50 80", 1), ("50 6f fe 72", 2), ("53 fc 75", 1),
            // Cut off within a character of two, three and four bytes.
            ("41 c3", 1), ("41 e9 80", 1), ("41 42 f0 9f 91", 2), ("c3 00", 0),
            // Longer than needed, a surrogate, after the last code point.
            ("41 c0 80", 1), ("41 ed a0 80", 1), ("41 f4 90 80 80", 1),
        ])
    func namesFirstBadByte(_ hex: String, _ offset: Int) {
        let error = MalformedMeasurement(
            code: .invalidUTF8, field: .manufacturerName, offset: offset)
        #expect(outcome(ManufacturerName.self, bytes(hex)) == .failure(error))
    }

    @Test("accepts 512 bytes and not one more, whatever they are", arguments: [0, 0x41] as [UInt8])
    func isBounded(_ byte: UInt8) {
        let longest = [UInt8](repeating: byte, count: ManufacturerName.maximumByteCount)
        #expect(throws: Never.self) { try ManufacturerName(decoding: longest.span) }

        let error = MalformedMeasurement(code: .tooLong, field: .manufacturerName, offset: 512)
        #expect(outcome(ManufacturerName.self, longest + [byte]) == .failure(error))
    }
}
