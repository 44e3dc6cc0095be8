internal import Events

/// Puts messages together that were sent in several packets: Bluetooth Core 5.4, volume 3, part A,
/// 7.2.
struct MessageAssembly {
    /// What came of a packet.
    enum Outcome {
        /// Nothing yet.
        case incomplete
        /// The packet holds a whole message, at this place.
        case whole(Range<Int>)
        /// The packet was a message's last.
        case assembled([UInt8])
        /// The packet belongs to nothing.
        case stray
    }

    /// The channel of the Attribute Protocol: Bluetooth Core 5.4, volume 3, part A, 2.1.
    private static let attributeChannel: UInt16 = 4
    private static let headerBytes = 4
    /// Longer messages are passed over: a value has at most 512 bytes, and several at once are few.
    private static let limit = 8_192

    private var message: [UInt8] = []
    /// How many bytes are still to come.
    private var missing = 0
    /// Whether the message is of the Attribute Protocol.
    private var isWanted = false

    /// Whether a message has begun and is not whole yet.
    var isUnfinished: Bool { missing > 0 }

    /// Takes a packet that begins a message.
    ///
    /// - Returns: What came of it, and whether a message was left unfinished.
    mutating func begin(_ packet: Span<UInt8>) -> (Outcome, leftUnfinished: Bool) {
        let isUnfinished = missing > 0 && isWanted
        missing = 0
        guard packet.count >= Self.headerBytes else { return (.stray, isUnfinished) }
        let length = Int(packet.littleEndian16(at: 0))
        isWanted =
            packet.littleEndian16(at: 2) == Self.attributeChannel && length <= Self.limit
        let end = Self.headerBytes + length
        if packet.count >= end {
            return (isWanted ? .whole(Self.headerBytes..<end) : .incomplete, isUnfinished)
        }
        missing = end - packet.count
        message.removeAll(keepingCapacity: true)
        if isWanted { message.append(copying: packet.extracting(droppingFirst: Self.headerBytes)) }
        return (.incomplete, isUnfinished)
    }

    /// Takes a packet that continues a message.
    mutating func resume(_ packet: Span<UInt8>) -> Outcome {
        guard missing > 0 else { return packet.isEmpty ? .incomplete : .stray }
        let count = min(missing, packet.count)
        if isWanted { message.append(copying: packet.extracting(0..<count)) }
        missing -= count
        guard missing == 0, isWanted else { return .incomplete }
        return .assembled(message)
    }
}
