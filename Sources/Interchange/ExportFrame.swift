internal import JSON

/// A line before or after the events of an export: a file whose first line announces an end, and
/// that has none, was cut off, also between two lines.
package enum ExportFrame: Hashable, Sendable {
    /// Events follow, and then an end.
    case beginning
    /// So many events came before, with this SHA-256 over their lines and the beginning, in
    /// hexadecimal digits.
    case end(events: UInt64, sha256: String)

    /// The version of the frame.
    private static let version: Int64 = 1

    /// The line, with its end.
    package var line: [UInt8] {
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
    package static let lineLimitBytes = 256

    /// Reads the members of a line; nil if it is something else, such as an event.
    init?(_ members: [JSONMember]) {
        let value = JSONValue.object(members)
        if members.count == 1, value["export"]?.integer(as: Int64.self) == Self.version {
            self = .beginning
        } else if members.count == 2, let events = value["end"]?.integer(as: UInt64.self),
            let sha256 = value["sha256"]?.text
        {
            self = .end(events: events, sha256: sha256)
        } else {
            return nil
        }
    }
}
