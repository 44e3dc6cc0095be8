import Events

/// Fields of the hot payloads, read where they stand. The layouts are the record format's.
extension Span<UInt8> {
    /// The 7 bytes of a device at the start as one number: bits 0-47 address, 48-55 space.
    ///
    /// Nil if fewer than 8 bytes are there, or if there is no such space. One load, not seven.
    @inline(__always)
    func deviceKey() -> UInt64? {
        guard count >= 8 else { return nil }
        let key = word(at: 0) & 0xFF_FFFF_FFFF_FFFF
        return key >> 48 <= 3 ? key : nil
    }

    /// Reads a varint in shortest form and moves `offset` past it, or gives nil.
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

    /// Reads the bounds of a value with its length before it and moves `offset` past it.
    @inline(__always)
    func valueBounds(at offset: inout Int) -> Range<Int>? {
        guard let length = varint(at: &offset), length <= 512, Int(length) <= count - offset
        else { return nil }
        let start = offset
        offset += Int(length)
        return start..<offset
    }
}
