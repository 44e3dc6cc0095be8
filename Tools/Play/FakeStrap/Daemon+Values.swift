import DBus

extension Daemon {
    /// `StartNotify`: each client has a subscription of its own, which outlives the link.
    func startNotify(
        _ characteristic: Characteristic, of device: Device, for caller: ReplyAddress
    ) -> MethodReply {
        let client = caller.sender
        guard characteristic.canNotify else { return .notSupported }
        if characteristic.subscribers.contains(client) {
            return device.isConnected ? .done : .inProgress
        }
        guard !characteristic.starting.contains(client) else { return .inProgress }
        guard device.isConnected else {
            // It takes effect with the next link.
            subscribe(client, to: characteristic)
            return .done
        }
        characteristic.starting.append(client)
        let request = StrapRequest(
            caller: caller, milliseconds: timing.startNotify,
            error: { device.strap.errors.subscriptions[characteristic.uuid] }
        ) { [self] code in
            // It may have left the bus meanwhile, or the pairing it waited for has ended.
            guard characteristic.starting.contains(client) else { return .inProgress }
            characteristic.starting.removeAll { $0 == client }
            if let code { return .attributeError(code) }
            subscribe(client, to: characteristic)
            sendEarlyValues(of: device, characteristic)
            onChange()
            return .done
        }
        return ask(device, request)
    }

    private func subscribe(_ client: String, to characteristic: Characteristic) {
        characteristic.subscribers.append(client)
        if characteristic.subscribers.count == 1 { changed(characteristic.object, "Notifying") }
    }

    /// Some straps send values before they have answered the subscription (bleak 374).
    private func sendEarlyValues(of device: Device, _ characteristic: Characteristic) {
        let early = device.strap.faults.earlyValues
        device.strap.faults.earlyValues = []
        for value in early { notify(device.peripheral, characteristic.uuid, value) }
    }

    /// `StopNotify`.
    func stopNotify(
        _ characteristic: Characteristic, of device: Device, for client: String
    ) -> MethodReply {
        guard unsubscribe(client, from: characteristic) else {
            return .failed("No notify session started")
        }
        onChange()
        return .done
    }

    private func unsubscribe(_ client: String, from characteristic: Characteristic) -> Bool {
        guard let index = characteristic.subscribers.firstIndex(of: client) else { return false }
        characteristic.subscribers.remove(at: index)
        if characteristic.subscribers.isEmpty { changed(characteristic.object, "Notifying") }
        return true
    }

    /// `ReadValue`: the value is also signalled.
    func read(
        _ characteristic: Characteristic, of device: Device, for caller: ReplyAddress
    ) -> MethodReply {
        guard device.isConnected else { return .failed("Not connected") }
        guard characteristic.flags.contains("read") else {
            return .notPermitted("Read not permitted")
        }
        let request = StrapRequest(
            caller: caller, milliseconds: timing.read,
            error: { device.strap.errors.reads[characteristic.uuid] }
        ) { [self] code in
            if let code { return .attributeError(code) }
            let value = device.value(of: characteristic.uuid)
            characteristic.value = value
            changed(characteristic.object, "Value")
            return .values([.byteArray(value)])
        }
        return ask(device, request)
    }

    /// A value comes in over a link: one signal for each subscriber, equal values or not.
    ///
    /// Returns how often it was passed on.
    func deliver(_ value: [UInt8], of uuid: GattUUID, to device: Device) -> Int {
        guard device.isLive, !device.strap.isMute,
            let characteristic = device.characteristic(uuid)
        else { return 0 }
        let signalCount = characteristic.subscribers.count * device.strap.faults.copies
        for _ in 0..<signalCount {
            characteristic.value = value
            changed(characteristic.object, "Value")
        }
        if device.hasBattery, uuid == .batteryLevel {
            // bluetoothd subscribes to the battery's level by itself.
            changed(BusObject(path: device.path, interfaces: [device.battery]), "Percentage")
        }
        return signalCount
    }

    /// A client has left the bus: its scans and its subscriptions end, links stay.
    func clientLeft(_ client: String) {
        for adapter in adapters {
            adapter.filters[client] = nil
            if adapter.scans.removeValue(forKey: client) != nil, adapter.scans.isEmpty {
                endScan(on: adapter)
            }
        }
        agents.removeAll { $0.client == client }
        for characteristic in devices.flatMap(\.characteristics) {
            _ = unsubscribe(client, from: characteristic)
            characteristic.starting.removeAll { $0 == client }
        }
        onChange()
    }
}
