/// What the header of a block says: its size, and how that is divided.
///
/// Nothing of it is checked against the rest of the block.
public struct BlockOutline: Hashable, Sendable {
    /// The most bytes of a block.
    public static var maximumBytes: Int { BlockLayout.maximumBytes }
    /// The fewest: a block is longer than its header.
    public static var minimumBytes: Int { BlockLayout.headerBytes + 1 }

    /// The number of events, 1 or more.
    public let count: Int
    /// The bytes of the block, up to ``maximumBytes``.
    public let byteCount: Int
    /// The bytes of the section that gives the order of the events.
    public let orderBytes: Int
    private let laneBytes: SIMD8<UInt16>

    /// Reads the header that bytes begin with, which may go on after the block; nil if no block of
    /// a known format can begin there.
    ///
    /// - Parameter bytes: The bytes.
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count > BlockLayout.headerBytes else { return nil }
        // Nearly everywhere in a file it is the format that is another.
        let head = bytes.word(at: 4)
        guard UInt16(truncatingIfNeeded: head) == BlockLayout.format else { return nil }
        count = Int(head >> 16 & 0xFFFF)
        orderBytes = Int(head >> 32 & 0xFFFF)
        var lengths = SIMD8<UInt16>(repeating: 0)
        var total = BlockLayout.headerBytes + orderBytes
        for lane in 0..<BlockLayout.laneCount {
            let place = 10 + 2 * lane
            lengths[lane] = UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
            total += Int(lengths[lane])
        }
        laneBytes = lengths
        byteCount = total
        guard count > 0, total <= BlockLayout.maximumBytes else { return nil }
    }

    /// The bytes of a lane's section, its head included.
    public func bytes(of lane: Lane) -> Int { Int(laneBytes[Int(lane.rawValue)]) }
}
