import DBus

extension Daemon {
    /// `StartDiscovery`: each client has its own scan and filter, all share the reports.
    func startScan(by client: String) -> Answer {
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
        reportSoon()
        return .done
    }

    /// `StopDiscovery`.
    func stopScan(by client: String) -> Answer {
        guard adapter.isPowered else { return .notReady }
        guard adapter.scans.removeValue(forKey: client) != nil else {
            return .failed("No discovery started")
        }
        if adapter.scans.isEmpty { endScan() }
        return .done
    }

    /// Nobody scans any more: what the reports said is no longer so.
    func endScan() {
        if let reporting { connection.cancel(reporting) }
        reporting = nil
        for device in devices where device.rssi != nil {
            device.rssi = nil
            changed(device.object, "RSSI")
            forgetLater(device)
        }
        changed(adapter.object, "Discovering")
    }

    /// Reports those who advertise, in a moment and then again and again, if anybody scans.
    func reportSoon() {
        guard !adapter.scans.isEmpty else { return }
        if let reporting { connection.cancel(reporting) }
        reporting = connection.after(milliseconds: timing.report) { [self] _ in
            reportAll()
        }
    }

    private func reportAll() {
        for device in devices where device.strap.isAdvertising && !device.isConnected {
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
        reporting = connection.after(milliseconds: timing.reportAgain) { [self] _ in
            reportAll()
        }
    }

    // MARK: - Forgetting

    /// Removes the object after a while without link and report (`TemporaryTimeout`).
    func forgetLater(_ device: Device) {
        keep(device)
        guard device.isKnown, !device.isConnected, device.connecting == nil else { return }
        device.forgetting = connection.after(milliseconds: timing.forget) { [self] _ in
            // A device is not forgotten while the adapter is off.
            adapter.isPowered ? forget(device) : forgetLater(device)
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
        for object in (([device.object] + device.serviceObjects).reversed()) {
            removed(object)
        }
        device.isKnown = false
        device.isStored = false
        device.rssi = nil
        dropServiceObjects(device)
    }

    /// Takes the objects of the services away without a word.
    func dropServiceObjects(_ device: Device) {
        device.hasServiceObjects = false
        for characteristic in device.characteristics {
            characteristic.subscribers = []
            characteristic.starting = []
            characteristic.value = nil
        }
    }
}
