internal import NIOHTTP1

/// Who is let in: the checks that a request passes before its body is waited for.
///
/// A page of any web site can make a browser send requests to this machine, and can give its own
/// name this machine's address (DNS rebinding); both are told by what browsers put into the head.
struct Admission: Sendable {
    /// What a program has to know that sends health totals.
    let healthToken: AccessToken
    /// The secret for looking at walks and asking for things; nil if nobody can.
    let walkToken: AccessToken?

    /// Checks a head, in this order: path, method, host, origin, token, content type.
    ///
    /// - Returns: What the request is about.
    /// - Throws: ``HTTPRefusal`` of the first check that fails.
    func check(_ head: HTTPRequestHead) throws(HTTPRefusal) -> HTTPPath {
        let path = try HTTPPath(head)
        guard head.method == path.method else {
            throw HTTPRefusal(
                .methodNotAllowed, "methodNotAllowed",
                "This path takes \(path.method.rawValue) only.", allowed: path.method)
        }
        let host = try checkHost(head)
        // Whatever opens the page may do so: there is nothing of a walker's in it.
        guard !path.isPublic else { return path }
        try checkOrigin(head, host: host)
        try checkToken(head, path, host: host)
        if path.method == .POST { try checkContent(head) }
        return path
    }

    func checkHost(_ head: HTTPRequestHead) throws(HTTPRefusal) -> String {
        guard let host = try head.value("host")?.lowercased() else {
            throw .malformed("There is no Host field.")
        }
        let name = ["127.0.0.1", "localhost", "[::1]"].first { host.hasPrefix($0) }
        let port = host.utf8.dropFirst(name?.utf8.count ?? 0)
        guard name != nil,
            port.isEmpty
                || (port.first == UInt8(ascii: ":")
                    && port.dropFirst().allSatisfy { (0x30...0x39).contains($0) })
        else {
            throw HTTPRefusal(
                .forbidden, "foreignHost",
                "The Host field names a machine other than 127.0.0.1, localhost or [::1].")
        }
        return host
    }

    private func checkOrigin(_ head: HTTPRequestHead, host: String) throws(HTTPRefusal) {
        let origin = try head.value("origin")
        let site = try head.value("sec-fetch-site")
        guard origin == nil || origin == "http://\(host)",
            site == nil || site == "same-origin" || site == "none"
        else {
            throw HTTPRefusal(
                .forbidden, "foreignOrigin", "Pages of other sites can send nothing here.")
        }
    }

    private func checkToken(
        _ head: HTTPRequestHead, _ path: HTTPPath, host: String
    ) throws(HTTPRefusal) {
        guard path == .health else { return try checkWalkToken(head, host: host) }
        guard healthToken.equals(try Self.bearer(head)) else {
            throw Self.unauthorized("pulselog health token")
        }
    }

    /// A program sends the token in its head, a browser in its cookie.
    private func checkWalkToken(_ head: HTTPRequestHead, host: String) throws(HTTPRefusal) {
        let name = Self.cookieName(host: host)
        let cookies = try head.value("cookie")?.split(separator: ";") ?? []
        let cookie = cookies.lazy.map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix(name + "=") }
        let told: [Substring?] = [try Self.bearer(head), cookie?.dropFirst(name.count + 1)]
        guard let walkToken, told.contains(where: { walkToken.equals($0 ?? "") }) else {
            throw Self.unauthorized("pulselog serve --token")
        }
    }

    /// The token of a program's head; empty if it has none.
    private static func bearer(_ head: HTTPRequestHead) throws(HTTPRefusal) -> Substring {
        let words = try head.value("authorization")?.split(separator: " ") ?? []
        return words.count == 2 && words[0].lowercased() == "bearer" ? words[1] : ""
    }

    private static func unauthorized(_ command: String) -> HTTPRefusal {
        HTTPRefusal(
            .unauthorized, "unauthorized",
            "Send the header field Authorization with Bearer and the token that "
                + "`\(command)` shows.")
    }

    // MARK: - Browsers

    /// Sends a browser that comes with the token on to the page, and lets it keep the token where
    /// no script reads it and no other site's page can send it (RFC 6265bis, 4.1.2).
    ///
    /// One that comes with another is sent on as well: the page says what to do.
    func enter(_ token: String, host: String) -> Response {
        var response = Response(seeOther: "/")
        if let walkToken, walkToken.equals(token) {
            response.fields.add(
                name: "Set-Cookie",
                value: "\(Self.cookieName(host: host))=\(walkToken.text); Path=/; HttpOnly; "
                    + "SameSite=Strict")
        }
        return response
    }

    /// Browsers keep cookies by machine, not by port; each server has one of its own.
    private static func cookieName(host: String) -> String {
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
