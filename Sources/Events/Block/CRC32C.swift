internal import CCRC32C

/// CRC-32C (Castagnoli), reflected, initial and final value all ones: RFC 3720, 12.1.
///
/// Every block that is read is checked, so the processor's instruction is used where there is one:
/// it takes a twentieth of the time of the tables. Both give the same.
public enum CRC32C {
    private static let hasInstruction = crc32c_has_instruction()

    /// Table k gives the effect of a byte that k more bytes follow: slicing by eight.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var remainder = UInt32(byte)
            for _ in 0..<8 {
                remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0x82F6_3B78 : remainder >> 1
            }
            tables[byte] = remainder
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()

    /// The checksum of `bytes`.
    public static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
        guard hasInstruction else { return tableChecksum(bytes) }
        return unsafe bytes.withUnsafeBufferPointer {
            ~(unsafe crc32c_update(.max, $0.baseAddress, $0.count))
        }
    }

    /// The checksum of `bytes`, by tables: for processors that have no instruction.
    static func tableChecksum(_ bytes: Span<UInt8>) -> UInt32 {
        let tables = Self.tables.span
        var remainder = UInt32.max
        var offset = 0
        while offset &+ 8 <= bytes.count {
            let word = bytes.word(at: offset) ^ UInt64(remainder)
            let low = UInt32(truncatingIfNeeded: word)
            let high = UInt32(truncatingIfNeeded: word >> 32)
            remainder =
                tables[Int(low & 0xFF) &+ 1792] ^ tables[Int(low >> 8 & 0xFF) &+ 1536]
                ^ tables[Int(low >> 16 & 0xFF) &+ 1280] ^ tables[Int(low >> 24) &+ 1024]
                ^ tables[Int(high & 0xFF) &+ 768] ^ tables[Int(high >> 8 & 0xFF) &+ 512]
                ^ tables[Int(high >> 16 & 0xFF) &+ 256] ^ tables[Int(high >> 24)]
            offset &+= 8
        }
        while offset < bytes.count {
            remainder = remainder >> 8 ^ tables[Int((remainder ^ UInt32(bytes[offset])) & 0xFF)]
            offset &+= 1
        }
        return ~remainder
    }
}
