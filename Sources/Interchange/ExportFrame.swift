internal import JSON

/// A line before or after the events of an export: a file whose first line announces an end, and
/// that has none, was cut off, also between two lines.
public enum ExportFrame: Hashable, Sendable {
    /// Events follow, and then an end.
    case beginning
    /// So many events came before, with this SHA-256 over their lines and the beginning, in
    /// hexadecimal digits.
    case end(events: UInt64, sha256: String)

    /// The version of the frame.
    private static let version: Int64 = 1

    /// The line, with its end.
    public var line: [UInt8] {
        JSONWriter.line { json in
            switch self {
            case .beginning: json.field("export", Self.version)
            case .end(let events, let sha256):
                json.field("end", events)
                json.field("sha256", sha256)
            }
        }
    }

    /// The longest line of a frame.
    public static let lineLimitBytes = 256

    /// Reads a line; nil if it is something else, such as an event.
    init?(line: some Collection<UInt8>) {
        guard line.count <= Self.lineLimitBytes, let value = Self.value(of: Array(line)),
            case .object(let members) = value
        else { return nil }
        if members.count == 1, Self.number(value["export"]) == UInt64(Self.version) {
            self = .beginning
        } else if members.count == 2, let events = Self.number(value["end"]),
            case .string(let sha256)? = value["sha256"]
        {
            self = .end(events: events, sha256: sha256)
        } else {
            return nil
        }
    }

    private static func number(_ value: JSONValue?) -> UInt64? {
        if case .number(let number)? = value { number.integer(as: UInt64.self) } else { nil }
    }

    private static func value(of line: [UInt8]) -> JSONValue? {
        do throws(JSONError) {
            return try JSONParser.parse(line, limits: JSONParser.Limits(bytes: lineLimitBytes))
        } catch {
            return nil  // Whoever reads events says why.
        }
    }
}
