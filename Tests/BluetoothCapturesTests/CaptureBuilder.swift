/// A capture that is being written by hand, packet by packet.
struct CaptureBuilder {
    /// A packet: its time, whether the host received it, and HCI with the type in the first byte.
    struct Packet {
        var microseconds: Int64
        var isReceived: Bool
        var bytes: [UInt8]
        /// How many packets were lost before it.
        var drops: UInt32 = 0
    }

    /// 2026-03-01T09:00:00Z.
    static let morning: Int64 = 1_772_355_600_000_000

    var packets: [Packet] = []
    var microseconds = morning
    var drops: UInt32 = 0

    mutating func add(_ isReceived: Bool, _ bytes: [UInt8]) {
        packets.append(
            Packet(
                microseconds: microseconds, isReceived: isReceived, bytes: bytes, drops: drops))
        microseconds += 1_000_000
    }

    // MARK: - HCI

    /// LE Connection Complete.
    mutating func linkUp(_ address: UInt64 = 0xC4_0000_0000_01, handle: UInt16 = 64) {
        add(
            true,
            [4, 0x3E, 19, 1, 0] + Self.little(handle) + [0, 1]
                + (0..<6).map { UInt8(truncatingIfNeeded: address >> (8 * $0)) }
                + [24, 0, 0, 0, 42, 0, 0])
    }

    /// Disconnection Complete.
    mutating func linkDown(reason: UInt8 = 0x13, handle: UInt16 = 64) {
        add(true, [4, 5, 4, 0] + Self.little(handle) + [reason])
    }

    /// A message of the Attribute Protocol, in pieces of so many bytes.
    mutating func say(
        received isReceived: Bool, _ message: [UInt8], handle: UInt16 = 64, pieceBytes: Int = 251
    ) {
        var rest = (Self.little(UInt16(message.count)) + [4, 0] + message)[...]
        var flags: UInt16 = isReceived ? 0x2000 : 0
        while !rest.isEmpty {
            let piece = rest.prefix(pieceBytes)
            rest = rest.dropFirst(pieceBytes)
            add(
                isReceived,
                [2] + Self.little(handle | flags) + Self.little(UInt16(piece.count)) + piece)
            flags = 0x1000
        }
    }

    /// A notification of the strap.
    mutating func notify(_ attribute: UInt16, _ value: [UInt8], pieceBytes: Int = 251) {
        say(received: true, [0x1B] + Self.little(attribute) + value, pieceBytes: pieceBytes)
    }

    /// Find Information for handle 0x10, a Heart Rate Measurement, and 0x11, its configuration.
    mutating func discover() {
        say(received: false, [0x04, 0x10, 0, 0x11, 0])
        say(received: true, [0x05, 1, 0x10, 0, 0x37, 0x2A, 0x11, 0, 0x02, 0x29])
    }

    /// A link with so many values of one strap.
    static func walk(values: Int) -> CaptureBuilder {
        var capture = CaptureBuilder()
        capture.linkUp()
        capture.discover()
        for index in 0..<values { capture.notify(0x10, [0x10, UInt8(70 + index % 50), 0, 4]) }
        capture.linkDown()
        return capture
    }

    // MARK: - Files

    static func little(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withBytes(number.bigEndian)
    }

    private static func withBytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * Number($0))) }
    }

    /// btsnoop with data link 1002.
    var btsnoop: [UInt8] {
        var file = Array("btsnoop\0".utf8) + Self.big(UInt32(1)) + Self.big(UInt32(1002))
        for packet in packets {
            let count = Self.big(UInt32(packet.bytes.count))
            file += count + count + Self.big(UInt32(packet.isReceived ? 1 : 0))
            file += Self.big(packet.drops)
            file += Self.big(UInt64(bitPattern: packet.microseconds) &+ 0x00DC_DDB3_0F2F_8000)
            file += packet.bytes
        }
        return file
    }

    /// pcap with link type 201, or 187, which does not tell who sent.
    func pcap(
        isLittleEndian: Bool, isNanoseconds: Bool, tellsDirection: Bool = true
    ) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] {
            isLittleEndian ? Self.withBytes(value) : Self.big(value)
        }
        let version: [UInt8] = isLittleEndian ? [2, 0, 4, 0] : [0, 2, 0, 4]
        var file = number(isNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4) + version
        file += number(0) + number(0) + number(65_535) + number(tellsDirection ? 201 : 187)
        for packet in packets {
            let (seconds, rest) = packet.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
            let direction: [UInt8] = tellsDirection ? [0, 0, 0, packet.isReceived ? 1 : 0] : []
            let count = number(UInt32(packet.bytes.count + direction.count))
            file += number(UInt32(seconds)) + number(UInt32(isNanoseconds ? rest * 1_000 : rest))
            file += count + count + direction + packet.bytes
        }
        return file
    }

    /// pcapng with link type 187, a section of so many units a second.
    func pcapng(isLittleEndian: Bool, resolution: UInt8?, unitsPerSecond: UInt64) -> [UInt8] {
        func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
            isLittleEndian ? Self.withBytes(value) : Self.big(value)
        }
        func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
            let padded = body + [UInt8](repeating: 0, count: -body.count & 3)
            let length = number(UInt32(padded.count + 12))
            return number(type) + length + padded + length
        }
        var interface = number(UInt16(187)) + number(UInt16(0)) + number(UInt32(0))
        if let resolution {
            interface += number(UInt16(9)) + number(UInt16(1)) + [resolution, 0, 0, 0]
        }
        var file = block(
            0x0A0D_0D0A,
            number(UInt32(0x1A2B_3C4D)) + number(UInt16(1)) + number(UInt16(0)) + number(Int64(-1)))
        file += block(1, interface)
        for packet in packets {
            let product = UInt64(packet.microseconds).multipliedFullWidth(by: unitsPerSecond)
            let units = UInt64(1_000_000).dividingFullWidth(product).quotient
            let count = number(UInt32(packet.bytes.count))
            let padding = [UInt8](repeating: 0, count: -packet.bytes.count & 3)
            let fixed =
                number(UInt32(0)) + number(UInt32(units >> 32))
                + number(UInt32(truncatingIfNeeded: units)) + count + count
            let direction = number(UInt16(2)) + number(UInt16(4))
            file += block(
                6,
                fixed + packet.bytes + padding + direction
                    + number(UInt32(packet.isReceived ? 1 : 2)) + number(UInt32(0)))
        }
        return file
    }
}
