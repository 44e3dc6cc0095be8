/// The only places where bytes become integers. All fields of all characteristics are little-endian
/// (Bluetooth Core 5.4, volume 3, part G, 2.4).
extension Span<UInt8> {
    /// Reads the byte at `offset` and moves `offset` past it.
    @inlinable
    func uint8(
        _ field: MalformedMeasurement.Field, at offset: inout Int
    ) throws(MalformedMeasurement) -> UInt8 {
        let start = try skip(1, of: field, at: &offset)
        return self[start]
    }

    /// Reads the two bytes at `offset` and moves `offset` past them.
    @inlinable
    func uint16(
        _ field: MalformedMeasurement.Field, at offset: inout Int
    ) throws(MalformedMeasurement) -> UInt16 {
        uint16(at: try skip(2, of: field, at: &offset))
    }

    /// Reads the four bytes at `offset` and moves `offset` past them.
    @inlinable
    func uint32(
        _ field: MalformedMeasurement.Field, at offset: inout Int
    ) throws(MalformedMeasurement) -> UInt32 {
        let start = try skip(4, of: field, at: &offset)
        return UInt32(uint16(at: start)) | UInt32(uint16(at: start + 2)) << 16
    }

    /// The two bytes at `start`, which the caller knows to be there.
    @inlinable
    func uint16(at start: Int) -> UInt16 {
        UInt16(self[start]) | UInt16(self[start + 1]) << 8
    }

    /// Moves `offset` past a field of `size` bytes and returns where the field starts.
    @inlinable
    func skip(
        _ size: Int, of field: MalformedMeasurement.Field, at offset: inout Int
    ) throws(MalformedMeasurement) -> Int {
        guard count - offset >= size else {
            throw MalformedMeasurement(code: .truncated, field: field, offset: count)
        }
        defer { offset += size }
        return offset
    }
}
