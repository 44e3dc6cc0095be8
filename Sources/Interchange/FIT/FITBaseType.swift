/// How the numbers of a field are stored: the base types of the FIT protocol.
enum FITBaseType: UInt8, CaseIterable {
    case enumeration = 0x00
    case sint8 = 0x01
    case uint8 = 0x02
    case sint16 = 0x83
    case uint16 = 0x84
    case sint32 = 0x85
    case uint32 = 0x86
    case string = 0x07
    case float32 = 0x88
    case float64 = 0x89
    case uint8z = 0x0A
    case uint16z = 0x8B
    case uint32z = 0x8C
    case byte = 0x0D
    case sint64 = 0x8E
    case uint64 = 0x8F
    case uint64z = 0x90

    /// The type of a definition; bit 7 says only that it has a byte order.
    init?(definition code: UInt8) {
        guard let type = Self.allCases.first(where: { $0.rawValue & 0x1F == code & 0x1F }) else {
            return nil
        }
        self = type
    }

    /// How many bytes a number takes.
    var size: Int {
        switch self {
        case .enumeration, .sint8, .uint8, .string, .uint8z, .byte: 1
        case .sint16, .uint16, .uint16z: 2
        case .sint32, .uint32, .float32, .uint32z: 4
        case .float64, .sint64, .uint64, .uint64z: 8
        }
    }

    private var isSigned: Bool {
        switch self {
        case .sint8, .sint16, .sint32, .sint64: true
        default: false
        }
    }

    /// The bits of a number that stands for none.
    var none: UInt64 {
        switch self {
        case .string, .uint8z, .uint16z, .uint32z, .uint64z: 0
        default: UInt64.max >> UInt64(64 - 8 * size + (isSigned ? 1 : 0))
        }
    }

    /// The nearest number that the type can say.
    func clamp(_ number: Int64) -> Int64 {
        let greatest = Int64(clamping: none == 0 ? UInt64.max >> UInt64(64 - 8 * size) : none - 1)
        return min(max(number, isSigned ? -greatest - 2 : none == 0 ? 1 : 0), greatest)
    }

    /// What numbers are read within: a thousand times as much is still a number.
    private static let readable: ClosedRange<Int64> = -1 << 53...1 << 53

    /// A number out of its bits; nil if it is none, or a fraction, or not ``readable``.
    func number(_ bits: UInt64) -> Int64? {
        guard bits != none, self != .float32, self != .float64 else { return nil }
        let unused = UInt64(64 - 8 * size)
        let number = Int64(bitPattern: bits << unused)
        let value = isSigned ? number >> unused : Int64(clamping: bits)
        return Self.readable.contains(value) ? value : nil
    }
}

/// The checksum of FIT: CRC-16 with the polynomial 0x8005, bits reversed, from 0.
///
/// Over bytes with their own checksum after them, the lower byte first, it is 0.
struct FITChecksum {
    private(set) var value: UInt16 = 0
    private let table = Self.table

    private static let table: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xA001 : 0) }
    }

    mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ bytes[index])]
        }
    }
}

/// The numbers of FIT's messages that tell of walks.
enum FITMessageNumber {
    static let fileID: UInt16 = 0
    static let sport: UInt16 = 12
    static let session: UInt16 = 18
    static let lap: UInt16 = 19
    static let record: UInt16 = 20
    static let event: UInt16 = 21
    static let deviceInfo: UInt16 = 23
    static let activity: UInt16 = 34
    static let monitoring: UInt16 = 55
    static let hrv: UInt16 = 78
    static let monitoringInfo: UInt16 = 103
    static let heartRate: UInt16 = 132
    static let timestampCorrelation: UInt16 = 162
    static let fieldDescription: UInt16 = 206
    static let developerDataID: UInt16 = 207
    /// The field that says when, in each message.
    static let timestamp: FITField = 253
}

/// FIT's time: seconds since 1989-12-31 in UTC.
enum FITTime {
    private static let epoch: Int64 = 631_065_600
    /// Less than the least is the time since a device was switched on, which is no date.
    private static let dates: ClosedRange<Int64> = 0x1000_0000...0xFFFF_FFFE

    /// The second in which a moment is; before 1989 the first one.
    static func seconds(wallMilliseconds wall: Int64) -> Int64 {
        max(0, wall / 1_000 - epoch)
    }

    /// UTC milliseconds; nil if it is no date.
    static func wallMilliseconds(_ seconds: Int64?) -> Int64? {
        guard let seconds, dates.contains(seconds) else { return nil }
        return milliseconds(seconds)
    }

    /// Milliseconds since 1970 by the device's clock, which may never have been set; nil beyond
    /// what a time can be.
    static func milliseconds(_ seconds: Int64?) -> Int64? {
        guard let seconds, (0...dates.upperBound).contains(seconds) else { return nil }
        return (seconds + epoch) * 1_000
    }

    /// Whether milliseconds by a device's clock are a date.
    static func isDate(_ milliseconds: Int64) -> Bool {
        milliseconds / 1_000 - epoch >= dates.lowerBound
    }
}
