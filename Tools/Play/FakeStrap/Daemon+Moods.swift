import DBus

/// Adapters and bluetoothd itself come and go.
extension Daemon {
    /// Switches an adapter on or off; objects and subscriptions stay.
    func setPower(_ isPowered: Bool, of adapter: Adapter) {
        guard adapter.controller.isPlugged, adapter.controller.isPowered != isPowered else {
            return
        }
        if isPowered {
            adapter.controller.isPowered = true
            return changed(adapter.object, "Powered")
        }
        for device in devices(on: adapter) {
            endConnecting(device, with: .connectionAborted)
            loseLink(device)
        }
        adapter.scans = [:]
        stopReporting(on: adapter)
        adapter.controller.isPowered = false
        changed(adapter.object, "Powered", "Discovering")
        for device in devices(on: adapter) where device.rssi != nil {
            device.rssi = nil
            changed(device.object, "RSSI")
        }
    }

    /// Pulls an adapter out, or plugs it in, switched on.
    func setPlug(_ isPlugged: Bool, of adapter: Adapter) {
        guard adapter.controller.isPlugged != isPlugged else { return }
        if isPlugged {
            adapter.controller.isPlugged = true
            adapter.controller.isPowered = true
            return announce(adapter)
        }
        setPower(false, of: adapter)
        objects(of: adapter).reversed().forEach { removed($0) }
        adapter.controller.isPlugged = false
        adapter.filters = [:]
        devices(on: adapter).forEach { restart($0) }
    }

    // MARK: - Lives

    /// Kills bluetoothd, so that the bus alone tells it; or starts it again.
    func setRunning(_ isRunning: Bool) {
        guard self.isRunning != isRunning else { return }
        self.isRunning = isRunning
        guard !isRunning else { return order(.begin) }
        // From here on nothing is said any more; the bus answers what is open.
        if let life { order(.end(life)) }
        life = nil
        agents = []
        questions = [:]
        for adapter in adapters {
            stopReporting(on: adapter)
            adapter.filters = [:]
            adapter.scans = [:]
        }
        for device in devices {
            endConnecting(device, with: .connectionAborted)
            endLink(device, with: .unlikelyError)
            restart(device)
        }
        onChange()
    }

    /// Ends bluetoothd as a service manager does: it takes its leave, and then the bus tells it.
    func stop() {
        guard isRunning else { return }
        for adapter in adapters where adapter.controller.isPlugged {
            let controller = adapter.controller
            setPlug(false, of: adapter)
            // It is not the adapter that goes.
            adapter.controller = controller
        }
        setRunning(false)
    }

    /// Begins a life on a connection; false if it came too late.
    func enter(_ life: Bus) -> Bool {
        guard isRunning, self.life == nil else { return false }
        self.life = life
        return true
    }

    /// Says what is there, in a new life that has got the name.
    func announce(in name: String) {
        guard life?.uniqueName == name else { return }
        added(Agent.registry)
        for adapter in adapters where adapter.controller.isPlugged { announce(adapter) }
        onChange()
    }

    private func announce(_ adapter: Adapter) {
        objects(of: adapter).forEach { added($0) }
        devices(on: adapter).forEach { forgetLater($0) }
    }

    /// A device after a restart of its adapter: remembered if it ever had a link, without services.
    private func restart(_ device: Device) {
        keep(device)
        device.isKnown = device.isStored
        device.rssi = nil
        device.hasBattery = false
        dropServiceObjects(device)
    }
}
