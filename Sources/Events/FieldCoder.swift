/// Something that takes a payload's fields in their order, and writes or reads each, wherever the
/// bytes of a value are kept.
///
/// A layout that is stated for every such coder is that of the payload as a value and of its fields
/// where they stand: ``FieldCoder`` keeps the bytes of a value, a reader in place only says where
/// they are.
public protocol LayoutCoder<Bytes> {
    /// The bytes of a value: themselves, or their place in the payload.
    associatedtype Bytes
    /// An unsigned number within a range that ends below 2^53.
    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError)
    /// A signed number within a range inside of plus or minus 2^53.
    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError)
    /// At most `limit` bytes.
    mutating func bytes(
        _ name: StaticString, _ value: inout Bytes, limit: Int
    ) throws(FieldError)
    /// A byte that stands for one of a closed set of names.
    mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError)
    /// A device's identity.
    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError)
    /// Whether the field that comes next is there.
    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) throws(FieldError)
}

/// Something that takes a payload's fields in their order, and writes or reads each as a value.
///
/// A payload states its fields once, in ``EventPayload/code(_:)``. The binary writer, the binary
/// reader and their JSON counterparts are coders, so no form of an event can drift from another.
public protocol FieldCoder: LayoutCoder<[UInt8]> {
    /// All fields of a payload that is to be written, and of which kind it is.
    mutating func payload(_ payload: some EventPayload, _ kind: EventKind) throws(FieldError)
    /// One byte within a range; a number, unless a form says otherwise.
    mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError)
    /// A truth value; as ``LayoutCoder/presence(_:_:)``, unless a form says otherwise.
    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError)
    /// Text of at most `limit` bytes of UTF-8.
    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError)
    /// Exactly `count` bytes; as others with a limit, unless a form says otherwise.
    mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError)
    /// A byte that stands for a name, or for one that a later version may list.
    mutating func openCode<Code: CodedName>(
        _ name: StaticString, _ value: inout OpenCode<Code>
    ) throws(FieldError)
    /// A civil date; in days since 1970, unless a form says otherwise.
    mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError)
}

/// A closed set of names, each with a byte in the log.
public protocol CodedName: RawRepresentable, CaseIterable, Sendable, Hashable
where RawValue == UInt8 {
    /// The names in the JSON form, in the order of the cases.
    static var names: [String] { get }
}

extension CodedName {
    /// The name in the JSON form.
    public var name: String { Self.names[Self.allCases.prefix { $0 != self }.count] }
}

/// A byte that stands for a name of `Code`, or for one that a later version may list.
@frozen
public struct OpenCode<Code: CodedName>: Hashable, Sendable {
    /// The byte as it is in the log.
    public let rawValue: UInt8

    /// Makes a code from its byte; every byte is a value.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Makes the code of a listed name.
    @inlinable
    public init(_ code: Code) {
        rawValue = code.rawValue
    }

    /// The name, or nil if this version does not list it.
    @inlinable
    public var known: Code? { Code(rawValue: rawValue) }

    /// The name, or the number if this version does not list it.
    public var name: String { known?.name ?? "\(rawValue)" }
}

/// The ranges that payloads use.
public enum FieldRange {
    /// 0 to 2^53 - 1, what every reader of JSON can hold.
    @inlinable public static var unsigned: ClosedRange<UInt64> { 0...(1 << 53 - 1) }
    /// -(2^53 - 1) to 2^53 - 1.
    @inlinable public static var signed: ClosedRange<Int64> { -(1 << 53 - 1)...(1 << 53 - 1) }
    /// Steps of a day that a store reports: 0 to 2^31 - 1.
    @inlinable public static var stepsTotal: ClosedRange<UInt64> { 0...(1 << 31 - 1) }
    /// Minutes east of UTC.
    @inlinable public static var zoneOffsetMinutes: ClosedRange<Int64> { -1_440...1_440 }
}

/// A payload field that is outside of its limits, or cannot be read.
public struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the field.
    public enum Code: String, Sendable {
        /// The bytes ended inside of the field.
        case truncated
        /// A number, byte or code outside of its range.
        case outOfRange
        /// Text or bytes longer than the limit, or not of the fixed length.
        case wrongLength
        /// A varint in a longer form than necessary, or of more than 64 bits.
        case notCanonical
        /// Text that is not UTF-8.
        case invalidUTF8
        /// Bytes are left over after the last field.
        case trailingBytes
        /// The field is missing, or of another type (JSON).
        case mismatch
    }

    /// What is wrong with the field.
    public let code: Code
    /// The field's name.
    public let field: String
    /// The most bytes that a text or bytes could have; nil if that is not what is wrong.
    public let limitBytes: Int?

    /// Makes an error about a field.
    public init(_ code: Code, field: String, limitBytes: Int? = nil) {
        (self.code, self.field, self.limitBytes) = (code, field, limitBytes)
    }

    /// What happened, in one sentence.
    public var description: String {
        switch code {
        case .truncated: "The payload ends inside the field \(field)."
        case .outOfRange: "The field \(field) is outside its range."
        case .wrongLength: "The field \(field) is too long or not of its fixed length."
        case .notCanonical: "The number in the field \(field) is not in its shortest form."
        case .invalidUTF8: "The field \(field) is not UTF-8."
        case .trailingBytes: "Bytes are left over after the last field."
        case .mismatch: "The field \(field) is missing or of another type."
        }
    }
}

