internal import NIOCore
internal import NIOHTTP1

/// An answer with a body of JSON, after which the connection ends.
struct Response: Sendable {
    /// The status.
    let status: HTTPResponseStatus
    /// Fields beside those that every answer has.
    var fields = HTTPHeaders()
    /// The body: one line of JSON.
    let body: [UInt8]

    init(_ status: HTTPResponseStatus, body: [UInt8]) {
        self.status = status
        self.body = body
    }

    /// The lines before the body.
    ///
    /// One request for each connection: what stands after a body is never taken for the next
    /// request, whoever put it there.
    var head: HTTPResponseHead {
        var headers = fields
        headers.add(name: "Content-Type", value: "application/json")
        headers.add(name: "Content-Length", value: String(body.count))
        headers.add(name: "Cache-Control", value: "no-store")
        headers.add(name: "X-Content-Type-Options", value: "nosniff")
        headers.add(name: "Connection", value: "close")
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
