/// What the first 24 bytes of a block say: its checksum, its size, and how that is divided.
///
/// Nothing of it is checked against the rest of the block.
public struct BlockHead: Sendable {
    /// The most bytes of a block.
    public static var maximumBytes: Int { BlockLayout.maximumBytes }

    /// The number of events.
    public let count: Int
    /// The CRC-32C of all bytes after it.
    let checksum: UInt32
    let format: UInt16
    /// The lengths of the sections, of two bytes each.
    private let lengths: InlineArray<2, UInt64>

    /// Reads the head that bytes begin with, which may go on after the block; nil if there are no
    /// bytes after it.
    ///
    /// - Parameter bytes: The bytes.
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count > BlockLayout.headerBytes else { return nil }
        let word = bytes.word(at: 0)
        checksum = UInt32(truncatingIfNeeded: word)
        format = UInt16(truncatingIfNeeded: word >> 32)
        count = Int(word >> 48)
        lengths = [bytes.word(at: 8), bytes.word(at: 16)]
    }

    /// Where the sections stand: the order, then the lanes.
    var places: InlineArray<8, Range<Int>> {
        var end = BlockLayout.headerBytes
        return InlineArray { number in
            let start = end
            end += Int(lengths[number / 4] >> (16 * (number % 4)) & 0xFFFF)
            return start..<end
        }
    }

    /// Whether a block can have it: of a known format, not empty, not too long.
    public var isPossible: Bool {
        // Nearly everywhere in a file it is the format that is another.
        format == BlockLayout.format && count > 0 && byteCount <= BlockLayout.maximumBytes
    }

    /// The bytes of the block, up to ``maximumBytes`` if it ``isPossible``.
    public var byteCount: Int { places[7].upperBound }

    /// The bytes of the section that gives the order of the events.
    public var orderBytes: Int { places[0].count }

    /// The bytes of a lane's section, its own head included.
    public func bytes(of lane: Lane) -> Int { places[BlockReader.section(of: lane)].count }
}
