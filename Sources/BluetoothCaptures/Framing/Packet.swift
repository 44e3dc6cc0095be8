/// What a capture says of one packet, beside its bytes.
struct Packet {
    /// How the bytes are to be read.
    enum Carrier: Equatable {
        /// HCI with the packet's type in the first byte: UART transport, Bluetooth Core 5.4, volume
        /// 4, part A, 2.
        case typed
        /// The same after four bytes, big-endian, whose last bit is 1 for what the host received.
        case typedWithDirection
        /// HCI of a type that stands beside the packet.
        case bare(HCIPacketType)
        /// Linux' monitor: an adapter and an opcode before each packet.
        case monitor
        /// A packet of the air, from its access address to its CRC.
        case air
        /// The same after ten bytes of what the receiver knows of it.
        case airWithHeader
        /// The same after the header of Nordic's sniffer.
        case nordic
    }

    /// Who sent a packet between host and controller.
    enum Direction {
        case sent, received
    }

    /// UTC in microseconds since 1970; nil if the record has no time.
    var microseconds: Int64?
    var carrier: Carrier
    var direction: Direction?
    var adapter: UInt16 = 0
    /// How many packets were lost before it since the capture began, because they came too fast.
    var drops: UInt32 = 0
}

/// What kind of HCI packet it is, by the number of the UART transport.
enum HCIPacketType: UInt8 {
    case command = 1
    case asynchronousData = 2
    case synchronousData = 3
    case event = 4
    case isochronousData = 5
}

/// What a framing found at the beginning of some bytes.
enum Frame {
    /// A whole record is not there yet.
    case incomplete
    /// Bytes that hold no packet, and may be longer than what is there.
    case passed(UInt64)
    /// A packet, the place of its bytes, and where the record ends.
    case packet(Packet, Range<Int>, end: Int)

    /// The longest packet that is believed: what libpcap captures at most.
    static let limit = 262_144
}
