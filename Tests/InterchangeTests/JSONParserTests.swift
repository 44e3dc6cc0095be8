import JSON
import TestSupport
import Testing

@Suite("JSONParser")
struct JSONParserTests {
    @Test("reads every form of value, members in their order")
    func reads() throws {
        let text = " {\"b\" : [1, -2.50e+3 ,true,false,null], \"a\":{\"\":\"\"},\"c\":[]} \r\n\t"
        let value = try JSONParser.parse(Array(text.utf8))
        guard case .object(let members) = value else { throw ProgramError("\(value) is no object") }
        #expect(members.map(\.name) == ["b", "a", "c"])
        #expect(value["a"] == .object([JSONMember(name: "", value: .string(""))]))
        #expect(value["c"] == .array([]))
        #expect(value["d"] == nil)
        guard case .array(let elements)? = value["b"], case .number(let number) = elements[1] else {
            throw ProgramError("no array of numbers")
        }
        #expect(number.text == "-2.50e+3")
        #expect(Array(elements[2...]) == [.bool(true), .bool(false), .null])
    }

    static let strings: [(json: String, text: String)] = [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0000""#, "\u{0}"),
        (#""\u00E9\u00e9""#, "éé"), (#""\ud83d\ude00""#, "😀"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
        (#""\ud800\udc00""#, "\u{10000}"), (#""\uffff""#, "\u{FFFF}"),
        ("\"\u{7F}\u{80}\u{2028}\"", "\u{7F}\u{80}\u{2028}"), (#""a\u0301b""#, "a\u{301}b"),
    ]

    @Test("undoes escapes", arguments: strings)
    func undoesEscapes(_ vector: (json: String, text: String)) throws {
        guard case .string(let text) = try JSONParser.parse(Array(vector.json.utf8)) else {
            throw ProgramError("no string")
        }
        #expect(Array(text.utf8) == Array(vector.text.utf8))
    }

    static let refusals: [(json: String, code: JSONError.Code, offset: Int)] = [
        ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("{", .unexpectedEnd, 1),
        ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
        ("{\"a\"", .unexpectedEnd, 4), ("{\"a\":", .unexpectedEnd, 5), ("tru", .unexpectedEnd, 3),
        ("\"a", .unexpectedEnd, 2), ("\"\\", .unexpectedEnd, 2), ("\"\\u00", .unexpectedEnd, 5),
        ("{,}", .unexpectedByte, 1), ("{a:1}", .unexpectedByte, 1), ("{1:1}", .unexpectedByte, 1),
        ("{\"a\" 1}", .unexpectedByte, 5), ("{\"a\":1,}", .unexpectedByte, 7),
        ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1), ("[1 2]", .unexpectedByte, 3),
        ("[1}", .unexpectedByte, 2), ("nul1", .unexpectedByte, 3), ("NaN", .unexpectedByte, 0),
        ("Infinity", .unexpectedByte, 0), ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0),
        ("'a'", .unexpectedByte, 0), ("// a", .unexpectedByte, 0), ("\u{A0}1", .unexpectedByte, 0),
        ("\u{FEFF}1", .unexpectedByte, 0), ("\u{0}", .unexpectedByte, 0),
        ("01", .invalidNumber, 0), ("-01", .invalidNumber, 0), ("-", .invalidNumber, 0),
        ("1.", .invalidNumber, 0), ("[1.e1]", .invalidNumber, 1), ("1e", .invalidNumber, 0),
        ("1e+", .invalidNumber, 0), ("-Infinity", .invalidNumber, 0), ("1e+-1", .invalidNumber, 0),
        ("0x10", .trailingBytes, 1), ("1 2", .trailingBytes, 2), ("{}\u{0}", .trailingBytes, 2),
        ("{}}", .trailingBytes, 2), ("null,", .trailingBytes, 4),
        (#""\a""#, .invalidEscape, 1), (#""\U0041""#, .invalidEscape, 1),
        (#""\u00g0""#, .invalidEscape, 1), (#""\u+123""#, .invalidEscape, 1),
        (#""a\ud83d""#, .loneSurrogate, 2), (#""\ude00""#, .loneSurrogate, 1),
        (#""\ud83d\u0041""#, .loneSurrogate, 1), (#""\ud83d\ud83d""#, .loneSurrogate, 1),
        (#""\ud83d\n""#, .loneSurrogate, 1), (#""\ude00\ud83d""#, .loneSurrogate, 1),
        ("\"a\nb\"", .controlCharacter, 2), ("\"\t\"", .controlCharacter, 1),
        ("\"\u{0}\"", .controlCharacter, 1), ("\"\u{1F}\"", .controlCharacter, 1),
        (#"{"a":1,"a":2}"#, .duplicateKey, 7), (#"{"a":1,"\u0061":2}"#, .duplicateKey, 7),
        (#"[{"b":{"":0,"":0}}]"#, .duplicateKey, 12),
    ]

    @Test("refuses what is no JSON, at its first wrong byte", arguments: refusals)
    func refuses(_ vector: (json: String, code: JSONError.Code, offset: Int)) {
        let expected = JSONError(vector.code, offset: vector.offset)
        #expect(parsed(Array(vector.json.utf8)) == .failure(expected))
    }

    static let illFormed: [(bytes: [UInt8], offset: Int)] = [
        ([0x22, 0xFF, 0x22], 1), ([0x22, 0x61, 0xC3, 0x22], 2), ([0x22, 0xC0, 0x80, 0x22], 1),
        ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
        ([0x80], 0), ([0x31, 0xFE], 1), ([0xFF, 0xFE, 0x31, 0x00], 0),
    ]

    @Test("refuses bytes that are not UTF-8", arguments: illFormed)
    func refusesIllFormed(_ vector: (bytes: [UInt8], offset: Int)) {
        #expect(parsed(vector.bytes) == .failure(JSONError(.invalidUTF8, offset: vector.offset)))
    }

    @Test("takes names apart by their bytes")
    func namesByBytes() {
        // Swift's text calls both pairs equal.
        #expect(parsed(Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8)).success != nil)
        #expect(parsed(Array("{\"K\":1,\"\u{212A}\":2}".utf8)).success != nil)
    }

    @Test("ends at the limit of depth, whatever comes", arguments: ["[", "{\"a\":", "[{\"a\":"])
    func depth(_ opening: String) throws {
        let deep = parsed(Array(String(repeating: opening, count: 100_000).utf8))
        let error = try #require(deep.failure)
        #expect(error.code == .tooDeep)
        #expect(error.offset <= 32 * opening.utf8.count)
        let good = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(parsed(Array(good.utf8)).success != nil)
        #expect(parsed(Array("[\(good)]".utf8)).success == nil)
    }

    @Test("ends at the limit of bytes")
    func size() {
        let limits = JSONParser.Limits(bytes: 4)
        #expect(parsed(Array("1234".utf8), limits: limits).success != nil)
        #expect(
            parsed(Array("12345".utf8), limits: limits)
                == .failure(JSONError(.tooLarge, offset: 4)))
    }

    @Test("finds a name twice among very many")
    func manyNames() {
        let names = (0..<5_000).map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(parsed(Array("{\(names)}".utf8)).success != nil)
        #expect(parsed(Array("{\(names),\"4999\":0}".utf8)).failure?.code == .duplicateKey)
    }

    static let numbers: [(text: String, signed: Int64?, unsigned: UInt64?)] = [
        ("0", 0, 0), ("-0", nil, nil), ("-1", -1, nil), ("1.0", nil, nil), ("1e3", nil, nil),
        ("1E0", nil, nil), ("1e400", nil, nil), ("-1e-400", nil, nil),
        ("9223372036854775807", .max, 9_223_372_036_854_775_807),
        ("9223372036854775808", nil, 9_223_372_036_854_775_808),
        ("-9223372036854775808", .min, nil), ("-9223372036854775809", nil, nil),
        ("18446744073709551615", nil, .max), ("18446744073709551616", nil, nil),
        (String(repeating: "9", count: 5_000), nil, nil),
    ]

    @Test("holds numbers as they were written", arguments: numbers)
    func holdsNumbers(_ vector: (text: String, signed: Int64?, unsigned: UInt64?)) throws {
        guard case .number(let number) = try JSONParser.parse(Array(vector.text.utf8)) else {
            throw ProgramError("no number")
        }
        #expect(number.text == vector.text)
        #expect(number.integer(as: Int64.self) == vector.signed)
        #expect(number.integer(as: UInt64.self) == vector.unsigned)
    }

    @Test("answers every byte string", arguments: [UInt64(1), 2, 3, 4])
    func totality(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces: [String] = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d83d", "de00", "0", "-", "1e5", ".",
            "null", "true", "a", "\u{0}", "é", " ", "\"a\":", "\"b\"",
        ]
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...30, using: &generator)
            var text = (0..<count).flatMap { _ in
                Array((pieces.randomElement(using: &generator) ?? "").utf8)
            }
            if !text.isEmpty, Bool.random(using: &generator) {
                let index = Int.random(in: text.indices, using: &generator)
                text[index] = UInt8.random(in: 0...255, using: &generator)
            }
            if case .failure(let error) = parsed(text) {
                #expect((0...text.count).contains(error.offset), "seed \(seed), \(text)")
            }
        }
    }
}
