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
