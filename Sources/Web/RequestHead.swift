/// The lines of a request before its body, read strictly (RFC 9112, 2 to 6; RFC 9110, 5).
///
/// What the standard lets a server forgive (lone line feeds, folded lines, space before a colon)
/// is refused: two readers could understand it in two ways.
struct RequestHead: Hashable, Sendable {
    /// The most bytes of a head, its empty line included.
    static let limitBytes = 16 * 1_024
    /// The most fields of a head.
    static let fieldLimit = 100

    /// Where the body ends.
    enum Framing: Hashable, Sendable {
        /// The head does not say: there is no body.
        case none
        /// After this many bytes.
        case bytes(Int)
        /// With a last chunk (RFC 9112, 7.1).
        case chunked
    }

    /// A field; the name in lower case.
    private struct Field: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// The method, as it was sent; methods are case-sensitive.
    let method: String
    /// The target before its query.
    let path: String
    private let fields: [Field]

    /// Reads a head.
    ///
    /// - Parameter bytes: The head with the empty line at its end.
    /// - Throws: ``HTTPRefusal`` that says what is wrong.
    init(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) {
        var rest = bytes
        let request = try Self.takeLine(&rest).split(
            separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard request.count == 3, request[0].isToken, request[0].count <= 32 else {
            throw .malformed("The first line is not a method, a path and a version.")
        }
        switch Array(request[2]) {
        case Array("HTTP/1.1".utf8), Array("HTTP/1.0".utf8): break
        default:
            guard request[2].starts(with: "HTTP/".utf8) else {
                throw .malformed("The first line does not end with a version of HTTP.")
            }
            throw HTTPRefusal(
                .versionNotSupported, "versionNotSupported", "This server speaks HTTP/1.1.")
        }
        guard request[1].first == UInt8(ascii: "/"), request[1].allSatisfy(\.isVisible) else {
            throw .malformed("The path does not begin with a slash, or has unescaped characters.")
        }
        method = String(decoding: request[0], as: UTF8.self)
        path = String(
            decoding: request[1].prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
        var fields: [Field] = []
        while true {
            let line = try Self.takeLine(&rest)
            if line.isEmpty { break }
            guard fields.count < Self.fieldLimit else {
                throw HTTPRefusal(
                    .headerFieldsTooLarge, "tooManyFields",
                    "There are more than \(Self.fieldLimit) header fields.")
            }
            fields.append(try Self.field(line))
        }
        self.fields = fields
    }

    /// Where a head ends: after its first empty line, or nil if that has not arrived.
    ///
    /// - Parameters:
    ///   - bytes: What has arrived.
    ///   - offset: How much of it had arrived when this was asked before.
    /// - Returns: The offset after the empty line.
    static func end(in bytes: [UInt8], from offset: Int) -> Int? {
        let empty: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        var start = max(0, offset - 3)
        while start + 4 <= bytes.count {
            if bytes[start..<start + 4].elementsEqual(empty) { return start + 4 }
            start += 1
        }
        return nil
    }

    /// The value of a field that may stand there once only, or nil.
    ///
    /// - Parameter name: The name in lower case.
    /// - Returns: The value without the space around it.
    /// - Throws: ``HTTPRefusal`` if it is there twice.
    func value(_ name: String) throws(HTTPRefusal) -> String? {
        let values = fields.filter { $0.name == name }
        guard values.count <= 1 else {
            throw .malformed("A header field that may occur only once occurs twice.")
        }
        return values.first?.value
    }

    /// Where the body ends (RFC 9112, 6).
    ///
    /// - Throws: ``HTTPRefusal`` if the head says it in two ways, or in one not known here.
    func framing() throws(HTTPRefusal) -> Framing {
        let length = try value("content-length")
        if let coding = try value("transfer-encoding") {
            guard length == nil else {
                throw .malformed("Content-Length and Transfer-Encoding exclude each other.")
            }
            guard coding.lowercased() == "chunked" else {
                throw HTTPRefusal(
                    .notImplemented, "unknownTransferCoding",
                    "The only transfer coding known here is chunked.")
            }
            return .chunked
        }
        guard let length else { return .none }
        let digits = Array(length.utf8)
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else {
            throw .malformed("Content-Length is not a number.")
        }
        // A number that no integer holds is too large for any limit.
        return .bytes(Int(length) ?? .max)
    }

    private static func takeLine(
        _ rest: inout ArraySlice<UInt8>
    ) throws(HTTPRefusal) -> ArraySlice<UInt8> {
        guard let end = rest.firstIndex(where: { $0 == 0x0D || $0 == 0x0A }),
            rest[end] == 0x0D, end + 1 < rest.endIndex, rest[end + 1] == 0x0A
        else { throw .malformed("A line of the head does not end with CR LF.") }
        defer { rest = rest[(end + 2)...] }
        return rest[..<end]
    }

    private static func field(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) -> Field {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line[..<colon].isToken else {
            throw .malformed("A header field has no name, or space around it.")
        }
        let value = line[(colon + 1)...]
        guard value.allSatisfy(\.isFieldContent) else {
            throw .malformed("A header field holds a control character.")
        }
        let trimmed = value.drop(while: \.isBlank).reversed().drop(while: \.isBlank).reversed()
        return Field(
            name: String(decoding: line[..<colon], as: UTF8.self).lowercased(),
            value: String(decoding: Array(trimmed), as: UTF8.self))
    }
}

// MARK: - Bytes

extension ArraySlice<UInt8> {
    /// Whether this is a token (RFC 9110, 5.6.2): not empty, letters, digits and some signs.
    fileprivate var isToken: Bool {
        !isEmpty
            && allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                    true
                default: byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

extension UInt8 {
    /// Whether this is a decimal digit.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    /// Whether this is a space or a tab.
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
    /// Whether this is ASCII that leaves ink.
    fileprivate var isVisible: Bool { self > 0x20 && self < 0x7F }
    /// Whether a field's value may hold it (RFC 9110, 5.5).
    fileprivate var isFieldContent: Bool { isBlank || isVisible || self >= 0x80 }
}
