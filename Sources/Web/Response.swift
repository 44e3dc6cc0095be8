/// An answer with a body of JSON, after which the connection ends.
struct Response: Sendable {
    /// The status.
    let status: HTTPStatus
    /// Fields beside those that every answer has.
    var fields: [(name: String, value: String)] = []
    /// The body: one line of JSON.
    let body: [UInt8]

    init(_ status: HTTPStatus, body: [UInt8]) {
        self.status = status
        self.body = body
    }

    /// What goes over the wire (RFC 9112, 4).
    ///
    /// One request for each connection: what stands after a body is never taken for the next
    /// request, whoever put it there.
    var bytes: [UInt8] {
        let every = [
            ("Content-Type", "application/json"),
            ("Content-Length", String(body.count)),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Connection", "close"),
        ]
        let lines = (fields + every).map { "\($0.0): \($0.1)\r\n" }.joined()
        return Array("HTTP/1.1 \(status.rawValue) \(status.phrase)\r\n\(lines)\r\n".utf8) + body
    }
}
