import Events
import Interchange
import JSON

extension [UInt8] {
    /// The bytes as text, for comparisons that a person reads.
    var text: String { String(decoding: self, as: UTF8.self) }
}

/// The value or the error that a JSON text gives.
func parsed(
    _ text: [UInt8], limits: JSONParser.Limits = JSONParser.Limits()
) -> Result<JSONValue, JSONError> {
    Result { () throws(JSONError) in try JSONParser.parse(text, limits: limits) }
}

/// The event or the error that a line gives, as the seventh of its file.
func decoded(_ line: String) -> Result<EventLine, JSONLinesError> {
    Result { () throws(JSONLinesError) in
        try JSONLines.decode(line: Array(line.utf8), number: 7)
    }
}

/// The code of the error that a line gives, nil if it is read.
func refusal(_ line: String) -> JSONLinesError.Code? {
    guard case .failure(let error) = decoded(line) else { return nil }
    return error.code
}

/// An envelope for tests that are about payloads.
func header(
    _ kind: EventKind, version: UInt16 = 1, flags: EventFlags = [], position: Position = 5,
    boot: UInt64 = 1_000, wall: Int64 = -2
) -> EventHeader {
    EventHeader(
        position: position, source: 0,
        stamp: Stamp(bootMilliseconds: boot, wallMilliseconds: wall, bootNumber: 3), flags: flags,
        kind: kind, version: version)
}

/// Names that strangers gave their devices; tests are listed by index, so that a terminal that
/// shows the list stays unharmed.
let hostileNames: [String] = [
    "", " ", "\u{0}", "A\u{0}B", "\u{7}", "\u{8}\u{8}\u{8}", "\t", "a\nb", "a\rb", "\r\n",
    "\u{B}", "\u{C}", "\u{1B}[2J", "\u{1B}]0;owned\u{7}", "\u{1B}[31mred", "\u{1B}P$q\u{1B}\\",
    "\u{7F}", "\u{80}", "\u{85}", "\u{9B}31m", "\u{9D}0;t\u{9C}", "\u{9F}", "\u{200E}", "\u{200F}",
    "\u{202A}a\u{202C}", "\u{202B}", "\u{202D}", "\u{202E}gpj.exe", "\u{2066}a\u{2069}",
    "\u{2067}", "\u{2068}", "\u{061C}", "a\u{2028}b", "a\u{2029}b", "\"", "\\", "\\u001b[31m",
    "\",\"kind\":\"noted\"}", "<script>alert(1)</script>", "=cmd|' /C calc'!A0", "+1", "@SUM(A1)",
    "'; DROP TABLE log; --", "../../etc/passwd", "%s%n", "{\"a\":1}", "\u{FEFF}", "\u{FFFD}",
    "Z\u{334}\u{335}\u{336}algo", "😀👩‍👩‍👧", "\u{10FFFF}", "\u{212A}elvin",
    String(repeating: "\u{1B}", count: 170), String(repeating: "n", count: 248),
]

// Events whose envelope and payload a test has at hand, for what takes them where they stand.

extension JSONLines {
    static func encode(
        _ header: EventHeader, payload: Span<UInt8>
    ) throws(FieldError) -> [UInt8] {
        try EventView.lend(header, payload: payload) { (event) throws(FieldError) in
            try encode(event)
        }
    }
}

extension JSONLinesWriter {
    mutating func append(_ header: EventHeader, payload: Span<UInt8>) throws(FieldError) {
        try EventView.lend(header, payload: payload) { (event) throws(FieldError) in
            try append(event)
        }
    }
}

extension Result {
    var success: Success? { if case .success(let value) = self { value } else { nil } }
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
