/// One value of the D-Bus type system (D-Bus Specification, "Type System").
///
/// Unix file descriptors can be sent, but a message that holds one is not taken.
public enum Value: Hashable, Sendable {
    /// An unsigned byte, `y`.
    case byte(UInt8)
    /// A truth value, `b`.
    case boolean(Bool)
    /// A signed 16-bit integer, `n`.
    case int16(Int16)
    /// An unsigned 16-bit integer, `q`.
    case uint16(UInt16)
    /// A signed 32-bit integer, `i`.
    case int32(Int32)
    /// An unsigned 32-bit integer, `u`.
    case uint32(UInt32)
    /// A signed 64-bit integer, `x`.
    case int64(Int64)
    /// An unsigned 64-bit integer, `t`.
    case uint64(UInt64)
    /// A binary floating-point number, `d`.
    case double(Double)
    /// Text, `s`.
    ///
    /// On the bus it holds no NUL.
    case string(String)
    /// The path of an object, `o`.
    case objectPath(String)
    /// A type signature, `g`.
    case signature(String)
    /// A Unix file descriptor, `h`; it is only ever sent.
    ///
    /// The message holds a duplicate of it, and the sender keeps its own. It has to be open when
    /// the message is sent.
    case descriptor(Int32)
    /// An array of bytes, `ay`.
    case byteArray([UInt8])
    /// Any other array; the element's signature is kept, because the array may be empty.
    case array(elementSignature: String, [Value])
    /// An array of dictionary entries, in the order they were sent; the signature is as in `{sv}`.
    case dictionary(entrySignature: String, [Entry])
    /// A structure of at least one field, `(…)`.
    case structure([Value])
    /// A value that carries its own type, `v`.
    indirect case variant(Value)

    /// One entry of a dictionary.
    ///
    /// Keys are basic values; the bus does not promise they are unique.
    public struct Entry: Hashable, Sendable {
        /// The key.
        public var key: Value
        /// What belongs to the key.
        public var value: Value

        /// Makes an entry.
        ///
        /// - Parameters:
        ///   - key: The key, a basic value.
        ///   - value: What belongs to the key.
        public init(key: Value, value: Value) {
            self.key = key
            self.value = value
        }
    }
}

// MARK: - Making the common shapes

extension Value {
    /// An array of text, `as`.
    ///
    /// - Parameter texts: The elements.
    /// - Returns: The array.
    public static func strings(_ texts: [String]) -> Value {
        .array(elementSignature: "s", texts.map { .string($0) })
    }

    /// A table of properties, `a{sv}`, as most interfaces use it.
    ///
    /// - Parameter entries: Names and plain values; each value is wrapped in a variant here.
    /// - Returns: The dictionary, in the order given.
    public static func properties(_ entries: [(String, Value)]) -> Value {
        .dictionary(
            entrySignature: "{sv}",
            entries.map { Entry(key: .string($0.0), value: .variant($0.1)) })
    }
}

// MARK: - Looking inside

extension Value {
    /// The value itself, or what is inside if it is a variant, however often wrapped.
    public var unwrapped: Value {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// The truth value, or nil if it is of another type.
    ///
    /// Variants are opened.
    public var asBoolean: Bool? {
        if case .boolean(let value) = unwrapped { value } else { nil }
    }

    /// The number, or nil if it is of another type.
    ///
    /// Variants are opened.
    public var asInt16: Int16? {
        if case .int16(let value) = unwrapped { value } else { nil }
    }

    /// The number, or nil if it is of another type.
    ///
    /// Variants are opened.
    public var asUInt32: UInt32? {
        if case .uint32(let value) = unwrapped { value } else { nil }
    }

    /// The text, or nil if it is of another type.
    ///
    /// Variants are opened.
    public var asString: String? {
        if case .string(let value) = unwrapped { value } else { nil }
    }

    /// The object path, or nil if it is of another type.
    ///
    /// Variants are opened.
    public var asObjectPath: String? {
        if case .objectPath(let value) = unwrapped { value } else { nil }
    }

    /// The bytes, or nil if it is not an array of bytes.
    ///
    /// Variants are opened.
    public var asByteArray: [UInt8]? {
        if case .byteArray(let value) = unwrapped { value } else { nil }
    }

    /// The texts, or nil if it is not an array of text.
    ///
    /// Variants are opened.
    public var asStrings: [String]? {
        guard case .array(elementSignature: "s", let elements) = unwrapped else { return nil }
        return elements.compactMap(\.asString)
    }

    /// The entries, or nil if it is not a dictionary.
    ///
    /// Variants are opened.
    public var asEntries: [Entry]? {
        if case .dictionary(_, let entries) = unwrapped { entries } else { nil }
    }

    /// The last entry under a text key, or nil if there is none or this is not a dictionary.
    ///
    /// - Parameter key: The key, compared with keys of type text only.
    public subscript(key: String) -> Value? {
        asEntries?.last { $0.key == .string(key) }?.value
    }
}

// MARK: - Signatures

extension Value {
    /// The type signature of this value (D-Bus Specification, "Type System").
    public var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .byteArray: "ay"
        case .array(let element, _): "a" + element
        case .dictionary(let entry, _): "a" + entry
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }
}
