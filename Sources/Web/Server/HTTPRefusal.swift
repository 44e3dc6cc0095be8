internal import JSON
internal import NIOHTTP1

/// A request that is not served: a status for programs and a sentence for people.
///
/// The sentence never holds a byte of the request, so nothing of a stranger's is echoed.
struct HTTPRefusal: Error, Equatable {
    /// The status.
    let status: HTTPResponseStatus
    /// A stable name of the reason.
    let code: String
    /// What is wrong and what to do.
    let message: String
    /// Where in the body, in bytes, if it is about one place.
    let offset: Int?
    /// What else the head of the answer says.
    let fields: HTTPHeaders

    init(
        _ status: HTTPResponseStatus, _ code: String, _ message: String, offset: Int? = nil,
        fields: HTTPHeaders = [:]
    ) {
        (self.status, self.code, self.message, self.offset) = (status, code, message, offset)
        self.fields = fields
    }

    /// A request that is no HTTP/1.1, or in two minds about where it ends.
    static func malformed(_ message: String) -> HTTPRefusal {
        HTTPRefusal(.badRequest, "malformedRequest", message)
    }

    /// A body of more bytes than are taken.
    static func contentTooLarge(limitBytes: Int) -> HTTPRefusal {
        HTTPRefusal(
            .payloadTooLarge, "contentTooLarge",
            "A body has at most \(limitBytes) bytes here; send less at once.")
    }

    /// A version of HTTP that cannot be answered.
    static let versionNotSupported = HTTPRefusal(
        .httpVersionNotSupported, "versionNotSupported", "This server speaks HTTP/1.1.")

    /// A path that leads nowhere.
    static let notFound = HTTPRefusal(
        .notFound, "notFound", "There is nothing at this path.")

    /// A request that did not arrive in time.
    static let late = HTTPRefusal(
        .requestTimeout, "requestTimeout", "The request did not arrive in time.")

    /// What the decoder refused.
    init(_ error: HTTPParserError) {
        self =
            switch error {
            case .headerOverflow:
                HTTPRefusal(
                    .requestHeaderFieldsTooLarge, "headTooLarge",
                    "The head of a request has at most \(WebServer.headLimitBytes) bytes and "
                        + "\(WebServer.fieldLimit) fields.")
            case .invalidVersion: .versionNotSupported
            case .invalidMethod, .invalidURL, .invalidConstant:
                .malformed("The first line is not a method, a path and a version.")
            case .invalidHeaderToken, .lfExpected:
                .malformed("A header field is malformed.")
            case .invalidContentLength, .unexpectedContentLength:
                .malformed("The body's length is not a number, or is given twice.")
            case .invalidChunkSize:
                .malformed("The chunks of the body are malformed.")
            default:
                .malformed("This is not an HTTP/1.1 request.")
            }
    }

    /// The body of the answer.
    var body: [UInt8] { JSONWriter.line { writeFields(to: &$0) } }

    /// Writes the error into an object that is open.
    func writeFields(to json: inout JSONWriter) {
        json.object("error") { json in
            json.field("code", code)
            if let offset { json.field("offset", offset) }
            json.field("message", message)
        }
    }

    /// The answer.
    var response: Response {
        var response = Response(status, body: body)
        response.fields = fields
        if status == .unauthorized {
            response.fields.add(name: "WWW-Authenticate", value: "Bearer realm=\"pulselog\"")
        }
        return response
    }
}
