import JSON
import Testing
import Text

@Suite("Bytes as hexadecimal digits")
struct HexadecimalBytesTests {
    @Test("writes two lowercase digits for each byte")
    func writes() {
        #expect(hexadecimal([]) == "")
        #expect(hexadecimal([0, 9, 0x0A, 0x9F, 0xA9, 0xFF]) == "00090a9fa9ff")
    }

    @Test("comes back from its digits, of either case")
    func reads() {
        let all = [UInt8](0...255)
        let digits = hexadecimal(all)
        #expect([UInt8](hexadecimal: digits) == all)
        #expect([UInt8](hexadecimal: digits.uppercased()) == all)
    }

    @Test(
        "refuses everything else",
        arguments: ["0", "000", "0g", "g0", " 00", "00 ", "0x00", "+1", "\u{FF11}\u{FF11}", "é"])
    func refuses(_ text: String) {
        #expect([UInt8](hexadecimal: text) == nil)
    }
}
