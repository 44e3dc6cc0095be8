internal import Events

/// The Attribute Protocol: Bluetooth Core 5.4, volume 3, part F, 3.4.
extension Traffic {
    /// Takes a message.
    ///
    /// - Parameters:
    ///   - message: The whole message, from its opcode on.
    ///   - sender: Which end of the connection sent it; nil if the capture does not say.
    ///   - key: The connection.
    mutating func takeAttribute(
        _ message: Span<UInt8>, from sender: Int?, of key: UInt64
    ) {
        guard !message.isEmpty else { return observer.loss(.malformed) }
        let parameters = message.extracting(droppingFirst: 1)
        // Where the capture does not say who spoke, the peripheral, or the other one, answers.
        switch message[0] {
        case 0x06, 0x08, 0x0A, 0x10, 0x12, 0x52, 0x04, 0x0C:
            takeRequest(message[0], parameters, to: sender.map { 1 - $0 } ?? 1, of: key)
        case 0x01, 0x05, 0x07, 0x09, 0x0B, 0x11:
            takeResponse(message[0], parameters, from: sender ?? 1, of: key)
        case 0x1B, 0x1D:  // 3.4.7.1 and .2: a handle and its value
            guard parameters.count >= 2 else { return observer.loss(.malformed) }
            takeValue(
                parameters.littleEndian16(at: 0), parameters.extracting(droppingFirst: 2),
                isNotified: true,
                from: sender ?? 1, of: key)
        case 0x23: takeSeveralValues(parameters, from: sender ?? 1, of: key)
        default: break
        }
    }

    // MARK: - Requests

    private mutating func takeRequest(
        _ opcode: UInt8, _ parameters: Span<UInt8>, to server: Int, of key: UInt64
    ) {
        var question: CapturedLink.Question?
        switch opcode {
        case 0x06 where parameters.count > 6:  // 3.4.3.3, Find By Type Value
            if AttributeType(uuid: parameters.extracting(4..<6)) == .primaryService {
                question = .findService(
                    AttributeType(uuid: parameters.extracting(droppingFirst: 6)))
            }
        case 0x08 where parameters.count > 4:  // 3.4.4.1, Read By Type
            question = .readByType(AttributeType(uuid: parameters.extracting(droppingFirst: 4)))
        case 0x0A where parameters.count >= 2:  // 3.4.4.3, Read
            question = .read(parameters.littleEndian16(at: 0))
        case 0x10 where parameters.count > 4:  // 3.4.4.9, Read By Group Type
            if AttributeType(uuid: parameters.extracting(droppingFirst: 4)) == .primaryService {
                question = .readServices
            }
        case 0x12, 0x52:  // 3.4.5.1 and .3, Write
            return takeWrite(parameters, to: server, of: key)
        default: break
        }
        _ = connections.with(key) { $0.ends[server].question = question }
    }

    /// What is written to a client configuration descriptor switches notifications on: volume 3,
    /// part G, 3.3.3.3.
    private mutating func takeWrite(
        _ parameters: Span<UInt8>, to server: Int, of key: UInt64
    ) {
        guard parameters.count >= 4, parameters[2] & 3 != 0,
            let device = device(server, of: key),
            let code = tables[device]?.characteristic(
                configuredAt: parameters.littleEndian16(at: 0))
        else { return }
        if connections.with(key, { $0.ends[server].isLocal }) == false {
            observer.subscribed(device, code)
        }
    }

    // MARK: - Responses

    private mutating func takeResponse(
        _ opcode: UInt8, _ parameters: Span<UInt8>, from server: Int, of key: UInt64
    ) {
        let question =
            connections.with(key) { connection in
                defer { connection.ends[server].question = nil }
                return connection.ends[server].question
            } ?? nil
        guard let device = device(server, of: key) else { return }
        switch (opcode, question) {
        case (0x05, _): takeInformation(parameters, of: device)
        case (0x07, .findService(let type)): takeFoundServices(type, parameters, of: device)
        case (0x09, .readByType(.characteristicDeclaration)):
            takeDeclarations(parameters, of: device)
        case (0x09, .readByType(.value(let code))):
            takeValuesByType(code, parameters, from: server, of: key, device)
        case (0x0B, .read(let handle)):
            takeValue(handle, parameters, isNotified: false, from: server, of: key)
        case (0x11, .readServices): takeServices(parameters, of: device)
        default: break
        }
    }

    /// 3.4.3.2, Find Information Response: handles and types.
    private mutating func takeInformation(_ parameters: Span<UInt8>, of device: DeviceID) {
        guard let format = parameters.first, format == 1 || format == 2 else { return }
        let entryBytes = format == 1 ? 4 : 18
        forEachEntry(of: parameters.extracting(droppingFirst: 1), bytes: entryBytes, device) {
            table, entry in
            table.declare(
                AttributeType(uuid: entry.extracting(droppingFirst: 2)),
                at: entry.littleEndian16(at: 0))
        }
    }

