import DBus

extension Daemon {
    /// `StartDiscovery`: each client has its own scan and filter, all share the reports.
    func startScan(on adapter: Adapter, by client: String) -> MethodReply {
        guard adapter.isPowered else { return .notReady }
        guard adapter.scans[client] == nil else { return .inProgress }
        let isFirst = adapter.scans.isEmpty
        adapter.scans[client] = adapter.filters[client] ?? DiscoveryFilter()
        if isFirst {
            // The reply comes first.
            connection.after(milliseconds: 0) { [self] _ in
                changed(adapter.object, "Discovering")
            }
        }
        reportSoon(on: adapter)
        return .done
    }

    /// `StopDiscovery`.
    func stopScan(on adapter: Adapter, by client: String) -> MethodReply {
        guard adapter.isPowered else { return .notReady }
        guard adapter.scans.removeValue(forKey: client) != nil else {
            return .failed("No discovery started")
        }
        if adapter.scans.isEmpty { endScan(on: adapter) }
        return .done
    }

    /// Nobody scans any more: what the reports said is no longer so.
    func endScan(on adapter: Adapter) {
        stopReporting(on: adapter)
        for device in devices(on: adapter) where device.rssi != nil {
            device.rssi = nil
            changed(device.object, "RSSI")
            forgetLater(device)
        }
        changed(adapter.object, "Discovering")
    }

    /// Reports those who advertise, in a moment and then again and again, if anybody scans.
    func reportSoon(on adapter: Adapter) {
        guard !adapter.scans.isEmpty else { return }
        stopReporting(on: adapter)
        adapter.reporting = connection.after(milliseconds: timing.report) { [self] _ in
            reportAll(on: adapter)
        }
    }

    /// Ends the reports without a word.
    func stopReporting(on adapter: Adapter) {
        if let reporting = adapter.reporting { connection.cancel(reporting) }
        adapter.reporting = nil
    }

    private func reportAll(on adapter: Adapter) {
        for device in devices(on: adapter) where device.peripheral.isHeard {
            guard adapter.scans.values.contains(where: { $0.fits(device.strap) }) else { continue }
            device.rssi = device.strap.rssi
            if !device.isKnown {
                device.isKnown = true
                added(device.object)
            } else if device.rssi != nil {
                changed(device.object, "RSSI")
            }
            forgetLater(device)
        }
        adapter.reporting = connection.after(milliseconds: timing.reportAgain) { [self] _ in
            reportAll(on: adapter)
        }
    }

    // MARK: - Forgetting

    /// Removes the object after a while without link and report (`TemporaryTimeout`).
    func forgetLater(_ device: Device) {
        keep(device)
        let isTemporary = device.isKnown && !device.isPaired && !device.isTrusted
        guard isTemporary, !device.isConnected, device.connecting == nil else { return }
        device.forgetting = connection.after(milliseconds: timing.forget) { [self] _ in
            // A device is not forgotten while the adapter is off.
            device.adapter.isPowered ? forget(device) : forgetLater(device)
        }
    }

    /// Calls off ``forgetLater(_:)``.
    func keep(_ device: Device) {
        if let timer = device.forgetting { connection.cancel(timer) }
        device.forgetting = nil
    }

    /// Removes the object and all below it, children first.
    func forget(_ device: Device) {
        keep(device)
        endConnecting(device, with: .connectionCanceled)
        for object in ([device.object] + device.serviceObjects).reversed() { removed(object) }
        device.isKnown = false
        device.isPaired = false
        device.isStored = false
        device.rssi = nil
        dropServiceObjects(device)
    }

    /// Takes the objects of the services away without a word.
    func dropServiceObjects(_ device: Device) {
        device.hasServiceObjects = false
        for characteristic in device.characteristics {
            characteristic.forgetClients()
            characteristic.value = nil
        }
    }
}
