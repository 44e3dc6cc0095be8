/// Fields of the hot payloads, read where they stand. The layouts are the record format's.
extension Span<UInt8> {
    /// The 7 bytes of a device at `offset` as one number: bits 0-47 address, 48-55 space.
    ///
    /// The caller knows the bytes to be there.
    @inline(__always)
    func deviceKey(at offset: Int) -> UInt64 {
        let low =
            UInt64(self[offset]) | UInt64(self[offset + 1]) << 8 | UInt64(self[offset + 2]) << 16
            | UInt64(self[offset + 3]) << 24
        let high =
            UInt64(self[offset + 4]) | UInt64(self[offset + 5]) << 8
            | UInt64(self[offset + 6]) << 16
        return low | high << 32
    }

    /// Reads a varint in shortest form and moves `offset` behind it, or gives nil.
    @inline(__always)
    func varint(at offset: inout Int) -> UInt64? {
        guard offset < count else { return nil }
        let first = self[offset]
        offset += 1
        return first < 0x80 ? UInt64(first) : longVarint(first, at: &offset)
    }

    private func longVarint(_ first: UInt8, at offset: inout Int) -> UInt64? {
        var value = UInt64(first & 0x7F)
        for index in 1..<10 {
            guard offset < count else { return nil }
            let byte = self[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte < 0x80 {
                // The last byte of a longer form is not zero; the tenth holds one bit.
                return byte != 0 && (index < 9 || byte == 1) ? value : nil
            }
        }
        return nil
    }

    /// Reads the bounds of a value with its length before it and moves `offset` behind it.
    @inline(__always)
    func valueBounds(at offset: inout Int) -> Range<Int>? {
        guard let length = varint(at: &offset), length <= 512, Int(length) <= count - offset
        else { return nil }
        let start = offset
        offset += Int(length)
        return start..<offset
    }
}
