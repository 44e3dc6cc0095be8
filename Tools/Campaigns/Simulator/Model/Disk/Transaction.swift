import Events

/// A block of the log as it is stored.
struct StoredBlock {
    /// The position of its first event.
    let first: Position
    let bytes: [UInt8]
}

extension StoredBlock {
    init(_ builder: borrowing BlockBuilder) {
        self.init(first: builder.first, bytes: builder.withBytes { [UInt8](copying: $0) })
    }
}

/// What one append changes, and how it is written: all of it counts, or nothing.
struct Transaction {
    /// The blocks that are new or longer.
    var blocks: [StoredBlock]
    /// The position after its last event.
    var next: Position

    /// The bytes, with their checksum at the end.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func put(_ number: UInt64) {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        put(next)
        put(UInt64(blocks.count))
        for block in blocks {
            put(block.first)
            put(UInt64(block.bytes.count))
            bytes += block.bytes
        }
        put(Self.checksum(bytes[...]))
        return bytes
    }
}

extension Transaction {
    /// Reads a transaction; nil if the bytes are torn.
    init?(bytes: [UInt8]) {
        guard bytes.count > 8 else { return nil }
        var rest = bytes[...]
        func take() -> UInt64 {
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let sum = bytes.suffix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard sum == Self.checksum(bytes.dropLast(8)) else { return nil }
        next = take()
        blocks = []
        for _ in 0..<take() {
            let first = take()
            let count = Int(take())
            blocks.append(StoredBlock(first: first, bytes: Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
    }

    /// FNV-1a, 64 bits: <http://www.isthe.com/chongo/tech/comp/fnv/>.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
