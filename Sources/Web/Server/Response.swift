internal import NIOCore
internal import NIOHTTP1

/// An answer, after which the connection ends.
struct Response: Sendable {
    /// What follows the head.
    enum Body: Sendable {
        /// JSON: one object and a newline.
        case json([UInt8])
        /// Server-sent events.
        case events(Events)
    }

    /// Writes events until the task is cancelled; what it writes a part with waits until that part
    /// is sent.
    typealias Events = @Sendable (_ write: Writing) async throws -> Void
    /// Sends a part of a body.
    typealias Writing = @Sendable ([UInt8]) async throws -> Void

    /// The status.
    let status: HTTPResponseStatus
    /// Fields beside those that every answer has.
    var fields = HTTPHeaders()
    /// What follows the head.
    let body: Body

    /// Answers with JSON.
    init(_ status: HTTPResponseStatus, body: [UInt8]) {
        self.status = status
        self.body = .json(body)
    }

    /// Answers with events as they come.
    init(events: @escaping Events) {
        status = .ok
        body = .events(events)
    }

    /// The lines before the body.
    ///
    /// One request for each connection: what stands after a body is never taken for the next
    /// request, whoever put it there.
    var head: HTTPResponseHead {
        var headers = fields
        switch body {
        case .json(let bytes):
            headers.add(name: "Content-Type", value: "application/json")
            headers.add(name: "Content-Length", value: String(bytes.count))
        case .events:
            headers.add(name: "Content-Type", value: "text/event-stream")
        }
        headers.add(name: "Cache-Control", value: "no-store")
        headers.add(name: "X-Content-Type-Options", value: "nosniff")
        headers.add(name: "Connection", value: "close")
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}

/// A part of an answer on its way to the peer.
enum ResponsePart: Sendable {
    /// The lines before the body.
    case head(HTTPResponseHead)
    /// The lines before a body that goes on as long as somebody listens.
    case stream(HTTPResponseHead)
    /// Some of the body.
    case body([UInt8])
    /// Nothing more follows.
    case end
}
