internal import Events

/// Packets between host and controller: Bluetooth Core 5.4, volume 4, part E.
extension Traffic {
    mutating func takeHCI(_ type: HCIPacketType, _ bytes: Span<UInt8>, _ packet: Packet) {
        switch type {
        case .event: takeEvent(bytes, packet)
        case .asynchronousData: takeData(bytes, packet)
        case .command, .synchronousData, .isochronousData: break
        }
    }

    // MARK: - Events

    /// 7.7: a code, the length of the parameters, and they.
    private mutating func takeEvent(_ bytes: Span<UInt8>, _ packet: Packet) {
        guard bytes.count >= 2, bytes.count >= 2 + Int(bytes[1]) else {
            return observer.loss(.malformed)
        }
        let parameters = bytes.extracting(2..<2 + Int(bytes[1]))
        switch bytes[0] {
        case 0x03:  // 7.7.3, Connection Complete
            guard parameters.count >= 9 else { return observer.loss(.malformed) }
            guard parameters[0] == 0 else { return }
            begin(
                parameters.littleEndian16(at: 1), packet.adapter,
                DeviceID(address: parameters.address(at: 3), space: .public))
        case 0x05:  // 7.7.5, Disconnection Complete
            guard parameters.count >= 4 else { return observer.loss(.malformed) }
            guard parameters[0] == 0 else { return }
            let key = Self.key(parameters.littleEndian16(at: 1), packet.adapter)
            guard let ended = connections.end(key) else { return }
            observer.linkLost(ended.ends[1].device, reason: parameters[3])
        case 0x3E where parameters.count > 0: takeLowEnergyEvent(parameters, packet)
        default: break
        }
    }

    /// 7.7.65: the event's own code comes first.
    private mutating func takeLowEnergyEvent(_ parameters: Span<UInt8>, _ packet: Packet) {
        switch parameters[0] {
        case 0x01, 0x0A, 0x29:  // 7.7.65.1 and .10, (Enhanced) Connection Complete
            guard parameters.count >= 12 else { return observer.loss(.malformed) }
            guard parameters[1] == 0 else { return }
            // 0 and 2 are public, 1 and 3 random.
            let isPublic = parameters[5] & 1 == 0
            begin(
                parameters.littleEndian16(at: 2), packet.adapter,
                DeviceID(address: parameters.address(at: 6), space: isPublic ? .public : .random))
        default: break
        }
    }

    private mutating func begin(_ handle: UInt16, _ adapter: UInt16, _ peer: DeviceID) {
        let key = Self.key(handle, adapter)
        // A handle is given again only when its link has ended: that was not captured.
        if let ended = connections.end(key) {
            observer.linkLost(ended.ends[1].device, reason: nil)
        }
        connections.begin(key, Self.connection(key, with: peer))
        observer.linkUp(peer)
    }

    // MARK: - Data

    /// 5.4.2: handle and flags, length, data.
    private mutating func takeData(_ bytes: Span<UInt8>, _ packet: Packet) {
        guard bytes.count >= 4 else { return observer.loss(.malformed) }
        let length = Int(bytes.littleEndian16(at: 2))
        guard bytes.count >= 4 + length else { return observer.loss(.malformed) }
        let word = bytes.littleEndian16(at: 0)
        let key = Self.key(word & 0x0FFF, packet.adapter)
        if !connections.contains(key) {
            // It was there before the capture began.
            let peer = DeviceID(address: key, space: .other)
            connections.begin(key, Self.connection(key, with: peer))
        }
        let boundary = word >> 12 & 3
        let sender: Int? =
            switch (packet.direction, boundary) {
            case (.sent, _): 0
            case (.received, _): 1
            // Where the capture does not say: on a link of low energy only the host begins a
            // message with 0, and only the controller with 2.
            case (nil, 0): 0
            case (nil, 2): 1
            case (nil, _): connections.with(key) { $0.onlyUnfinishedEnd } ?? nil
            }
        takePiece(bytes.extracting(4..<4 + length), isFirst: boundary != 1, from: sender, of: key)
    }

    private static func key(_ handle: UInt16, _ adapter: UInt16) -> UInt64 {
        UInt64(adapter) << 16 | UInt64(handle & 0x0FFF)
    }

    private static func connection(_ key: UInt64, with peer: DeviceID) -> CapturedLink {
        let local = DeviceID(address: key >> 16 | 1 << 40, space: .other)
        return CapturedLink(.init(device: local, isLocal: true), .init(device: peer))
    }
}
