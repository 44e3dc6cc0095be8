internal import Events
internal import Interchange
internal import NIOHTTP1
internal import Projections
internal import Words

/// What a request is about: its path, with what stands in it.
enum HTTPPath: Hashable, Sendable {
    /// Health totals are posted.
    case health
    /// How things stand.
    case status
    /// Events and scenes as they come, from a position on, or only those that come.
    case events(from: Position?)
    /// All sessions.
    case sessions
    /// A session with its samples and its track.
    case session(Position)
    /// A walk as a file for other programs.
    case file(Position, WalkFormat, WalkFile.Rows)
    /// The shape of a session's track.
    case outline(Position)
    /// A session beside all others.
    case comparison(Position)
    /// A year, nil for this one, with those of its walks that are looked for, or all years' walks.
    case year(Int64?, WalkFilter, inAllYears: Bool)
    /// All years.
    case years
    /// A measure of some days.
    case trends(Trends.Measure, Trends.Span)
    /// The longest, the fastest, the most.
    case records
    /// The ways that were walked more than once.
    case routes
    /// The last days.
    case days(count: Int)
    /// The figures of a day; nil for the walker's day now.
    case day(CivilDate?)
    /// What is paired.
    case devices
    /// What is known of the walker, and what can be set.
    case profile
    /// What a page asks for once: what can be chosen, and names.
    case tables(Units)
    /// A kind of goal, with a target, or with what somebody has typed.
    case goal(kind: String, target: Position?, typed: String, Units)
    /// Something is asked for.
    case commands
    /// What map there is.
    case map
    /// A tile of it; nil where there can be none.
    case tile(MapTiles.Place?)
    /// How far the log goes.
    case log
    /// An event, how things stood after it, and what lies between it and another one.
    case logEvent(Position, since: Position?)
    /// Some events of the log.
    case logEvents(from: Position, count: Int)
    /// Where in the log something is that somebody has typed: a position, or a time of the day of
    /// an event.
    case logPlace(String, near: Position)
    /// Where in the log a time is, in milliseconds since 1970 by a clock on the wall.
    case logMoment(UInt64, near: Position)
    /// What stands around a position.
    case logRows(near: Position, LogRows.Shown)
    /// How the recorder is, for a program that watches over it.
    case metrics(withHeartRate: Bool)
    /// Somebody comes with the code that a phone is paired by.
    case pairing
    /// Which phones are paired.
    case phones
    /// A code is wanted, to pair a phone.
    case phoneCode
    /// A phone is no longer to be let in.
    case phoneEnd
    /// A phone is to have another right.
    case phoneRights
    /// Somebody comes with the token in a browser's address.
    case enter(token: String)
    /// A file of the page.
    case page(PageFile)

    /// Finds what a request is about.
    ///
    /// - Throws: ``HTTPRefusal`` with the status 404 if it is about nothing, or 400 if a part of it
    ///   that has to be a number or a date is none.
    init(_ head: HTTPRequestHead) throws(HTTPRefusal) {
        guard head.uri.hasPrefix("/") else {
            throw .malformed("The path does not begin with a slash.")
        }
        let parts = head.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        switch (parts.first, parts.dropFirst().first, parts.count) {
        case ("health", nil, 1): self = .health
        case ("api", "status", 2): self = .status
        case ("api", "events", 2):
            guard head.version == .http1_1 else { throw .versionNotSupported }
            self = .events(from: try Self.firstEvent(head))
        case ("api", "sessions", 2): self = .sessions
        case ("api", "sessions", 3): self = .session(try Self.position(String(parts[2])))
        case ("api", "sessions", 4) where parts[3] == "comparison":
            self = .comparison(try Self.position(String(parts[2])))
        case ("api", "sessions", 4) where parts[3] == "outline":
            self = .outline(try Self.position(String(parts[2])))
        case ("api", "sessions", 4) where parts[3] == "file":
            self = try Self.file(of: try Self.position(String(parts[2])), head)
        case ("api", "year", 2): self = try Self.year(head)
        case ("api", "years", 2): self = .years
        case ("api", "trends", 2): self = try Self.trends(head)
        case ("api", "records", 2): self = .records
        case ("api", "routes", 2): self = .routes
        case ("api", "days", 2):
            let count = try head.parameter("count").map(Self.position) ?? 7
            guard (1...Position(Self.dayLimit)).contains(count) else {
                throw .malformed("`count` must be from 1 to \(Self.dayLimit).")
            }
            self = .days(count: Int(count))
        case ("api", "days", 3) where parts[2] == "today": self = .day(nil)
        case ("api", "days", 3):
            guard let date = CivilDate(String(parts[2])) else {
                throw .malformed("A day is a date such as 2026-03-01.")
            }
            self = .day(date)
        case ("api", "devices", 2): self = .devices
        case ("api", "profile", 2): self = .profile
        case ("api", "tables", 2): self = .tables(try Self.units(head))
        case ("api", "goal", 2):
            self = .goal(
                kind: try head.parameter("kind") ?? "",
                target: try head.parameter("target").map(Self.position),
                typed: try head.parameter("typed") ?? "", try Self.units(head))
        case ("api", "commands", 2): self = .commands
        case ("metrics", nil, 1):
            self = .metrics(withHeartRate: try head.parameter("bpm") == "1")
        case ("api", "pair", 2): self = .pairing
        case ("api", "phones", 2): self = .phones
        case ("api", "phones", 3) where parts[2] == "code": self = .phoneCode
        case ("api", "phones", 3) where parts[2] == "revoke": self = .phoneEnd
        case ("api", "phones", 3) where parts[2] == "rights": self = .phoneRights
        case ("api", "map", 2): self = .map
        case ("tiles", _, 4): self = .tile(try Self.place(parts.dropFirst().map(String.init)))
        case ("api", "log", 2): self = try Self.log(head)
        default:
            if parts == [""], let token = try head.parameter("token") {
                self = .enter(token: token)
                return
            }
            guard let file = PageFile(head.path) else { throw .notFound }
            self = .page(file)
        }
    }

