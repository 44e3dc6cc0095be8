public import Events

/// Writes a state's fields, one after the other, so that equal states are equal bytes.
///
/// Every number is a varint in shortest form, signed ones zigzag; texts and lists begin with their
/// count; what can be absent begins with 0 or 1. Nothing is named and nothing is padded.
public struct CanonicalWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []

    /// Makes an empty writer.
    public init() {}

    /// Writes an unsigned number.
    public mutating func unsigned(_ value: some UnsignedInteger & FixedWidthInteger) {
        bytes.appendVarint(UInt64(truncatingIfNeeded: value))
    }

    /// Writes a signed number.
    public mutating func signed(_ value: Int64) {
        bytes.appendVarint(zigzag(value))
    }

    /// Writes a count, 0 or more.
    public mutating func count(_ value: Int) {
        bytes.appendVarint(UInt64(value))
    }

    /// Writes a truth value.
    public mutating func flag(_ value: Bool) {
        bytes.append(value ? 1 : 0)
    }

    /// Writes a text's length in bytes and its UTF-8.
    public mutating func text(_ value: String) {
        count(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
    }

    /// Writes a list of bytes with its length.
    public mutating func byteString(_ value: [UInt8]) {
        count(value.count)
        bytes.append(contentsOf: value)
    }

    /// Writes 0, or 1 and the value.
    public mutating func optional<Value>(
        _ value: Value?, _ write: (inout CanonicalWriter, Value) -> Void
    ) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    /// Writes an unsigned number that can be absent.
    public mutating func optional(_ value: (some UnsignedInteger & FixedWidthInteger)?) {
        optional(value) { $0.unsigned($1) }
    }

    /// Writes a list's count and its elements.
    public mutating func list<Element>(
        _ elements: [Element], _ write: (inout CanonicalWriter, Element) -> Void
    ) {
        count(elements.count)
        for element in elements { write(&self, element) }
    }

    /// Writes a device: its space, then its address.
    public mutating func device(_ device: DeviceID) {
        unsigned(device.space.rawValue)
        unsigned(device.address)
    }

    /// Writes a stamp: boot clock, wall clock, boot number.
    public mutating func stamp(_ stamp: Stamp) {
        unsigned(stamp.bootMilliseconds)
        signed(stamp.wallMilliseconds)
        unsigned(stamp.bootNumber)
    }
}
