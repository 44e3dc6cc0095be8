import JSON
import Testing

@Suite("HexadecimalBytes")
struct HexadecimalBytesTests {
    @Test("writes two lowercase digits for each byte")
    func writes() {
        #expect(HexadecimalBytes([]).description == "")
        #expect(HexadecimalBytes([0, 9, 0x0A, 0x9F, 0xA9, 0xFF]).description == "00090a9fa9ff")
    }

    @Test("comes back from its digits, of either case")
    func reads() {
        let all = [UInt8](0...255)
        let digits = HexadecimalBytes(all).description
        #expect(HexadecimalBytes(digits)?.bytes == all)
        #expect(HexadecimalBytes(digits.uppercased())?.bytes == all)
    }

    @Test(
        "refuses everything else",
        arguments: ["0", "000", "0g", "g0", " 00", "00 ", "0x00", "+1", "\u{FF11}\u{FF11}", "é"])
    func refuses(_ text: String) {
        #expect(HexadecimalBytes(text) == nil)
    }
}
