import DBus

extension Daemon {
    /// `StartNotify`: each client has a subscription of its own, which outlives the link.
    func startNotify(
        _ characteristic: Characteristic, of device: Device, for caller: ReplyAddress
    ) -> Answer {
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
        return answer(caller, by: device, afterMilliseconds: timing.startNotify) { [self] in
            characteristic.starting.removeAll { $0 == client }
            subscribe(client, to: characteristic)
            let early = device.strap.faults.earlyValues
            device.strap.faults.earlyValues = []
            early.forEach { notify(device, characteristic.uuid, $0) }
            onChange()
            return .done
        }
    }

    private func subscribe(_ client: String, to characteristic: Characteristic) {
        characteristic.subscribers.append(client)
        if characteristic.subscribers.count == 1 { changed(characteristic.object, "Notifying") }
    }

    /// `StopNotify`.
    func stopNotify(_ characteristic: Characteristic, for client: String) -> Answer {
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

    /// `AcquireNotify` needs to pass a descriptor, which this does not; it refuses as BlueZ would,
    /// and otherwise says that it cannot.
    func refuseAcquire(_ characteristic: Characteristic, of device: Device) -> Answer {
        guard device.isConnected else { return .failed("Not connected") }
        return characteristic.subscribers.isEmpty ? .notSupported : .inProgress
    }

    /// `ReadValue`: the value is also signalled.
    func read(
        _ characteristic: Characteristic, of device: Device, for caller: ReplyAddress
    ) -> Answer {
        guard device.isConnected else { return .failed("Not connected") }
        guard characteristic.flags.contains("read") else {
            return .notPermitted("Read not permitted")
        }
        return answer(caller, by: device, afterMilliseconds: timing.read) { [self] in
            let value = device.value(of: characteristic.uuid)
            characteristic.value = value
            changed(characteristic.object, "Value")
            return .values([.byteArray(value)])
        }
    }

    /// The strap sends a value: one signal for each subscriber, equal values or not.
    func notify(_ device: Device, _ uuid: GattUUID, _ value: [UInt8]) {
        device.strap.setValue(value, of: uuid)
        var signalCount = 0
        if device.isLive, let characteristic = device.characteristic(uuid) {
            signalCount = characteristic.subscribers.count * device.strap.faults.copies
            for _ in 0..<signalCount {
                characteristic.value = value
                changed(characteristic.object, "Value")
            }
        }
        if device.hasBattery, uuid == .batteryLevel {
            // bluetoothd subscribes to the battery's level by itself.
            changed(BusObject(path: device.path, interfaces: [device.battery]), "Percentage")
        }
        report(
            .sent(
                Report.Sent(
                    bootMilliseconds: connection.now().bootMilliseconds,
                    address: device.strap.address, characteristic: uuid, value: value,
                    signalCount: signalCount)))
    }

    /// A client has left the bus: its scan and its subscriptions end, links stay.
    func clientLeft(_ client: String) {
        adapter.filters[client] = nil
        if adapter.scans.removeValue(forKey: client) != nil, adapter.scans.isEmpty { endScan() }
        for device in devices {
            for characteristic in device.characteristics {
                _ = unsubscribe(client, from: characteristic)
                characteristic.starting.removeAll { $0 == client }
            }
        }
        onChange()
    }
}
