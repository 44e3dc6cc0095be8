internal import BluetoothCentral
internal import Events
internal import JSON
internal import NIOHTTP1
internal import Projections
internal import Recording
internal import WalkService
internal import Words

extension WalkCommand {
    /// The most bytes of a command: a list of walks may be long.
    static let limitBytes = 65_536
    /// What a phone can ask for that may walk.
    private static let walking = [
        "start", "continue", "pause", "resume", "mark", "lap", "refresh", "finish", "setUp",
        "quiet",
    ]

    /// Reads what is asked for: an object with a `command`, and what that needs.
    ///
    /// - Parameters:
    ///   - text: The object.
    ///   - phone: Who asks for it; nil for this machine.
    /// - Throws: ``HTTPRefusal``, also for what the phone may not do.
    init(decodingJSON text: [UInt8], of phone: Phone? = nil) throws(HTTPRefusal) {
        let value = try JSONValue(body: text, limitBytes: Self.limitBytes, depth: 4)
        guard let name = value["command"]?.text else { throw HTTPRefusal.unknownCommand }
        let right = phone?.kind ?? .all
        guard right == .all || right == .walk && Self.walking.contains(name) else {
            throw .notAllowed
        }
        switch name {
        case "pause": self = .ask(.command(.pause))
        case "resume": self = .ask(.command(.resume))
        case "finish": self = .ask(.command(.end()))
        case "lap": self = .ask(.command(.lap()))
        case "refresh": self = .ask(.command(.refresh()))
        case "mark":
            let text = try value.optional("text", else: HTTPRefusal.unknownCommand, \.text)
            self = .ask(.command(.mark(text ?? "")))
        case "setUp": self = .setUp()
        case "scan":
            let isAll = try value.optional("all", else: HTTPRefusal.unknownCommand, \.flag)
            self = .setUp(listing: isAll == true ? .all : .services(BluetoothUUID.roleServices))
        case "start": self = try Self.start(value, by: phone?.name)
        case "continue": self = .continueLeftOpen
        case "describe":
            self = .ask(.command(try .describe(decodingJSON: value)))
        case "exclude":
            guard let session = value["session"]?.integer(as: UInt64.self),
                let name = value["device"]?.text, let isExcluded = value["excluded"]?.flag
            else { throw HTTPRefusal.unknownCommand }
            self = .decide { state in
                let walk = state.sessionReport(session, at: state.lastMoment)
                let strap = walk?.straps.first { "\($0.device)" == name }?.device
                return .exclude(strap ?? .blank, session: session, isExcluded)
            }
        case "useSubstitute": self = .ask(.useSubstitute(try Self.address(value)))
        case "quiet":
            let minutes = try value.optional("minutes", else: HTTPRefusal.unknownCommand) {
                $0.integer(as: UInt64.self).flatMap { (1...60).contains($0) ? $0 : nil }
            }
            self = .ask(.quietAlerts(minutes.map { $0 * 60_000 }))
        case "pair": self = .pair(try Self.address(value))
        case "profile": self = try Self.profile(value)
        case "primary", "forget":
            let address = try Self.address(value).value
            self = .decide {
                let device = $0.paired(address)
                return name == "primary" ? .makePrimary(device) : .forget(device)
            }
        default: throw HTTPRefusal.unknownCommand
        }
    }

    private static func address(_ value: JSONValue) throws(HTTPRefusal) -> BluetoothAddress {
        guard let address = value["address"]?.text.flatMap(BluetoothAddress.init) else {
            throw HTTPRefusal(
                .unprocessableEntity, "unknownAddress",
                "`address` must be an address such as C4:00:00:00:00:01.")
        }
        return address
    }

    /// Settings of the walker: all of them, or none.
    private static func profile(_ value: JSONValue) throws(HTTPRefusal) -> WalkCommand {
        guard case .array(let values)? = value["settings"],
            case let settings = values.compactMap(\.text), settings.count == values.count
        else { throw .unknownCommand }
        return .decide { state throws(WalkRefusal) in
            do throws(CommandFailure) {
                return try .setWalker(by: settings, state)
            } catch {
                throw WalkRefusal(.unreadable, "refused", error.fact)
            }
        }
    }

    /// A session to begin, without a goal unless one is named.
    private static func start(
        _ value: JSONValue, by phone: String?
    ) throws(HTTPRefusal) -> WalkCommand {
        let wrong = HTTPRefusal(
            .unprocessableEntity, "unknownGoal",
            "`goal` is an object with a `kind` of none, steps, distance, duration or daily, and "
                + "a whole `target` in steps, millimetres or milliseconds; `outAndBack` is true "
                + "or false.")
        let outAndBack = try value.optional("outAndBack", else: wrong, \.flag) ?? false
        guard let goal = value["goal"], goal != .null else {
            return .start(Goal(), outAndBack: outAndBack, by: phone)
        }
        guard let name = goal["kind"]?.text,
            let kind = GoalKind.allCases.first(where: { $0.name == name })
        else { throw wrong }
        let target =
            try goal.optional("target", else: wrong) { $0.integer(as: UInt64.self) } ?? 0
        let chosen = Goal(kind: kind, target: target)
        // Without a target it is refused as the walk's rules refuse it.
        guard chosen.canBeChosen || target == 0 else { throw wrong }
        return .start(chosen, outAndBack: outAndBack, by: phone)
    }
}

extension HTTPRefusal {
    fileprivate static let unknownCommand = HTTPRefusal(
        .unprocessableEntity, "unknownCommand",
        "A body is an object whose `command` is start, continue, pause, resume, mark, lap, "
            + "refresh, finish, setUp, scan, pair, useSubstitute, quiet, primary, forget, "
            + "describe, exclude or profile; a mark may have a `text`, a scan an `all` of true or "
            + "false, a quiet `minutes` from 1 to 60, and a profile has `settings`, a list of "
            + "texts such as height=180cm.")
}
