// Integers of captures and of Bluetooth: all reads are within bounds that the caller has checked.
extension Span<UInt8> {
    func littleEndian16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    func bigEndian16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
    }

    func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian16(at: offset)) | UInt32(littleEndian16(at: offset + 2)) << 16
    }

    func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(bigEndian16(at: offset)) << 16 | UInt32(bigEndian16(at: offset + 2))
    }

    func littleEndian64(at offset: Int) -> UInt64 {
        UInt64(littleEndian32(at: offset)) | UInt64(littleEndian32(at: offset + 4)) << 32
    }

    func bigEndian64(at offset: Int) -> UInt64 {
        UInt64(bigEndian32(at: offset)) << 32 | UInt64(bigEndian32(at: offset + 4))
    }

    func integer16(at offset: Int, isLittleEndian: Bool) -> UInt16 {
        isLittleEndian ? littleEndian16(at: offset) : bigEndian16(at: offset)
    }

    func integer32(at offset: Int, isLittleEndian: Bool) -> UInt32 {
        isLittleEndian ? littleEndian32(at: offset) : bigEndian32(at: offset)
    }

    /// A Bluetooth address: six bytes, the last one printed first.
    func address(at offset: Int) -> UInt64 {
        UInt64(littleEndian32(at: offset)) | UInt64(littleEndian16(at: offset + 4)) << 32
    }

    func begins(with text: String) -> Bool {
        guard count >= text.utf8.count else { return false }
        for (index, byte) in text.utf8.enumerated() where self[index] != byte { return false }
        return true
    }
}
