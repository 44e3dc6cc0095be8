internal import NIOHTTP1

/// Who is let in: the checks that a request passes before its body is waited for.
///
/// A page of any web site can make a browser send requests to this machine, and can give its own
/// name this machine's address (DNS rebinding); both are told by what browsers put into the head.
struct Admission: Sendable {
    /// What a program has to know that sends health totals.
    let healthToken: AccessToken
    /// What somebody has to know who looks at walks, and asks for things; nil if nobody can.
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
        try checkOrigin(head, host: host)
        try checkToken(head, path)
        if path.method == .POST { try checkContent(head) }
        return path
    }

    private func checkHost(_ head: HTTPRequestHead) throws(HTTPRefusal) -> String {
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

    private func checkToken(_ head: HTTPRequestHead, _ path: HTTPPath) throws(HTTPRefusal) {
        let words = try head.value("authorization")?.split(separator: " ") ?? []
        let (token, command) =
            path == .health
            ? (healthToken, "pulselog health token") : (walkToken, "pulselog serve --token")
        guard words.count == 2, words[0].lowercased() == "bearer", let token,
            token.equals(words[1])
        else {
            throw HTTPRefusal(
                .unauthorized, "unauthorized",
                "Send the header field Authorization with Bearer and the token that "
                    + "`\(command)` shows.")
        }
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
