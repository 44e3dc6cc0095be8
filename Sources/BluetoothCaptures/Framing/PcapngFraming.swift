/// Blocks of pcapng: draft-ietf-opsawg-pcapng.
struct PcapngFraming {
    /// The type of a section header, the same in both byte orders.
    static let sectionType: UInt32 = 0x0A0D_0D0A
    private static let byteOrderMagic: UInt32 = 0x1A2B_3C4D
    /// Before and after a block's body: type and length, and the length again.
    private static let frameBytes = 12
    private static let interfaceLimit = 1_024

    private enum BlockType: UInt32 {
        case interface = 1
        case packet = 2
        case simplePacket = 3
        case enhancedPacket = 6
    }

    private struct Interface {
        let linkNumber: UInt16
        let carrier: LinkType?
        var time = TimeScale()
    }

    private var isLittleEndian = true
    private var interfaces: [Interface] = []
    /// The first link type that carries no Bluetooth, and where it was named.
    private var foreign: (number: UInt16, offset: UInt64)?
    private var hasBluetooth = false

    /// Why nothing can come of the file: it was all of other packets.
    var refusal: CaptureError? {
        guard !hasBluetooth, let foreign else { return nil }
        return LinkType.refusal(of: foreign.number, at: foreign.offset)
    }

    mutating func next(in bytes: Span<UInt8>, at offset: UInt64) throws(CaptureError) -> Frame {
        guard bytes.count >= Self.frameBytes else { return .incomplete }
        if bytes.bigEndian32(at: 0) == Self.sectionType {
            let magic = bytes.bigEndian32(at: 8)
            guard magic == Self.byteOrderMagic || magic.byteSwapped == Self.byteOrderMagic else {
                throw CaptureError(.badRecord, at: offset, "a section without its byte order.")
            }
            isLittleEndian = magic != Self.byteOrderMagic
            interfaces = []
        }
        let type = bytes.integer32(at: 0, isLittleEndian: isLittleEndian)
        let length = bytes.integer32(at: 4, isLittleEndian: isLittleEndian)
        guard length >= Self.frameBytes, length % 4 == 0 else {
            throw CaptureError(.badRecord, at: offset, "a block of \(length) bytes.")
        }
        guard let kind = BlockType(rawValue: type) else { return .passed(UInt64(length)) }
        guard length <= Frame.limit + 65_536 else {
            throw CaptureError(.badRecord, at: offset, "a block of \(length) bytes.")
        }
        guard bytes.count >= Int(length) else { return .incomplete }
        let end = Int(length)
        guard bytes.integer32(at: end - 4, isLittleEndian: isLittleEndian) == length else {
            throw CaptureError(.badRecord, at: offset, "a block whose two lengths differ.")
        }
        let block = bytes.extracting(0..<end - 4)
        switch kind {
        case .interface:
            try addInterface(block, at: offset)
            return .passed(UInt64(end))
        case .packet, .enhancedPacket:
            return try timed(block, isEnhanced: kind == .enhancedPacket, end: end, at: offset)
        case .simplePacket:
            return try simple(block, end: end, at: offset)
        }
    }

    // MARK: - Blocks

    private mutating func addInterface(
        _ block: Span<UInt8>, at offset: UInt64
    ) throws(CaptureError) {
        guard block.count >= 16, interfaces.count < Self.interfaceLimit else {
            throw CaptureError(.badRecord, at: offset, "an impossible interface.")
        }
        let number = integer16(block, 8)
        var interface = Interface(
            linkNumber: number, carrier: LinkType(rawValue: number))
        var place = 16
        while let option = nextOption(of: block, &place) {
            let start = option.value.lowerBound
            switch (option.code, option.value.count) {
            case (9, 1...):
                guard interface.time.setResolution(block[start]) else {
                    throw CaptureError(.badRecord, at: offset, "an impossible unit of time.")
                }
            case (14, 8...):
                let low = UInt64(integer32(block, start + (isLittleEndian ? 0 : 4)))
                let high = UInt64(integer32(block, start + (isLittleEndian ? 4 : 0)))
                interface.time.offsetSeconds = Int64(bitPattern: high << 32 | low)
            default: break
            }
        }
        hasBluetooth = hasBluetooth || interface.carrier != nil
        if interface.carrier == nil { foreign = foreign ?? (number, offset) }
        interfaces.append(interface)
    }

    /// An enhanced packet block, or the obsolete packet block before it.
    private func timed(
        _ block: Span<UInt8>, isEnhanced: Bool, end: Int, at offset: UInt64
    ) throws(CaptureError) -> Frame {
        let start = 28
        guard block.count >= start else {
            throw CaptureError(.badRecord, at: offset, "a packet's block of \(end) bytes.")
        }
        let included = integer32(block, 20)
        guard included <= block.count - start else {
            throw CaptureError(.badRecord, at: offset, "a packet of \(included) bytes.")
        }
        let index = isEnhanced ? Int(integer32(block, 8)) : Int(integer16(block, 8))
        guard index < interfaces.count else {
            throw CaptureError(.badRecord, at: offset, "a packet of interface \(index).")
        }
        guard let carrier = interfaces[index].carrier else { return .passed(UInt64(end)) }
        let units = UInt64(integer32(block, 12)) << 32 | UInt64(integer32(block, 16))
        var packet = Packet(
            microseconds: interfaces[index].time.microseconds(units), carrier: carrier,
            adapter: UInt16(index))
        let packetEnd = start + Int(included)
        var place = (packetEnd + 3) & ~3
        while isEnhanced, let option = nextOption(of: block, &place) {
            guard option.code == 2, option.value.count >= 4 else { continue }
            switch integer32(block, option.value.lowerBound) & 3 {
            case 1: packet.direction = .received
            case 2: packet.direction = .sent
            default: break
            }
        }
        return .packet(packet, start..<packetEnd, end: end)
    }

    private func simple(
        _ block: Span<UInt8>, end: Int, at offset: UInt64
    ) throws(CaptureError) -> Frame {
        guard block.count >= 12, let interface = interfaces.first else {
            throw CaptureError(.badRecord, at: offset, "a packet without an interface.")
        }
        guard let carrier = interface.carrier else { return .passed(UInt64(end)) }
        let included = min(Int(integer32(block, 8)), block.count - 12)
        return .packet(Packet(carrier: carrier), 12..<12 + included, end: end)
    }

    // MARK: - Parts

    /// The option at a place in a block, which moves on; nil at their end.
    private func nextOption(
        of block: Span<UInt8>, _ place: inout Int
    ) -> (code: UInt16, value: Range<Int>)? {
        guard place + 4 <= block.count else { return nil }
        let code = integer16(block, place)
        let start = place + 4
        let end = start + Int(integer16(block, place + 2))
        guard code != 0, end <= block.count else { return nil }
        place = (end + 3) & ~3
        return (code, start..<end)
    }

    private func integer16(_ bytes: Span<UInt8>, _ offset: Int) -> UInt16 {
        bytes.integer16(at: offset, isLittleEndian: isLittleEndian)
    }

    private func integer32(_ bytes: Span<UInt8>, _ offset: Int) -> UInt32 {
        bytes.integer32(at: offset, isLittleEndian: isLittleEndian)
    }
}
