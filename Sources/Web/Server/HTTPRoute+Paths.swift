internal import Events
internal import Interchange
internal import JSON
internal import NIOHTTP1
internal import Recording
internal import WalkService
internal import Words

extension HTTPRoute {
    /// Finds what a request is about.
    ///
    /// - Throws: ``HTTPRefusal`` with the status 404 if it is about nothing, or 400 if a part of it
    ///   that has to be a number or a date is none.
    static func find(_ head: HTTPRequestHead) throws(HTTPRefusal) -> HTTPRoute {
        guard head.uri.hasPrefix("/") else {
            throw .malformed("The path does not begin with a slash.")
        }
        let parts = head.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        switch (parts[0], parts.count) {
        case ("health", 1): return .health
        case ("metrics", 1):
            let withHeartRate = try head.parameter("bpm") == "1"
            return HTTPRoute(errand: .metrics) { site, _ in
                try await site.walk.metrics(withHeartRate: withHeartRate)
            }
        case ("tiles", 4):
            let place = MapTiles.Place(
                zoom: try position(parts[1]), column: try position(parts[2]),
                row: try position(parts[3]))
            return HTTPRoute { site, _ in await site.map.tile(at: place) }
        case ("overlay", 1...2):
            let token = parts.dropFirst().first ?? ""
            return HTTPRoute(errand: .overlay, pathToken: token) { _, _ in PageFile.overlay }
        case ("api", 2...): if let route = try api(Array(parts[1...]), head) { return route }
        default: break
        }
        if parts == [""], let token = try head.parameter("token") {
            return HTTPRoute(errand: .entering) { site, request in
                let admission = site.admission
                return admission.enter(token, host: try admission.host(of: request.head))
            }
        }
        guard let file = PageFile(head.path) else { throw .notFound }
        return page(file)
    }

    /// Finds what is below `/api`.
    private static func api(
        _ parts: [String], _ head: HTTPRequestHead
    ) throws(HTTPRefusal) -> HTTPRoute? {
        let second = parts.dropFirst().first ?? ""
        switch (parts[0], second, parts.dropFirst(2).first ?? "", parts.count) {
        case ("status", _, _, 1): return walks(.now) { .init(.ok, body: StatusReport($1).jsonLine) }
        case ("events", _, _, 1):
            guard head.version == .http1_1 else { throw .versionNotSupported }
            let first = try firstEvent(head)
            return HTTPRoute { try $0.walk.events(from: first, of: $1.phone) }
        case ("sessions", _, _, 1): return walks { $0.sessions($1) }
        case ("sessions", _, _, 2):
            return session(at: try position(second)) { try $0.session($1, $2) }
        case ("sessions", _, "comparison", 3):
            return session(at: try position(second)) { try $0.comparison($1, $2) }
        case ("sessions", _, "outline", 3):
            return session(at: try position(second)) { try $0.outline($1, $2) }
        case ("sessions", _, "file", 3): return try file(of: try position(second), head)
        case ("year", _, _, 1): return try year(head)
        case ("years", _, _, 1): return walks { $0.years($1) }
        case ("trends", _, _, 1): return try trends(head)
        case ("records", _, _, 1): return walks { try $0.records($1) }
        case ("routes", _, _, 1): return walks { try $0.routes($1) }
        case ("days", _, _, 1):
            let count = try count(head, usual: 7, limit: 4_000)
            return walks(.now) { $0.days(count, $1) }
        case ("days", "today", _, 2): return walks(.audit) { try $0.day(nil, $1) }
        case ("days", _, _, 2):
            guard let date = CivilDate(second) else {
                throw .malformed("A day is a date such as 2026-03-01.")
            }
            return walks(.audit) { try $0.day(date, $1) }
        case ("devices", _, _, 1): return walks(.now, .settings) { $0.devices($1) }
        case ("profile", _, _, 1):
            return walks(.history, .settings) { try $0.profile($1) }
        case ("positions", _, _, 1...2): return .positions(head.method, second)
        case ("overlay", _, _, 1...2):
            guard head.version == .http1_1 else { throw .versionNotSupported }
            return HTTPRoute(errand: .overlay, pathToken: second) { site, _ in
                try site.walk.overlay()
            }
        case ("tables", _, _, 1): return try tables(head)
        case ("goal", _, _, 1): return try goal(head)
        case ("commands", _, _, 1):
            return Self(errand: .commands, bodyLimitBytes: WalkCommand.limitBytes) {
                try await $0.walk.perform($1)
            }
        case ("pair", _, _, 1): return phones(.pairing) { try await $0.pair($1) }
        case ("phones", _, _, 1):
            return phones(bodyLimitBytes: 0) { phones, _ in try await phones.list() }
        case ("phones", "code", _, 2): return phones { try await $0.code($1) }
        case ("phones", "revoke", _, 2): return phones { try await $0.change($1, isEnd: true) }
        case ("phones", "rights", _, 2): return phones { try await $0.change($1, isEnd: false) }
        case ("map", _, _, 1): return HTTPRoute { site, _ in site.map.about }
        case ("log", _, _, 1): return try log(head)
        default: return nil
        }
    }

