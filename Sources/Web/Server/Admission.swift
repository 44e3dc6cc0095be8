internal import Clocks
internal import NIOHTTP1
internal import TamperEvidence

/// Lets in: the checks that a request passes before its body is waited for.
struct Admission: Sendable {
    /// What a program has to know that sends health totals.
    let healthToken: AccessToken
    /// The secret for looking at walks and asking for things; nil if nobody can.
    let walkToken: AccessToken?
    /// What a program has to know that watches over the recorder; nil if none may.
    let metricsToken: AccessToken?
    /// The phones that were paired.
    let phones: PhoneFile?
    /// How often each of them has written.
    private let rates = WriteRates()

    /// What was let in.
    struct Admitted {
        /// What the request is about.
        let route: HTTPRoute
        /// The phone that sends it, if it is one.
        let phone: Phone?
    }

    /// Checks a head, in this order: path, method, host, origin, token, content type, rate.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - entrance: Where it came in.
    /// - Returns: What was let in.
    /// - Throws: ``HTTPRefusal`` of the first check that fails.
    func check(
        _ head: HTTPRequestHead, at entrance: Entrance
    ) throws(HTTPRefusal) -> Admitted {
        let route = try HTTPRoute.find(head)
        guard head.method == route.method else {
            throw HTTPRefusal(
                .methodNotAllowed, "methodNotAllowed",
                "This path takes \(route.method.rawValue) only.",
                fields: ["Allow": route.method.rawValue])
        }
        let host = try host(of: head)
        let isOfApp = route.errand == .positions
        let bearer = try Self.bearer(head, route)
        // What an app's address does, a page's picture could, and a link is as good as its own
        // token, whatever else the browser knows.
        let isByCookie = !isOfApp && route.pathToken.isEmpty
        let secrets = [bearer, isByCookie ? try cookie(of: head, host: host) : ""]
        let isStranger = secrets.allSatisfy(\.isEmpty)
        let phone = isStranger ? nil : phones?.admitted.phone(with: secrets)
        var visitors = Set(phone.map { [$0.kind.visitor] } ?? [])
        if secrets.contains(where: { walkToken?.equals($0) ?? false }) { visitors.insert(.walker) }
        // Those of programs are in no cookie: no page needs them.
        if healthToken.equals(bearer) { visitors.insert(.healthProgram) }
        if let metricsToken, metricsToken.equals(bearer) { visitors.insert(.watchingProgram) }
        let refusal = Access(
            entrance: entrance, errand: route.errand, host: host,
            origin: try head.value("origin"), site: try head.value("sec-fetch-site"),
            visitors: visitors
        ).refusal
        if refusal == .notPaired, PageFile(head.path) == .index {
            return Admitted(route: .page(.pairing), phone: nil)
        }
        if let refusal { throw refusal }
        // The template of an app's user says what its body is.
        if route.method == .POST, !isOfApp { try checkContent(head) }
        // The page of this machine may ask for things as often as it likes.
        if entrance != .loopback || route.errand.isOfProgram {
            try rates.take(
                route.errand, of: phone?.secretDigest ?? "",
                count: isOfApp ? 1 + (try route.bodyBytes(of: head)) / 1_024 : 1,
                at: Arrival.now().bootMilliseconds)
        }
        return Admitted(route: route, phone: phone)
    }

    func host(of head: HTTPRequestHead) throws(HTTPRefusal) -> String {
        guard let host = try head.value("host")?.lowercased() else {
            throw .malformed("There is no Host field.")
        }
        return host
    }

    /// The secret that a browser keeps; empty if it has none.
    private func cookie(
        of head: HTTPRequestHead, host: String
    ) throws(HTTPRefusal) -> Substring {
        let name = Self.cookieName(host: host)
        let cookies = try head.value("cookie")?.split(separator: ";") ?? []
        let cookie = cookies.lazy.map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix(name + "=") }
        return cookie?.dropFirst(name.count + 1) ?? ""
    }

    /// The token of a program's head, or of its path; empty if it has none.
    ///
    /// An app that sends positions may have it as its password (RFC 7617).
    private static func bearer(
        _ head: HTTPRequestHead, _ route: HTTPRoute
    ) throws(HTTPRefusal) -> Substring {
        let words = try head.value("authorization")?.split(separator: " ") ?? []
        let scheme = words.count == 2 ? words[0].lowercased() : ""
        if scheme == "bearer" { return words[1] }
        guard route.errand == .positions, scheme == "basic",
            let login = Base64.bytes(of: words[1])
        else { return route.pathToken[...] }
        return String(decoding: login, as: UTF8.self).drop { $0 != ":" }.dropFirst()
    }

    // MARK: - Browsers

    /// Sends a browser that comes with the token on to the page, and lets it keep the token where
    /// no script reads it and no other site's page can send it (RFC 6265bis, 4.1.2).
    ///
    /// One that comes with another is sent on as well: the page says what to do.
    func enter(_ token: String, host: String) -> Response {
        var response = Response(seeOther: "/")
        if let walkToken, walkToken.equals(token) {
            response.keep(walkToken, host: host)
        }
        return response
    }

    /// Browsers keep cookies by machine, not by port; each server has one of its own.
    static func cookieName(host: String) -> String {
        let port = host.split(separator: ":").last.map(String.init) ?? ""
        return "pulselog-\(port.utf8.allSatisfy { (0x30...0x39).contains($0) } ? port : "80")"
    }

    private func checkContent(_ head: HTTPRequestHead) throws(HTTPRefusal) {
        let type = try head.value("content-type")?.prefix { $0 != ";" && $0 != " " }.lowercased()
        let coding = try head.value("content-encoding")?.lowercased() ?? "identity"
        guard type == "application/json", coding == "identity" else {
            throw HTTPRefusal(
                .unsupportedMediaType, "unsupportedMediaType",
                "The body must be uncompressed JSON, with Content-Type: application/json.")
        }
    }
}

extension Response {
    /// Lets a browser keep a secret.
    ///
    /// - Parameters:
    ///   - token: The secret.
    ///   - host: What the browser calls this machine.
    ///   - attributes: For how long, or by which way only; nil for until the browser is closed.
    mutating func keep(_ token: AccessToken, host: String, _ attributes: String = "") {
        let name = Admission.cookieName(host: host)
        fields.add(
            name: "Set-Cookie",
            value: "\(name)=\(token.text); Path=/; HttpOnly; SameSite=Strict\(attributes)")
    }
}
