internal import JSON
internal import NIOHTTP1

/// An answer.
struct Response: Sendable {
    /// What follows the head.
    enum Body: Sendable {
        /// All of it, and its media type.
        case whole([UInt8], type: String)
        /// Server-sent events.
        case events(Events)
    }

    /// Writes events until the task is cancelled; what it writes a part with waits until that part
    /// is sent.
    typealias Events = @Sendable (_ write: Writing) async throws -> Void
    /// Sends a part of a body.
    typealias Writing = @Sendable ([UInt8]) async throws -> Void

    /// The status.
    var status: HTTPResponseStatus
    /// Fields besides those that every answer has.
    var fields = HTTPHeaders()
    /// What follows the head.
    var body: Body
    /// Who may keep it, and for how long (RFC 9111, 5.2.2).
    var kept = "no-store"

    /// Answers with JSON: one object and a newline.
    init(_ status: HTTPResponseStatus, body: [UInt8]) {
        self.status = status
        self.body = .whole(body, type: "application/json")
    }

    /// Answers with an object of JSON.
    ///
    /// - Parameter body: Writes its fields.
    /// - Returns: The answer.
    static func json(_ body: (inout JSONWriter) -> Void) -> Response {
        Response(.ok, body: JSONWriter.line(body))
    }

    /// Answers with a file.
    ///
    /// - Parameters:
    ///   - type: Its media type.
    ///   - file: Its bytes.
    ///   - kept: Who may keep it, and for how long.
    init(type: String, file: [UInt8], kept: String = "no-store") {
        (status, body, self.kept) = (.ok, .whole(file, type: type), kept)
    }

    /// Answers that there is nothing.
    static func nothing(kept: String = "no-store") -> Response {
        var response = Response(type: "text/plain", file: [], kept: kept)
        response.status = .noContent
        return response
    }

    /// Sends a browser on to another path.
    init(seeOther path: String) {
        status = .seeOther
        fields = ["Location": path]
        body = .whole([], type: "text/plain")
    }

    /// Answers with events as they come.
    init(events: @escaping Events) {
        status = .ok
        body = .events(events)
    }

    /// From where it takes anything (W3C CSP Level 3).
    var sources = "default-src 'self'"

    /// The lines before the body.
    var head: HTTPResponseHead {
        var headers = fields
        switch body {
        case .whole where status == .notModified: break
        case .whole(let bytes, let type):
            headers.add(name: "Content-Type", value: type)
            headers.add(name: "Content-Length", value: String(bytes.count))
        case .events:
            headers.add(name: "Content-Type", value: "text/event-stream")
        }
        headers.add(name: "Cache-Control", value: kept)
        headers.add(name: "X-Content-Type-Options", value: "nosniff")
        // A page of ours takes nothing from elsewhere, and stands in no other.
        headers.add(
            name: "Content-Security-Policy",
            value: "\(sources); base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
        headers.add(name: "Referrer-Policy", value: "no-referrer")
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}

/// A part of an answer on its way to the peer.
enum ResponsePart: Sendable {
    /// The lines before the body.
    case head(HTTPResponseHead)
    /// The lines before a body that continues as long as somebody listens.
    case stream(HTTPResponseHead)
    /// Some of the body.
    case body([UInt8])
    /// The rest of the body, in one write with the end: whoever has it all may ask again at once.
    case end([UInt8])
}
