import Interchange
import Testing

@Suite("Decimal numbers as text")
struct DecimalTextTests {
    static let vectors: [(text: String, places: Int, expected: Int64?)] = [
        ("48.1371500", 7, 481_371_500), ("-48.13715", 7, -481_371_500), ("0", 7, 0),
        ("+1.5", 0, 2), ("-1.5", 0, -2), ("1.49999999999999999999999", 0, 1), ("-0", 7, 0),
        // A binary fraction would be 49999999 here.
        ("4.99999995", 7, 50_000_000), ("4.9999999499999999999999", 7, 49_999_999),
        ("0.00000005", 7, 1), ("0.00000004999", 7, 0), (".5", 1, 5), ("5.", 1, 50),
        ("1e2", 0, 100), ("1E+2", 1, 1_000), ("12345e-4", 3, 1_235), ("5e-8", 7, 1),
        ("4.9e-8", 7, 0), ("1e-999999999999999999999", 7, 0), ("0e999999999999999999999", 7, 0),
        ("1e999999999999999999999", 7, nil), ("9223372036854775807", 0, .max),
        ("9223372036854775808", 0, nil), ("-9223372036854775807", 0, -.max),
        ("99999999999999999999", 0, nil), ("922337203685477580.74", 1, 9_223_372_036_854_775_807),
        ("922337203685477580.8", 1, nil), ("000000000000000000000000001", 0, 1),
        ("0.0000000000000000000000000000000000000001", 40, 1),
    ]

    @Test("are whole numbers of the unit that is asked for, exactly", arguments: vectors)
    func values(_ vector: (text: String, places: Int, expected: Int64?)) throws {
        let number = try #require(DecimalText(vector.text))
        #expect(number.whole(timesTenTo: vector.places) == vector.expected)
    }

    @Test(
        "are nothing else",
        arguments: [
            "", ".", "-", "+", "e5", "1e", "1e+", "1.2.3", "NaN", "nan", "inf", "-Infinity", "0x10",
            " 1", "1 ", "1,5", "--1", "1e1.5", "1e5e5", "١", "1\u{0}",
        ])
    func others(_ text: String) {
        #expect(DecimalText(text) == nil)
    }

    @Test("take as long as they are, at most", arguments: ["", "-"])
    func long(sign: String) throws {
        let digits = String(repeating: "9", count: 100_000)
        let number = try #require(DecimalText("\(sign)0.\(digits)"))
        #expect(number.whole(timesTenTo: 0) == (sign.isEmpty ? 1 : -1))
        #expect(DecimalText(digits)?.whole(timesTenTo: 0) == nil)
    }
}
