/// Reads one JSON text, strictly (RFC 8259), within stated bounds.
///
/// Stricter than the standard where it leaves a choice: no name twice in an object, no lone
/// surrogates, no byte order mark. Nothing is replaced or guessed, so two readers cannot
/// understand the same bytes in two ways.
public struct JSONParser {
    /// How much a parser takes.
    public struct Limits: Hashable, Sendable {
        /// The most bytes of the text.
        public var bytes: Int
        /// The most arrays and objects within each other.
        public var depth: Int

        /// Makes limits; without an argument 1 MiB and 32 levels.
        public init(bytes: Int = 1 << 20, depth: Int = 32) {
            (self.bytes, self.depth) = (bytes, depth)
        }
    }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: The bytes, UTF-8 without a byte order mark; space around the value is allowed.
    ///   - limits: How much is taken.
    /// - Returns: The value, members and elements in their order.
    /// - Throws: ``JSONError`` with the offset of the first byte that is wrong.
    public static func parse(
        _ text: [UInt8], limits: Limits = Limits()
    ) throws(JSONError) -> JSONValue {
        guard text.count <= limits.bytes else { throw JSONError(.tooLarge, offset: limits.bytes) }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.span)
        } catch {
            throw JSONError(.invalidUTF8, offset: error.byteOffsets.lowerBound)
        }
        var parser = JSONParser(text: text, depthLimit: limits.depth)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.offset == text.count else { throw parser.error(.trailingBytes) }
        return value
    }

    /// Valid UTF-8 from the first to the last byte.
    private let text: [UInt8]
    private let depthLimit: Int
    private var offset = 0

    // MARK: - Values

    /// Reads a value with the space before it; recursion ends at the limit of depth.
    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        guard let byte = next else { throw unexpected() }
        switch byte {
        case UInt8(ascii: "{"):
            return .object(try members(depth: try entered(depth)))
        case UInt8(ascii: "["):
            return .array(try elements(depth: try entered(depth)))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number())
        default: throw unexpected()
        }
    }

    private func entered(_ depth: Int) throws(JSONError) -> Int {
        guard depth < depthLimit else { throw error(.tooDeep) }
        return depth + 1
    }

    private mutating func members(depth: Int) throws(JSONError) -> [JSONMember] {
        var members: [JSONMember] = []
        members.reserveCapacity(16)
        var names = NameSet()
        offset += 1
        skipSpace()
        if take(UInt8(ascii: "}")) { return [] }
        repeat {
            skipSpace()
            let start = offset
            guard next == UInt8(ascii: "\"") else { throw unexpected() }
            let name = try string()
            guard names.insert(name, after: members) else {
                throw JSONError(.duplicateKey, offset: start)
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected() }
            members.append(JSONMember(name: name, value: try value(depth: depth)))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw unexpected() }
        return members
    }

    private mutating func elements(depth: Int) throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        offset += 1
        skipSpace()
        if take(UInt8(ascii: "]")) { return [] }
        repeat {
            elements.append(try value(depth: depth))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw unexpected() }
        return elements
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in word.utf8 {
            guard take(byte) else { throw unexpected() }
        }
        return value
    }

    /// Reads a number: a sign, digits without a leading zero, a fraction, an exponent.
    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = offset
        let malformed = JSONError(.invalidNumber, offset: start)
        _ = take(UInt8(ascii: "-"))
        let leading = next
        let integerDigits = digits()
        guard integerDigits == 1 || (integerDigits > 1 && leading != UInt8(ascii: "0")) else {
            throw malformed
        }
        if take(UInt8(ascii: ".")) {
            guard digits() > 0 else { throw malformed }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() > 0 else { throw malformed }
        }
        return JSONNumber(validated: String(decoding: text[start..<offset], as: UTF8.self))
    }

    /// Passes over decimal digits and counts them.
    private mutating func digits() -> Int {
        let start = offset
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            offset += 1
        }
        return offset - start
    }

    // MARK: - Strings

    private mutating func string() throws(JSONError) -> String {
        offset += 1
        var result = ""
        while true {
            let start = offset
            while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""),
                byte != UInt8(ascii: "\\")
            { offset += 1 }
            let part = String(decoding: text[start..<offset], as: UTF8.self)
            result = result.isEmpty ? part : result + part
            switch next {
            case UInt8(ascii: "\""):
                offset += 1
                return result
            case UInt8(ascii: "\\"): result.unicodeScalars.append(try escape())
            case nil: throw error(.unexpectedEnd)
            default: throw error(.controlCharacter)
            }
        }
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = offset
        offset += 1
        guard let byte = next else { throw error(.unexpectedEnd) }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try escapedScalar(start)
        default: throw JSONError(.invalidEscape, offset: start)
        }
    }

    /// Reads four digits, and a second escape sequence if they are the first half of a pair.
    private mutating func escapedScalar(_ start: Int) throws(JSONError) -> Unicode.Scalar {
        let unit = try fourDigits(start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let lone = JSONError(.loneSurrogate, offset: start)
        guard unit < 0xDC00 else { throw lone }
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw lone }
        let low = try fourDigits(offset - 2)
        guard (0xDC00...0xDFFF).contains(low) else { throw lone }
        let value = 0x1_0000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
        guard let scalar = Unicode.Scalar(value) else { throw lone }
        return scalar
    }

    private mutating func fourDigits(_ start: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next else { throw error(.unexpectedEnd) }
            guard let digit = byte.hexadecimalValue else {
                throw JSONError(.invalidEscape, offset: start)
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    // MARK: - Bytes

    private var next: UInt8? { offset < text.count ? text[offset] : nil }

    /// Passes over the byte if it comes next.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte.isJSONSpace { offset += 1 }
    }

    private func error(_ code: JSONError.Code) -> JSONError { JSONError(code, offset: offset) }

    private func unexpected() -> JSONError {
        error(next == nil ? .unexpectedEnd : .unexpectedByte)
    }
}

extension UInt8 {
    /// Whether JSON allows the byte around values: space, tab, line feed, carriage return.
    package var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

/// The names of one object, compared byte by byte: `String` would call some different names equal.
private struct NameSet {
    private var many: Set<[UInt8]> = []

    /// Adds a name after those of some members, or gives false if it is there already.
    mutating func insert(_ name: String, after members: [JSONMember]) -> Bool {
        // A scan is quicker for an object of ours, but would be quadratic for a hostile one.
        if members.count < 32 { return !members.contains { $0.name.hasSameBytes(as: name) } }
        if many.isEmpty { many = Set(members.map { Array($0.name.utf8) }) }
        return many.insert(Array(name.utf8)).inserted
    }
}
