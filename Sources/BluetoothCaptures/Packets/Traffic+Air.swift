internal import Events

/// What a sniffer says of a packet besides its bytes.
struct AirReception {
    /// Which end sent it, 0 the central and 1 the peripheral; nil if that is not known.
    var sender: Int?
    /// Whether the sniffer had the key, and the bytes are plain.
    var isDecrypted = false
    /// Whether it is known to have come with errors.
    var isDamaged = false
    /// Whether it came on the coded PHY: a coding indicator stands after its access address.
    var isCoded = false
}

/// Packets of the air: Bluetooth Core 5.4, volume 6, part B, 2.
extension Traffic {
    /// Bluetooth Core 5.4, volume 6, part B, 2.1.2.
    private static var advertisingAccessAddress: UInt32 { 0x8E89_BED6 }

    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR, 256.
    mutating func takeAirWithHeader(_ bytes: Span<UInt8>, _ packet: Packet) {
        guard bytes.count >= 10 else { return observer.loss(.malformed) }
        let flags = bytes.littleEndian16(at: 8)
        var reception = AirReception()
        reception.isDecrypted = flags & 0x0008 != 0
        reception.isDamaged = flags & 0x0C00 == 0x0400
        reception.isCoded = flags >> 14 == 2
        switch flags >> 7 & 7 {
        case 2: reception.sender = 0
        case 3: reception.sender = 1
        default: break
        }
        takeAir(bytes.extracting(droppingFirst: 10), reception, packet)
    }

    /// LINKTYPE_NORDIC_BLE, 272: in all its versions the packet begins after 17 bytes, and the
    /// flags stand in the ninth.
    mutating func takeNordic(_ bytes: Span<UInt8>, _ packet: Packet) {
        guard bytes.count >= 17 else { return observer.loss(.malformed) }
        let flags = bytes[8]
        var reception = AirReception()
        reception.isDamaged = flags & 1 == 0
        reception.sender = flags & 2 != 0 ? 0 : 1
        reception.isDecrypted = flags & 0x0C == 0x0C
        reception.isCoded = flags >> 4 & 7 == 2
        takeAir(bytes.extracting(droppingFirst: 17), reception, packet)
    }

    /// An access address, on the coded PHY a coding indicator (2.2.3), two bytes of header, the
    /// payload, and the CRC.
    mutating func takeAir(_ bytes: Span<UInt8>, _ reception: AirReception, _ packet: Packet) {
        guard !reception.isDamaged else { return observer.loss(.checksum) }
        let start = reception.isCoded ? 7 : 6
        guard bytes.count >= start, bytes.count >= start + Int(bytes[start - 1]) else {
            return observer.loss(.malformed)
        }
        let accessAddress = bytes.littleEndian32(at: 0)
        let header = bytes[start - 2]
        let payload = bytes.extracting(start..<start + Int(bytes[start - 1]))
        if accessAddress == Self.advertisingAccessAddress {
            takeAdvertisement(header: header, payload)
        } else {
            takeAirData(header: header, payload, reception, of: UInt64(accessAddress))
        }
    }

    /// 2.3.3.1: CONNECT_IND and AUX_CONNECT_REQ begin a connection.
    private mutating func takeAdvertisement(header: UInt8, _ payload: Span<UInt8>) {
        guard header & 0x0F == 5 else { return }
        guard payload.count >= 34 else { return observer.loss(.malformed) }
        let central = DeviceID(
            address: payload.address(at: 0), space: header & 0x40 == 0 ? .public : .random)
        let peripheral = DeviceID(
            address: payload.address(at: 6), space: header & 0x80 == 0 ? .public : .random)
        let key = UInt64(payload.littleEndian32(at: 12))
        connections.begin(key, CapturedLink(.init(device: central), .init(device: peripheral)))
        observer.linkUp(peripheral)
    }

    private mutating func takeAirData(
        header: UInt8, _ payload: Span<UInt8>, _ reception: AirReception, of key: UInt64
    ) {
        if !connections.contains(key) {
            // It was there before the capture began: its access address tells it apart.
            let peripheral = DeviceID(address: key, space: .other)
            let central = DeviceID(address: key | 1 << 40, space: .other)
            var link = CapturedLink(.init(device: central), .init(device: peripheral))
            link.isSupposed = true
            connections.begin(key, link)
        }
        // An empty packet counts: the one after it has another sequence number.
        let isRepeated = isRepeated(header, payload, reception.sender, key)
        guard !payload.isEmpty, !isRepeated else { return }
        let isEncrypted = connections.with(key) { $0.isEncrypted } ?? false
        guard !isEncrypted || reception.isDecrypted else { return observer.loss(.encrypted) }
        // 2.4: 1 continues a message, 2 begins one, 3 is of the link layer itself.
        switch header & 3 {
        case 1: takePiece(payload, isFirst: false, from: reception.sender, of: key)
        case 2: takePiece(payload, isFirst: true, from: reception.sender, of: key)
        case 3: takeControl(payload, key)
        default: break
        }
    }

    /// 4.5.9: a packet that was not acknowledged comes again, with the same sequence number.
    private mutating func isRepeated(
        _ header: UInt8, _ payload: Span<UInt8>, _ sender: Int?, _ key: UInt64
    ) -> Bool {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in payload.indices { sum = (sum ^ UInt64(payload[index])) &* 0x100_0000_01B3 }
        let mark = AirPacketMark(sequenceNumber: header >> 3 & 1, kind: header & 3, sum: sum)
        return connections.with(key) { connection in
            if let sender {
                let isSame = connection.ends[sender].lastAirPacket == mark
                connection.ends[sender].lastAirPacket = mark
                return isSame
            }
            // Either end may have sent it: the last two packets are remembered.
            let isSame =
                connection.ends[0].lastAirPacket == mark || connection.ends[1].lastAirPacket == mark
            connection.ends[0].lastAirPacket = connection.ends[1].lastAirPacket
            connection.ends[1].lastAirPacket = mark
            return isSame
        } ?? false
    }

    /// 2.4.2: what the link layer itself says.
    private mutating func takeControl(_ payload: Span<UInt8>, _ key: UInt64) {
        switch payload[0] {
        case 0x02:  // LL_TERMINATE_IND
            // A repeated one is of no link: the first has ended it.
            guard payload.count >= 2, let ended = connections.end(key), !ended.isSupposed else {
                return
            }
            observer.linkLost(ended.ends[1].device, reason: payload[1])
        case 0x05:  // LL_START_ENC_REQ
            _ = connections.with(key) { $0.isEncrypted = true }
        default: break
        }
    }
}