    /// Which file is asked for.
    private static func file(
        of walk: Position, _ head: HTTPRequestHead
    ) throws(HTTPRefusal) -> HTTPRoute {
        guard let format = WalkFormat(rawValue: try head.parameter("format") ?? ""),
            let rows = WalkFile.Rows(rawValue: try head.parameter("rows") ?? "seconds")
        else {
            let names = WalkFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw HTTPRefusal(
                .unprocessableEntity, "unknownFormat",
                "`format` is one of \(names); `rows`, of csv, is seconds or samples.")
        }
        return session(at: walk) { try $0.file($1, $2, format, rows) }
    }

    /// What a page asks for once; it needs no log, and is told whatever has become of it.
    private static func tables(_ head: HTTPRequestHead) throws(HTTPRefusal) -> HTTPRoute {
        let units = try units(head)
        return HTTPRoute { _, request in
            .json { json in
                units.writeTables(to: &json)
                json.field("right", request.phone?.kind.right ?? "all")
            }
        }
    }

    /// A kind of goal, with a target, or with what somebody has typed; likewise.
    private static func goal(_ head: HTTPRequestHead) throws(HTTPRefusal) -> HTTPRoute {
        let kind = try head.parameter("kind") ?? ""
        let target = try head.parameter("target").map(position)
        let typed = try head.parameter("typed") ?? ""
        let units = try units(head)
        return HTTPRoute { _, _ in try WalkEndpoint.goal(kind, target, typed, units) }
    }

    /// What is asked of the log.
    private static func log(_ head: HTTPRequestHead) throws(HTTPRefusal) -> HTTPRoute {
        if let position = try head.parameter("at").map(position) {
            let other = try head.parameter("since").map(Self.position)
            return walks { try $0.event(at: position, since: other, $1.state) }
        }
        if let text = try head.parameter("find") {
            let near = try head.parameter("near").map(position) ?? 0
            return walks { try $0.place(of: text, near: near, $1.state) }
        }
        if let moment = try head.parameter("moment").map(position) {
            let near = try head.parameter("near").map(position) ?? 0
            return walks { walk, _ in
                try walk.moment(ofLocal: Int64(clamping: moment), near: near)
            }
        }
        if let near = try head.parameter("around").map(position) {
            guard let shown = LogRows.Shown(rawValue: try head.parameter("show") ?? "all") else {
                throw .malformed("`show` must be all, walks or days.")
            }
            return walks { try $0.rows(near: near, shown, $1.state) }
        }
        guard let start = try head.parameter("from").map(position) else {
            return walks { try $0.log($1.state) }
        }
        let count = try count(head, usual: 500, limit: 500)
        return walks { try $0.events(from: start, count: count, $1.state) }
    }

    /// How many are asked for.
    private static func count(
        _ head: HTTPRequestHead, usual: Position, limit: Position
    ) throws(HTTPRefusal) -> Int {
        let count = try head.parameter("count").map(position) ?? usual
        guard (1...limit).contains(count) else {
            throw .malformed("`count` must be from 1 to \(limit).")
        }
        return Int(count)
    }

    /// The units of a page: of what is typed, and in what is answered without the log.
    static func units(_ head: HTTPRequestHead) throws(HTTPRefusal) -> Units {
        Units(isInMiles: try head.parameter("units") == "miles")
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

    /// All parameters of a query, or of a form.
    ///
    /// - Throws: ``HTTPRefusal`` with the status 400 if one cannot be decoded.
    static func parameters(_ query: Substring) throws(HTTPRefusal) -> [String: String] {
        var values: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let name = pair.prefix { $0 != "=" }
            guard let key = decoded(name), let value = decoded(pair.dropFirst(name.count + 1))
            else { throw .malformed("A parameter is not UTF-8 in percent encoding.") }
            values[key] = value
        }
        return values
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
