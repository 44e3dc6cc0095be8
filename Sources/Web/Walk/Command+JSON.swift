internal import Interchange
internal import NIOHTTP1
internal import Projections

extension Command {
    /// Reads what is asked for: `{"command":"pause"}`, `resume`, `end`, `refresh`, or
    /// `{"command":"mark","text":"the bridge"}`.
    ///
    /// - Throws: ``HTTPRefusal``.
    init(decodingJSON text: [UInt8]) throws(HTTPRefusal) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(text, limits: JSONParser.Limits(bytes: 4_096, depth: 4))
        } catch {
            throw HTTPRefusal(
                .badRequest, "malformedJSON", error.description, offset: error.offset)
        }
        switch value["command"] {
        case .string("pause"): self = .pause
        case .string("resume"): self = .resume
        case .string("end"): self = .end()
        case .string("refresh"): self = .refresh()
        case .string("mark"):
            switch value["text"] {
            case nil, .null?: self = .mark()
            case .string(let text)?: self = .mark(text)
            default: throw Self.unknown
            }
        default: throw Self.unknown
        }
    }

    private static let unknown = HTTPRefusal(
        .unprocessableEntity, "unknownCommand",
        "A body is an object whose `command` is pause, resume, end, refresh or mark; a mark may "
            + "have a `text`.")
}
