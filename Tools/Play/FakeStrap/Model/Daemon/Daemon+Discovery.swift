import DBus

extension Daemon {
    /// `StartDiscovery`: each client has its own scan and filter, all share the reports.
    mutating func startScan(on adapter: Int, by caller: Caller) -> MethodReply {
        let client = caller.client
        guard adapters[adapter].isPowered else { return .notReady }
        guard adapters[adapter].scans[client] == nil else { return .inProgress }
        let isFirst = adapters[adapter].scans.isEmpty
        adapters[adapter].scans[client] = adapters[adapter].filters[client] ?? DiscoveryFilter()
        answer(caller, .done)
        if isFirst { changed(adapters[adapter].object, "Discovering") }
        reportSoon(on: adapter)
        return .later
    }

    /// `StopDiscovery`.
    mutating func stopScan(on adapter: Int, by client: String) -> MethodReply {
        guard adapters[adapter].isPowered else { return .notReady }
        guard adapters[adapter].scans.removeValue(forKey: client) != nil else {
            return .failed("No discovery started")
        }
        if adapters[adapter].scans.isEmpty { endScan(on: adapter) }
        return .done
    }

    /// Nobody scans any more: what the reports said is no longer so.
    mutating func endScan(on adapter: Int) {
        stopReporting(on: adapter)
        loseStrengths(on: adapter)
        changed(adapters[adapter].object, "Discovering")
    }

    /// Takes back how strong the straps were in a scan that has ended.
    mutating func loseStrengths(on adapter: Int) {
        for device in devices(on: adapter) where devices[device].rssi != nil {
            devices[device].rssi = nil
            changed(object(of: device), "RSSI")
            forgetLater(device)
        }
    }

    /// Reports those who advertise, in a moment and then again and again, if anybody scans.
    mutating func reportSoon(on adapter: Int) {
        guard !adapters[adapter].scans.isEmpty else { return }
        stopReporting(on: adapter)
        after(timing.report, .report(adapter: adapter))
    }

    /// Ends the reports without a word.
    mutating func stopReporting(on adapter: Int) {
        agenda.cancel { $0 == .report(adapter: adapter) }
    }

    mutating func reportAll(on adapter: Int) {
        for device in devices(on: adapter) where isHeard(devices[device].strap) {
            let strap = straps[devices[device].strap]
            guard adapters[adapter].scans.values.contains(where: { $0.fits(strap) }) else {
                continue
            }
            devices[device].rssi = strap.rssi
            if !devices[device].isKnown {
                devices[device].isKnown = true
                added(object(of: device))
            } else if strap.rssi != nil {
                changed(object(of: device), "RSSI")
            }
            forgetLater(device)
        }
        after(timing.reportAgain, .report(adapter: adapter))
    }

    // MARK: - Forgetting

    /// Removes the object after a while without link and report (`TemporaryTimeout`).
    mutating func forgetLater(_ device: Int) {
        keep(device)
        let known = devices[device]
        guard known.isKnown, !known.isPaired, !known.isTrusted, !known.isConnected,
            known.connecting == nil
        else { return }
        after(timing.forget, .forget(device))
    }

    /// Calls off ``forgetLater(_:)``.
    mutating func keep(_ device: Int) {
        agenda.cancel { $0 == .forget(device) }
    }

    /// Removes the object and all below it, children first.
    mutating func forget(_ device: Int) {
        keep(device)
        endConnecting(device, with: .connectionCanceled)
        let all = [object(of: device)] + devices[device].serviceObjects
        for object in all.reversed() { removed(object) }
        devices[device].isKnown = false
        devices[device].isPaired = false
        devices[device].isStored = false
        devices[device].rssi = nil
        dropServiceObjects(device)
    }

    /// Takes the objects of the services away without a word.
    mutating func dropServiceObjects(_ device: Int) {
        devices[device].hasServiceObjects = false
        for index in devices[device].characteristics.indices {
            devices[device].characteristics[index].subscribers = []
            devices[device].characteristics[index].starting = []
            devices[device].characteristics[index].value = nil
        }
    }
}
