/// Records of btsnoop, version 1; all integers are big-endian.
///
/// Format: Symbian's and BlueZ' btsnoop, after RFC 1761; data links 1001, 1002 and 2001.
struct BtsnoopFraming {
    /// What a file begins with.
    static let signature = "btsnoop\0"
    static let headerBytes = 16
    static let recordHeaderBytes = 24

    /// Microseconds from the year 0, from which records count, to 1970.
    static let epoch: UInt64 = 0x00DC_DDB3_0F2F_8000

    private enum DataLink: UInt32 {
        case bare = 1001
        case typed = 1002
        case monitor = 2001
    }

    private let link: DataLink

    /// Reads a file's header.
    init(header: Span<UInt8>) throws(CaptureError) {
        guard header.begins(with: Self.signature) else {
            throw CaptureError(.unknownFormat, at: 0, "not a btsnoop file.")
        }
        let version = header.bigEndian32(at: 8)
        guard version == 1 else {
            throw CaptureError(
                .unknownFormat, at: 8, "btsnoop version \(version) is not known, only 1 is.")
        }
        let number = header.bigEndian32(at: 12)
        guard let link = DataLink(rawValue: number) else {
            throw CaptureError(
                .otherPackets, at: 12,
                "btsnoop with data link \(number) is not known; 1001, 1002 and 2001 are.")
        }
        self.link = link
    }

    func next(in bytes: Span<UInt8>, at offset: UInt64) throws(CaptureError) -> Frame {
        guard bytes.count >= Self.recordHeaderBytes else { return .incomplete }
        let included = bytes.bigEndian32(at: 4)
        guard included <= Frame.limit else {
            throw CaptureError(.badRecord, at: offset, "a packet of \(included) bytes.")
        }
        let end = Self.recordHeaderBytes + Int(included)
        guard bytes.count >= end else { return .incomplete }
        let flags = bytes.bigEndian32(at: 8)
        var packet = Packet(
            // The difference of any two 64-bit numbers; a time before 1970 is negative.
            microseconds: Int64(bitPattern: bytes.bigEndian64(at: 16) &- Self.epoch),
            carrier: .typed, drops: bytes.bigEndian32(at: 12))
        switch link {
        case .typed: packet.direction = Self.direction(flags)
        case .bare:
            packet.direction = Self.direction(flags)
            let isSignalling = flags & 2 != 0
            packet.type =
                !isSignalling ? .asynchronousData : flags & 1 == 0 ? .command : .event
        case .monitor:
            guard let opcode = MonitorOpcode(UInt16(truncatingIfNeeded: flags)) else {
                return .passed(UInt64(end))
            }
            packet.adapter = UInt16(truncatingIfNeeded: flags >> 16)
            packet.direction = opcode.direction
            packet.type = opcode.type
        }
        return .packet(packet, Self.recordHeaderBytes..<end, end: end)
    }

    private static func direction(_ flags: UInt32) -> Packet.Direction {
        flags & 1 == 0 ? .sent : .received
    }
}

/// Packets of Linux' monitor that carry HCI: `monitor/bt.h` of BlueZ and the kernel's `hci_mon.h`.
struct MonitorOpcode {
    let type: HCIPacketType
    let direction: Packet.Direction

    /// Reads an opcode; nil if there is no HCI packet with it.
    init?(_ number: UInt16) {
        switch number {
        case 2: (type, direction) = (.command, .sent)
        case 3: (type, direction) = (.event, .received)
        case 4: (type, direction) = (.asynchronousData, .sent)
        case 5: (type, direction) = (.asynchronousData, .received)
        default: return nil
        }
    }
}
