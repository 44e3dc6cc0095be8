internal import Interchange

/// A request that is not served: a status for programs and a sentence for people.
///
/// The sentence never holds a byte of the request, so nothing of a stranger's is echoed.
struct HTTPRefusal: Error, Hashable {
    /// The status.
    let status: HTTPStatus
    /// A stable name of the reason.
    let code: String
    /// What is wrong and what to do.
    let message: String
    /// Where in the body, in bytes, if it is about one place.
    let offset: Int?

    init(_ status: HTTPStatus, _ code: String, _ message: String, offset: Int? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.offset = offset
    }

    /// A request that is no HTTP/1.1, or in two minds about where it ends.
    static func malformed(_ message: String) -> HTTPRefusal {
        HTTPRefusal(.badRequest, "malformedRequest", message)
    }

    /// The answer.
    var response: Response {
        let body = JSONWriter.line { json in
            json.object("error") { json in
                json.field("code", code)
                if let offset { json.field("offset", offset) }
                json.field("message", message)
            }
        }
        var response = Response(status, body: body)
        switch status {
        case .methodNotAllowed: response.fields.append(("Allow", "POST"))
        case .unauthorized:
            response.fields.append(("WWW-Authenticate", "Bearer realm=\"pulselog\""))
        default: break
        }
        return response
    }
}
