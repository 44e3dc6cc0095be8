internal import Events

/// What goes on in a capture: packets in, what devices did out.
struct Traffic<Watcher: Observer> {
    /// Who is told.
    var observer: Watcher
    /// What is known of the attributes of each device.
    var tables: [DeviceID: AttributeTable]
    var connections = CapturedLinks()
    /// How many packets the capture had lost before the last one.
    private var drops: UInt32 = 0
    /// A handle that somebody told us is a characteristic's.
    let assignments: [UInt16: CharacteristicCode]

    /// The attributes of more devices are not remembered.
    private static var tableLimit: Int { 256 }

    /// Makes a traffic without connections.
    ///
    /// - Parameters:
    ///   - observer: Who is told.
    ///   - tables: What is known of attributes before.
    ///   - assignments: Handles whose characteristic is given by hand.
    init(
        _ observer: Watcher, tables: [DeviceID: AttributeTable],
        assignments: [UInt16: CharacteristicCode]
    ) {
        (self.observer, self.tables, self.assignments) = (observer, tables, assignments)
    }

    /// Takes the next packet of the capture.
    mutating func take(_ packet: Packet, _ bytes: Span<UInt8>) {
        observer.packet(at: packet.microseconds)
        if packet.drops > drops {
            observer.dropped(packet.drops - drops)
            // What goes on here may be another message than what began before.
            connections.forgetPieces()
        }
        drops = packet.drops
        if let type = packet.type { return takeHCI(type, bytes, packet) }
        switch packet.carrier {
        case .typed: takeTyped(bytes, packet)
        case .typedWithDirection:
            guard bytes.count >= 4 else { return observer.loss(.malformed) }
            var directed = packet
            directed.direction = bytes[3] & 1 == 0 ? .sent : .received
            takeTyped(bytes.extracting(droppingFirst: 4), directed)
        case .monitor:
            guard bytes.count >= 4 else { return observer.loss(.malformed) }
            guard let opcode = MonitorOpcode(bytes.bigEndian16(at: 2)) else { return }
            var directed = packet
            directed.adapter = bytes.bigEndian16(at: 0)
            directed.direction = opcode.direction
            takeHCI(opcode.type, bytes.extracting(droppingFirst: 4), directed)
        case .air: takeAir(bytes, AirReception(), packet)
        case .airWithHeader: takeAirWithHeader(bytes, packet)
        case .nordic: takeNordic(bytes, packet)
        }
    }

    private mutating func takeTyped(_ bytes: Span<UInt8>, _ packet: Packet) {
        guard bytes.count > 0 else { return observer.loss(.malformed) }
        guard let type = HCIPacketType(rawValue: bytes[0]) else { return }
        takeHCI(type, bytes.extracting(droppingFirst: 1), packet)
    }

    /// Takes a piece of a message.
    ///
    /// - Parameters:
    ///   - piece: What of the message the packet holds.
    ///   - isFirst: Whether the message begins with it.
    ///   - sender: Which end of the connection sent it; nil if the capture does not say.
    ///   - key: The connection, which exists.
    mutating func takePiece(
        _ piece: Span<UInt8>, isFirst: Bool, from sender: Int?, of key: UInt64
    ) {
        let end = sender ?? 1
        var isUnfinished = false
        let outcome = connections.with(key) { connection in
            connection.isSupposed = false
            guard isFirst else { return connection.ends[end].sending.resume(piece) }
            let (outcome, leftUnfinished) = connection.ends[end].sending.begin(piece)
            isUnfinished = leftUnfinished
            return outcome
        }
        if isUnfinished { observer.loss(.fragment) }
        switch outcome {
        case .whole(let place): takeAttribute(piece.extracting(place), from: sender, of: key)
        case .assembled(let message): takeAttribute(message.span, from: sender, of: key)
        case .stray: observer.loss(.fragment)
        case .incomplete, nil: break
        }
    }

    /// Lends the table of a device to `body`.
    mutating func withTable(of device: DeviceID, _ body: (inout AttributeTable) -> Void) {
        guard tables.count < Self.tableLimit || tables[device] != nil else { return }
        body(&tables[device, default: AttributeTable()])
    }
}
