/// What a capture says of one packet, besides its bytes.
struct Packet {
    /// Who sent a packet between host and controller.
    enum Direction {
        case sent, received
    }

    /// UTC in microseconds since 1970; nil if the record has no time.
    var microseconds: Int64?
    /// How the bytes are to be read.
    var carrier: LinkType
    /// The type of an HCI packet, given next to it; nil if the bytes say.
    var type: HCIPacketType?
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