    /// Which file is asked for.
    private static func file(
        of walk: Position, _ head: HTTPRequestHead
    ) throws(HTTPRefusal) -> HTTPPath {
        guard let format = WalkFormat(rawValue: try head.parameter("format") ?? ""),
            let rows = WalkFile.Rows(rawValue: try head.parameter("rows") ?? "seconds")
        else {
            let names = WalkFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw HTTPRefusal(
                .unprocessableEntity, "unknownFormat",
                "`format` is one of \(names); `rows`, of csv, is seconds or samples.")
        }
        return .file(walk, format, rows)
    }

    /// What is asked of the log.
    private static func log(_ head: HTTPRequestHead) throws(HTTPRefusal) -> HTTPPath {
        if let position = try head.parameter("at").map(position) {
            return .logEvent(position, since: try head.parameter("since").map(Self.position))
        }
        if let text = try head.parameter("find") {
            return .logPlace(text, near: try head.parameter("near").map(position) ?? 0)
        }
        if let moment = try head.parameter("moment").map(position) {
            return .logMoment(moment, near: try head.parameter("near").map(position) ?? 0)
        }
        if let near = try head.parameter("around").map(position) {
            guard let shown = LogRows.Shown(rawValue: try head.parameter("show") ?? "all") else {
                throw .malformed("`show` must be all, walks or days.")
            }
            return .logRows(near: near, shown)
        }
        guard let start = try head.parameter("from").map(position) else { return .log }
        let count = try head.parameter("count").map(position) ?? Position(eventLimit)
        guard (1...Position(eventLimit)).contains(count) else {
            throw .malformed("`count` must be from 1 to \(eventLimit).")
        }
        return .logEvents(from: start, count: Int(count))
    }

    /// The units of a page: of what is typed, and in what is answered without the log.
    static func units(_ head: HTTPRequestHead) throws(HTTPRefusal) -> Units {
        Units(isInMiles: try head.parameter("units") == "miles")
    }

    private static func place(_ parts: [String]) throws(HTTPRefusal) -> MapTiles.Place? {
        MapTiles.Place(
            zoom: try position(parts[0]), column: try position(parts[1]),
            row: try position(parts[2]))
    }

    /// The most days that are reported at once.
    private static let dayLimit = 4_000
    /// The most events that are reported at once.
    private static let eventLimit = 500

    /// The one method: whatever takes a body is posted.
    var method: HTTPMethod { bodyLimitBytes > 0 ? .POST : .GET }

    /// What kind of thing is asked for.
    var errand: Access.Errand {
        switch self {
        case .enter: .entering
        case .page(let file): file.isForPairing ? .pairingPage : .page
        case .health: .totals
        case .metrics: .metrics
        case .commands: .commands
        case .pairing: .pairing
        case .phones, .phoneCode, .phoneEnd, .phoneRights: .phones
        case .devices, .profile: .settings
        default: .walks
        }
    }

    /// Whether the log is read for it, from far back.
    var isHistory: Bool {
        switch self {
        case .sessions, .session, .file, .outline, .comparison, .year, .years, .trends, .records,
            .routes, .day, .profile, .log, .logEvent, .logEvents, .logPlace, .logMoment, .logRows:
            true
        default: false
        }
    }

    /// The most bytes of a body; 0 of what takes none.
    var bodyLimitBytes: Int {
        switch self {
        case .health: HealthReport.limitBytes
        case .commands: 4_096
        case .pairing, .phoneCode, .phoneEnd, .phoneRights: 512
        default: 0
        }
    }

    /// The first event that a listener wants: the one after the last it has, or the one that
    /// he asks for.
    private static func firstEvent(_ head: HTTPRequestHead) throws(HTTPRefusal) -> Position? {
        guard let last = try head.value("Last-Event-ID").map(position) else {
            return try head.parameter("from").map(position)
        }
        let (next, isBeyond) = last.addingReportingOverflow(1)
        guard !isBeyond else { throw .malformed("No event has this position.") }
        return next
    }

    private static func position(_ text: String) throws(HTTPRefusal) -> Position {
        let isWhole = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isWhole, let position = Position(text) else {
            throw .malformed("A position or number in the request is not a whole number.")
        }
        return position
    }
}

extension HTTPRequestHead {
    /// The target before its query.
    var path: Substring { uri.prefix { $0 != "?" } }

    /// The value of a parameter of the query; nil if it has none of that name.
    ///
    /// - Throws: ``HTTPRefusal`` with the status 400 if the value cannot be decoded.
    func parameter(_ name: String) throws(HTTPRefusal) -> String? {
        let query = uri.drop { $0 != "?" }.dropFirst()
        for pair in query.split(separator: "&") where pair.hasPrefix("\(name)=") {
            guard let value = Self.decoded(pair.dropFirst(name.count + 1)) else {
                throw .malformed("The value of `\(name)` is not UTF-8 in percent encoding.")
            }
            return value
        }
        return nil
    }

    /// Text in which `%3A` stands for a colon (RFC 3986, 2.1); nil where a percent sign stands for
    /// nothing, or what comes of it is not UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