extension LayoutCoder {
    /// A field that can be absent.
    ///
    /// `initial` is what `code` reads into.
    @inlinable
    @inline(__always)
    mutating func optional<Value>(
        _ name: StaticString, _ value: inout Value?, initial: Value,
        _ code: (inout Self, inout Value) throws(FieldError) -> Void
    ) throws(FieldError) {
        var isPresent = value != nil
        try presence(name, &isPresent)
        guard isPresent else {
            value = nil
            return
        }
        var present = value ?? initial
        try code(&self, &present)
        value = present
    }

    /// A number that can be absent, 0 to 2^53 - 1.
    @inlinable
    @inline(__always)
    mutating func optionalUnsigned(
        _ name: StaticString, _ value: inout UInt64?,
        in range: ClosedRange<UInt64> = FieldRange.unsigned
    ) throws(FieldError) {
        try optional(name, &value, initial: 0) { (coder, value) throws(FieldError) in
            try coder.unsigned(name, &value, in: range)
        }
    }

    /// A signed number that can be absent.
    @inlinable
    @inline(__always)
    mutating func optionalSigned(
        _ name: StaticString, _ value: inout Int64?,
        in range: ClosedRange<Int64> = FieldRange.signed
    ) throws(FieldError) {
        try optional(name, &value, initial: 0) { (coder, value) throws(FieldError) in
            try coder.signed(name, &value, in: range)
        }
    }
}

extension FieldCoder {
    /// All fields of a payload, one after the other.
    public mutating func payload(
        _ payload: some EventPayload, _ kind: EventKind
    ) throws(FieldError) {
        var payload = payload
        try payload.code(&self)
    }

    /// One byte within a range, as a number.
    public mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError) {
        var number = UInt64(value)
        try unsigned(name, &number, in: UInt64(range.lowerBound)...UInt64(range.upperBound))
        value = UInt8(number)
    }

    /// A byte that stands for a name, as any byte.
    public mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError) {
        var byte = value.rawValue
        try self.byte(name, &byte, in: 0...255)
        guard let code = Code(rawValue: byte) else {
            throw FieldError(.outOfRange, field: "\(name)")
        }
        value = code
    }

    /// Whether the field that comes next is there, as a byte of 0 or 1.
    public mutating func presence(
        _ name: StaticString, _ isPresent: inout Bool
    ) throws(FieldError) {
        var byte: UInt8 = isPresent ? 1 : 0
        try self.byte(name, &byte, in: 0...1)
        isPresent = byte == 1
    }

    /// A truth value, as whether something is there.
    public mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {
        try presence(name, &value)
    }

    /// Exactly `count` bytes, as others with a limit.
    public mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        try bytes(name, &value, limit: count)
        guard value.count == count else { throw FieldError(.wrongLength, field: "\(name)") }
    }

    /// A byte that stands for a name or a later one, as any byte.
    public mutating func openCode<Code: CodedName>(
        _ name: StaticString, _ value: inout OpenCode<Code>
    ) throws(FieldError) {
        var byte = value.rawValue
        try self.byte(name, &byte, in: 0...255)
        value = OpenCode(rawValue: byte)
    }

    /// A civil date, in days since 1970.
    public mutating func date(
        _ name: StaticString, _ value: inout CivilDate
    ) throws(FieldError) {
        var days = value.daysSinceEpoch
        try signed(name, &days, in: CivilDate.validDays)
        value = CivilDate(daysSinceEpoch: days) ?? value
    }

    /// Text that can be absent.
    mutating func optionalText(
        _ name: StaticString, _ value: inout String?, limit: Int
    ) throws(FieldError) {
        try optional(name, &value, initial: "") { (coder, value) throws(FieldError) in
            try coder.text(name, &value, limit: limit)
        }
    }

    /// A device that can be absent.
    mutating func optionalDevice(
        _ name: StaticString, _ value: inout DeviceID?
    ) throws(FieldError) {
        try optional(name, &value, initial: .blank) { (coder, value) throws(FieldError) in
            try coder.device(name, &value)
        }
    }

    /// A set of roles as one byte.
    mutating func roles(_ name: StaticString, _ value: inout Roles) throws(FieldError) {
        var bits = value.rawValue
        try byte(name, &bits, in: 0...255)
        value = Roles(rawValue: bits)
    }
}
