/// Adapters and bluetoothd itself come and go.
extension Daemon {
    /// Whether the first adapter is there and switched on.
    package var isPowered: Bool { adapters[0].isPowered }

    /// Switches an adapter on or off; objects and subscriptions stay.
    mutating func setPower(_ isPowered: Bool, of adapter: Int) {
        let controller = adapters[adapter].controller
        guard controller.isPlugged, controller.isPowered != isPowered else { return }
        if isPowered {
            adapters[adapter].controller.isPowered = true
            return changed(adapters[adapter].object, "Powered")
        }
        for device in devices(on: adapter) {
            loseAttempt(device)
            loseLink(device)
        }
        adapters[adapter].scans = [:]
        stopReporting(on: adapter)
        adapters[adapter].controller.isPowered = false
        changed(adapters[adapter].object, "Powered", "Discovering")
        loseStrengths(on: adapter)
    }

    /// Pulls an adapter out, or plugs it in, switched on.
    mutating func setPlug(_ isPlugged: Bool, of adapter: Int) {
        guard adapters[adapter].controller.isPlugged != isPlugged else { return }
        if isPlugged {
            adapters[adapter].controller.isPlugged = true
            adapters[adapter].controller.isPowered = true
            return announce(adapter)
        }
        for device in devices(on: adapter) { endConnecting(device, with: .connectionAborted) }
        setPower(false, of: adapter)
        for object in objects(of: adapter).reversed() { removed(object) }
        adapters[adapter].controller.isPlugged = false
        adapters[adapter].filters = [:]
        for device in devices(on: adapter) { restart(device) }
    }

    // MARK: - Lives

    /// Kills bluetoothd, so that the bus alone tells it; or starts it again.
    mutating func setRunning(_ isRunning: Bool) {
        guard self.isRunning != isRunning else { return }
        self.isRunning = isRunning
        // From here on nothing is said any more; the bus answers what is open.
        add(.life(isBeginning: isRunning))
        guard !isRunning else { return }
        agents = []
        for adapter in adapters.indices {
            stopReporting(on: adapter)
            adapters[adapter].filters = [:]
            adapters[adapter].scans = [:]
        }
        for device in devices.indices {
            endConnecting(device, with: .connectionAborted)
            endLink(device, with: .unlikelyError)
            restart(device)
        }
    }

    /// Ends bluetoothd as a service manager does: it takes its leave, and then the bus tells it.
    mutating func stop() {
        guard isRunning else { return }
        for adapter in adapters.indices where adapters[adapter].controller.isPlugged {
            let controller = adapters[adapter].controller
            setPlug(false, of: adapter)
            // It is not the adapter that goes.
            adapters[adapter].controller = controller
        }
        setRunning(false)
    }

    /// Says what is there, in a new life that has got the name.
    package mutating func announce() {
        guard isRunning else { return }
        added(Agent.registry)
        for adapter in adapters.indices where adapters[adapter].controller.isPlugged {
            announce(adapter)
        }
    }

    private mutating func announce(_ adapter: Int) {
        for object in objects(of: adapter) { added(object) }
        for device in devices(on: adapter) { forgetLater(device) }
    }

    /// A device after a restart of its adapter: remembered if it ever had a link, without services.
    private mutating func restart(_ device: Int) {
        keep(device)
        devices[device].isKnown = devices[device].isStored
        devices[device].rssi = nil
        devices[device].hasBattery = false
        dropServiceObjects(device)
    }
}
