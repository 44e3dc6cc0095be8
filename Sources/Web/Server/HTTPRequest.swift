internal import JSON
internal import NIOCore
internal import NIOHTTP1

/// A request whose head was admitted, with its whole body.
struct HTTPRequest: Sendable {
    /// The lines before the body.
    let head: HTTPRequestHead
    /// What it is about.
    let route: HTTPRoute
    /// The phone that sends it, if it is one.
    var phone: Phone?
    /// The body, without chunks.
    var body = ByteBuffer()
    /// What is in the body.
    var bytes: [UInt8] { Array(body.readableBytesView) }
}

extension HTTPRequestHead {
    /// Whether another request may follow on its connection.
    ///
    /// None follows a body, or another protocol: two readers that disagree on a length let nobody
    /// in, and bytes after a body are never a request, whoever put them there.
    var mayBeFollowed: Bool {
        method == .GET && version == .http1_1 && isKeepAlive
            && ["Content-Length", "Transfer-Encoding", "Upgrade"].allSatisfy {
                !headers.contains(name: $0)
            }
    }

    /// The value of a field that may stand there once only, or nil.
    ///
    /// - Parameter name: The name in any case.
    /// - Returns: The value without the space around it.
    /// - Throws: ``HTTPRefusal`` if it is there twice.
    func value(_ name: String) throws(HTTPRefusal) -> String? {
        let values = headers[name]
        guard values.count <= 1 else {
            throw .malformed("A header field that may occur only once occurs twice.")
        }
        // The decoder leaves the space after a value.
        let blanks: Set<Character> = [" ", "\t"]
        guard let value = values.first?.drop(while: { blanks.contains($0) }) else { return nil }
        return String(value.reversed().drop { blanks.contains($0) }.reversed())
    }

    /// Checks whether a body is announced, and is not announced to be too long.
    ///
    /// The decoder has refused a length that is not a number, or stands beside a transfer coding.
    ///
    /// - Throws: ``HTTPRefusal`` if it has no length, or too great a one.
    func checkBody(limitBytes: Int) throws(HTTPRefusal) {
        let length = try value("Content-Length")
        guard length != nil || headers.contains(name: "Transfer-Encoding") else {
            throw HTTPRefusal(
                .lengthRequired, "lengthRequired", "Give the length of the body: Content-Length.")
        }
        guard let length else { return }
        guard let bytes = Int(length), bytes <= limitBytes else {
            throw .contentTooLarge(limitBytes: limitBytes)
        }
    }
}

extension JSONValue {
    /// Reads a body.
    ///
    /// - Throws: ``HTTPRefusal`` with the status 400 if it is no JSON, or more than is taken.
    init(body: [UInt8], limitBytes: Int, depth: Int) throws(HTTPRefusal) {
        do throws(JSONError) {
            let limits = JSONParser.Limits(bytes: limitBytes, depth: depth)
            self = try JSONParser.parse(body, limits: limits)
        } catch {
            throw HTTPRefusal(
                .badRequest, "malformedJSON", error.description, offset: error.offset)
        }
    }
}
