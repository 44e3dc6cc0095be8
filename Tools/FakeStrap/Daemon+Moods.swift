import DBus

/// The adapter and bluetoothd itself come and go.
extension Daemon {
    /// Switches the adapter on or off; objects and subscriptions stay.
    func setPower(_ isPowered: Bool) {
        guard adapter.isPlugged, adapter.isPowered != isPowered else { return }
        if isPowered {
            adapter.isPowered = true
            return changed(adapter.object, "Powered")
        }
        for device in devices {
            endConnecting(device, with: .connectionAborted)
            loseLink(device)
        }
        adapter.scans = [:]
        if let reporting { connection.cancel(reporting) }
        reporting = nil
        adapter.isPowered = false
        changed(adapter.object, "Powered", "Discovering")
        for device in devices where device.rssi != nil {
            device.rssi = nil
            changed(device.object, "RSSI")
        }
    }

    /// Pulls the adapter out, or plugs it in, switched on.
    func setPlug(_ isPlugged: Bool) {
        guard adapter.isPlugged != isPlugged else { return }
        if !isPlugged {
            setPower(false)
            for object in objects.reversed() { removed(object) }
        }
        adapter.isPlugged = isPlugged
        if isPlugged {
            adapter.isPowered = true
            announce()
        } else {
            devices.forEach { restart($0) }
        }
    }

    /// Kills bluetoothd, so that the bus alone tells it; or starts it again.
    func setRunning(_ isRunning: Bool) {
        guard self.isRunning != isRunning else { return }
        if isRunning {
            let name = Value.string(Daemon.busName)
            let call = MethodCall.bus("RequestName", name, .uint32(0))
            connection.send(call) { [self] result, _ in
                if case .failure(let error) = result { report(.problem(error.description)) }
                self.isRunning = true
                announce()
                onChange()
            }
            return
        }
        self.isRunning = false
        if let reporting { connection.cancel(reporting) }
        reporting = nil
        for device in devices {
            endConnecting(device, with: .noReply)
            endLink(device, with: .noReply)
            restart(device)
        }
        adapter.filters = [:]
        adapter.scans = [:]
        connection.send(.releaseName(Daemon.busName)) { [self] result, _ in
            if case .failure(let error) = result { report(.problem(error.description)) }
        }
        onChange()
    }

    /// A device after a restart of its adapter: remembered if it ever had a link, without services.
    private func restart(_ device: Device) {
        keep(device)
        device.isKnown = device.isStored
        device.rssi = nil
        device.hasBattery = false
        dropServiceObjects(device)
    }

    /// Says which objects are there.
    private func announce() {
        objects.forEach { added($0) }
        devices.forEach { forgetLater($0) }
    }
}
