import JSON
import Testing
import Text

@Suite("JSONWriter")
struct JSONWriterTests {
    @Test("writes fields in the order of the calls")
    func order() {
        let line = JSONWriter.line {
            $0.field("bpm", 83)
            $0.field("contact", "detected")
            $0.field("energyKilojoules", nil as Int?)
            $0.field("rrTicks", [692, 700])
            $0.field("isHeld", true)
            $0.object("goal") {
                $0.field("kind", "steps")
                $0.field("reached", false)
                $0.object("empty") { _ in }
            }
            $0.array("zones") {
                $0.value(1)
                $0.object { $0.field("a", Optional(2)) }
                $0.array { _ in }
                $0.array { $0.value("x") }
            }
        }
        #expect(
            line.text == """
                {"bpm":83,"contact":"detected","energyKilojoules":null,"rrTicks":[692,700],\
                "isHeld":true,"goal":{"kind":"steps","reached":false,"empty":{}},\
                "zones":[1,{"a":2},[],["x"]]}\n
                """)
    }

    @Test("writes one text to a line")
    func lines() {
        var writer = JSONWriter()
        for number in 1...2 {
            writer.object { $0.field("n", number) }
            writer.endLine()
        }
        writer.value([UInt8]())
        #expect(writer.bytes.text == "{\"n\":1}\n{\"n\":2}\n[]")
    }

    static let integers: [(written: [UInt8], expected: String)] = [
        (JSONWriter.line { $0.field("n", 0) }, "0"),
        (JSONWriter.line { $0.field("n", -1) }, "-1"),
        (JSONWriter.line { $0.field("n", UInt8.max) }, "255"),
        (JSONWriter.line { $0.field("n", Int32.min) }, "-2147483648"),
        (JSONWriter.line { $0.field("n", 1 << 53 - 1) }, "9007199254740991"),
        (JSONWriter.line { $0.field("n", 1 << 53) }, "\"9007199254740992\""),
        (JSONWriter.line { $0.field("n", -(1 << 53 - 1)) }, "-9007199254740991"),
        (JSONWriter.line { $0.field("n", -(1 << 53)) }, "\"-9007199254740992\""),
        (JSONWriter.line { $0.field("n", Int64.min) }, "\"-9223372036854775808\""),
        (JSONWriter.line { $0.field("n", UInt64.max) }, "\"18446744073709551615\""),
    ]

    @Test("quotes integers that a double cannot hold", arguments: integers)
    func writesIntegers(_ vector: (written: [UInt8], expected: String)) {
        #expect(vector.written.text == "{\"n\":\(vector.expected)}\n")
    }

    static let decimals: [(unscaled: Int64, digits: Int, text: String)] = [
        (0, 2, "0.00"), (5, 2, "0.05"), (-5, 2, "-0.05"), (8_235, 2, "82.35"), (-100, 2, "-1.00"),
        (.min, 3, "-9223372036854775.808"), (1, 20, "0.00000000000000000001"),
    ]

    @Test("writes decimals digit by digit", arguments: decimals)
    func writesDecimals(_ vector: (unscaled: Int64, digits: Int, text: String)) {
        #expect(decimal(vector.unscaled, places: vector.digits) == vector.text)
    }

    static let strings: [(text: String, json: String)] = [
        ("", #""""#), ("a", #""a""#), ("\"", #""\"""#), ("\\", #""\\""#), ("/", #""/""#),
        ("\n", #""\u000a""#), ("\u{0}", #""\u0000""#), ("\u{1B}[m", #""\u001b[m""#),
        ("\u{7F}", #""\u007f""#), ("\u{80}", #""\u0080""#), ("\u{9F}", #""\u009f""#),
        ("\u{A0}", "\"\u{A0}\""), ("\u{61C}", #""\u061c""#), ("\u{200D}", "\"\u{200D}\""),
        ("\u{200E}", #""\u200e""#), ("\u{2027}", "\"\u{2027}\""), ("\u{2028}", #""\u2028""#),
        ("\u{2029}", #""\u2029""#), ("\u{202A}", #""\u202a""#), ("\u{202E}", #""\u202e""#),
        ("\u{202F}", "\"\u{202F}\""), ("\u{2066}", #""\u2066""#), ("\u{2069}", #""\u2069""#),
        ("\u{206A}", "\"\u{206A}\""), ("é😀", "\"é😀\""), ("e\u{301}", "\"e\u{301}\""),
    ]

    @Test("escapes what a terminal would obey", arguments: strings)
    func escapes(_ vector: (text: String, json: String)) {
        var writer = JSONWriter()
        writer.value(vector.text)
        #expect(writer.bytes == Array(vector.json.utf8))
        #expect(parsed(writer.bytes) == .success(.string(vector.text)))
    }

    @Test("makes every scalar harmless, and readable again")
    func everyScalar() throws {
        var writer = JSONWriter()
        var harmful = 0
        for number in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(number) else { continue }
            writer.value(String(scalar))
            writer.endLine()
            let isObeyed =
                scalar.properties.generalCategory == .control
                || scalar.properties.generalCategory == .lineSeparator
                || scalar.properties.generalCategory == .paragraphSeparator
                || scalar.properties.isBidiControl
            if isObeyed { harmful += 1 }
        }
        let written = writer.bytes.text.unicodeScalars
        #expect(
            !written.contains { scalar in
                scalar != "\n"
                    && (scalar.properties.generalCategory == .control
                        || scalar.properties.isBidiControl || scalar.value & ~1 == 0x2028)
            })
        #expect(harmful == 65 + 2 + 12)
    }

    @Test("stops a program that would write no JSON")
    func preconditions() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.field("key", 1)
        }
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.object { $0.value(1) }
        }
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.value(1)
            writer.value(2)
        }
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.endLine()
        }
    }
}
