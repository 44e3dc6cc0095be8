internal import BluetoothCentral
internal import Events
internal import Interchange
internal import JSON
internal import NIOHTTP1
internal import Projections

/// What somebody asks for with a command.
enum WalkRequest: Hashable, Sendable {
    /// Something that is decided on the log, whoever records.
    case command(Command)
    /// Use a paired device for its roles.
    case primary(UInt64)
    /// Forget a paired device.
    case forget(UInt64)
    /// A walk is being set up; with a list of who is in range, if that is wanted, or of all.
    case setUp(isListing: Bool, isAll: Bool = false)
    /// Pair a device.
    case pair(BluetoothAddress)
    /// Begin a session.
    case start(Goal, outAndBack: Bool)
    /// Go on with the session that was left open.
    case goOn

    /// Reads what is asked for: an object with a `command`, and what that needs.
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
        guard case .string(let name)? = value["command"] else { throw Self.unknown }
        switch name {
        case "pause": self = .command(.pause)
        case "resume": self = .command(.resume)
        case "end": self = .command(.end())
        case "refresh": self = .command(.refresh())
        case "mark":
            switch value["text"] {
            case nil, .null?: self = .command(.mark())
            case .string(let text)?: self = .command(.mark(text))
            default: throw Self.unknown
            }
        case "setUp": self = .setUp(isListing: false)
        case "scan":
            switch value["all"] {
            case nil, .null?: self = .setUp(isListing: true)
            case .bool(let isAll)?: self = .setUp(isListing: true, isAll: isAll)
            default: throw Self.unknown
            }
        case "start": self = try Self.start(value)
        case "continue": self = .goOn
        case "pair": self = .pair(try Self.address(value))
        case "primary": self = .primary(try Self.address(value).value)
        case "forget": self = .forget(try Self.address(value).value)
        default: throw Self.unknown
        }
    }

    private static func address(_ value: JSONValue) throws(HTTPRefusal) -> BluetoothAddress {
        guard case .string(let text)? = value["address"], let address = BluetoothAddress(text)
        else {
            throw HTTPRefusal(
                .unprocessableEntity, "unknownAddress",
                "`address` must be an address such as C4:00:00:00:00:01.")
        }
        return address
    }

    /// A session to begin, without a goal unless one is named.
    private static func start(_ value: JSONValue) throws(HTTPRefusal) -> WalkRequest {
        let wrong = HTTPRefusal(
            .unprocessableEntity, "unknownGoal",
            "`goal` is an object with a `kind` of none, steps, distance, duration or daily, and "
                + "a whole `target` in steps, millimetres or milliseconds; `outAndBack` is true "
                + "or false.")
        var outAndBack = false
        switch value["outAndBack"] {
        case nil, .null?: break
        case .bool(let isWanted)?: outAndBack = isWanted
        default: throw wrong
        }
        switch value["goal"] {
        case nil, .null?: return .start(Goal(), outAndBack: outAndBack)
        case .object?: break
        default: throw wrong
        }
        guard let goal = value["goal"], case .string(let name)? = goal["kind"],
            let kind = GoalKind.allCases.first(where: { $0.name == name })
        else { throw wrong }
        var target: UInt64 = 0
        switch goal["target"] {
        case nil, .null?: break
        case .number(let number)?:
            guard let whole = number.integer(as: UInt64.self) else { throw wrong }
            target = whole
        default: throw wrong
        }
        return .start(Goal(kind: kind, target: target), outAndBack: outAndBack)
    }

    private static let unknown = HTTPRefusal(
        .unprocessableEntity, "unknownCommand",
        "A body is an object whose `command` is start, continue, pause, resume, mark, refresh, "
            + "end, setUp, scan, pair, primary or forget; a mark may have a `text`, "
            + "and a scan an `all` of true or false.")
}