    /// 3.4.3.4, Find By Type Value Response: where the services of a type begin and end.
    private mutating func takeFoundServices(
        _ type: AttributeType, _ parameters: Span<UInt8>, of device: DeviceID
    ) {
        forEachEntry(of: parameters, bytes: 4, device) { table, entry in
            table.declare(type, from: entry.littleEndian16(at: 0), to: entry.littleEndian16(at: 2))
        }
    }

    /// 3.4.4.10, Read By Group Type Response: beginning, end, UUID.
    private mutating func takeServices(_ parameters: Span<UInt8>, of device: DeviceID) {
        guard let length = parameters.first, length >= 6 else { return }
        forEachEntry(of: parameters.extracting(droppingFirst: 1), bytes: Int(length), device) {
            table, entry in
            table.declare(
                AttributeType(uuid: entry.extracting(droppingFirst: 4)),
                from: entry.littleEndian16(at: 0),
                to: entry.littleEndian16(at: 2))
        }
    }

    /// 3.4.4.2 with volume 3, part G, 3.3.1: properties, the value's handle, UUID.
    private mutating func takeDeclarations(_ parameters: Span<UInt8>, of device: DeviceID) {
        guard let length = parameters.first, length >= 7 else { return }
        forEachEntry(of: parameters.extracting(droppingFirst: 1), bytes: Int(length), device) {
            table, entry in
            table.declare(.characteristicDeclaration, at: entry.littleEndian16(at: 0))
            table.declare(
                AttributeType(uuid: entry.extracting(droppingFirst: 5)),
                at: entry.littleEndian16(at: 3))
        }
    }

    /// 3.4.4.2, of a characteristic's own type: handles and values.
    private mutating func takeValuesByType(
        _ code: CharacteristicCode, _ parameters: Span<UInt8>, from server: Int, of key: UInt64,
        _ device: DeviceID
    ) {
        guard let length = parameters.first, length >= 2 else { return }
        let entries = parameters.extracting(droppingFirst: 1)
        var offset = 0
        while offset + Int(length) <= entries.count {
            let entry = entries.extracting(offset..<offset + Int(length))
            let handle = entry.littleEndian16(at: 0)
            withTable(of: device) { $0.declare(.value(code), at: handle) }
            takeValue(
                handle, entry.extracting(droppingFirst: 2), isNotified: false, from: server, of: key
            )
            offset += Int(length)
        }
    }

    /// Lends each entry of a list to `body`, with the device's table; a part of one at the end is
    /// none.
    private mutating func forEachEntry(
        of list: Span<UInt8>, bytes: Int, _ device: DeviceID,
        _ body: (inout AttributeTable, Span<UInt8>) -> Void
    ) {
        withTable(of: device) { table in
            var offset = 0
            while offset + bytes <= list.count {
                body(&table, list.extracting(offset..<offset + bytes))
                offset += bytes
            }
        }
    }

    // MARK: - Values

    /// 3.4.7.4, Multiple Handle Value Notification: handle, length, value, and again.
    private mutating func takeSeveralValues(
        _ parameters: Span<UInt8>, from server: Int, of key: UInt64
    ) {
        var offset = 0
        while offset + 4 <= parameters.count {
            let start = offset + 4
            let end = start + Int(parameters.littleEndian16(at: offset + 2))
            guard end <= parameters.count else { return observer.loss(.malformed) }
            takeValue(
                parameters.littleEndian16(at: offset), parameters.extracting(start..<end),
                isNotified: true, from: server, of: key)
            offset = end
        }
    }

    private mutating func takeValue(
        _ handle: UInt16, _ bytes: Span<UInt8>, isNotified: Bool, from server: Int, of key: UInt64
    ) {
        guard let end = connections.with(key, { ($0.ends[server].device, $0.ends[server].isLocal) })
        else { return }
        let code =
            (assignments.isEmpty ? nil : assignments[handle])
            ?? tables[end.0]?.characteristic(at: handle, isNotified: isNotified)
        guard code != nil || !isForeign(handle, of: end.0) else { return }
        observer.value(
            ObservedValue(
                device: end.0, handle: handle, characteristic: code, isNotified: isNotified,
                isSent: end.1),
            bytes)
    }

    /// Whether a handle is known to be of what is not read here, and no person says otherwise.
    func isForeign(_ handle: UInt16, of device: DeviceID) -> Bool {
        assignments[handle] == nil && tables[device]?.isForeign(handle) == true
    }

    private mutating func device(_ end: Int, of key: UInt64) -> DeviceID? {
        connections.with(key) { $0.ends[end].device }
    }
}

extension Span<UInt8> {
    fileprivate var first: UInt8? { isEmpty ? nil : self[0] }
}

extension AttributeTable {
    /// Takes note of a service, if it is a known one and its handles are in order.
    fileprivate mutating func declare(_ type: AttributeType, from first: UInt16, to last: UInt16) {
        if first <= last { declare(type, over: first...last) }
    }
}
