import DBus

extension Daemon {
    /// `Connect`: waits for the strap if it is not there.
    func connect(_ device: Device, for caller: ReplyAddress) -> MethodReply {
        guard device.adapter.isPowered else { return .failed("Input/output error") }
        guard !device.isConnected else { return .done }
        guard device.connecting == nil else { return .failed("Operation already in progress") }
        keep(device)
        let limit = connection.after(milliseconds: timing.connectLimit) { [self] _ in
            endConnecting(device, with: .connectionAborted)
            forgetLater(device)
        }
        device.connecting = Device.Connecting(caller: caller, limit: limit)
        attemptConnect(device)
        return .later
    }

    /// Makes the link in a moment, if somebody waits for it and the strap is willing.
    func attemptConnect(_ device: Device) {
        guard let connecting = device.connecting, connecting.attempt == nil,
            device.peripheral.isHeard, !device.strap.faults.isDeaf
        else { return }
        let delay = device.adapter.scans.isEmpty ? timing.connect : timing.connectWhileScanning
        device.connecting?.attempt = connection.after(milliseconds: delay) { [self] _ in
            device.connecting?.attempt = nil
            // Another adapter may have been quicker.
            if device.peripheral.isHeard { makeLink(device) }
        }
    }

    /// Answers a waiting `Connect`, if there is one.
    func endConnecting(_ device: Device, with answer: MethodReply) {
        guard let connecting = device.connecting else { return }
        device.connecting = nil
        connection.cancel(connecting.limit)
        if let attempt = connecting.attempt { connection.cancel(attempt) }
        send(answer, to: connecting.caller)
    }

    private func makeLink(_ device: Device) {
        device.peripheral.isLinked = true
        device.isConnected = true
        changed(device.object, "Connected")
        guard device.strap.faults.brokenLinks == 0 else {
            device.strap.faults.brokenLinks -= 1
            endConnecting(device, with: .connectionAborted)
            return loseLink(device)
        }
        device.isStored = true
        endConnecting(device, with: .done)
        defer { onChange() }
        // The search for services is a request like any other.
        guard !device.strap.isMute else { return giveUp(device) }
        discover(device)
    }

    /// What comes in the first moments of a link.
    private func discover(_ device: Device) {
        after(timing.subscribeAgain, device) { [self] in
            device.isLive = true
            onChange()
        }
        let faults = device.strap.faults
        let resolve = timing.resolve + faults.servicesDelayMilliseconds
        let objects = resolve + (faults.objectsDelayMilliseconds ?? 0)
        if faults.objectsDelayMilliseconds == nil {
            after(resolve, device) { [self] in addServiceObjects(device) }
        }
        after(resolve, device) { [self] in
            device.isResolved = true
            changed(device.object, "UUIDs", "ServicesResolved")
        }
        if faults.objectsDelayMilliseconds != nil {
            after(objects, device) { [self] in addServiceObjects(device) }
        }
        after(objects + timing.battery, device) { [self] in addBattery(device) }
    }

    /// Does something in a while, unless the link breaks before.
    func after(
        _ milliseconds: UInt64, _ device: Device, _ action: @escaping () -> Void
    ) {
        device.linkTimers.append(connection.after(milliseconds: milliseconds) { _ in action() })
    }

    private func addServiceObjects(_ device: Device) {
        guard !device.hasServiceObjects else { return }
        device.hasServiceObjects = true
        device.serviceObjects.forEach { added($0) }
    }

    private func addBattery(_ device: Device) {
        guard device.characteristic(.batteryLevel) != nil else { return }
        device.hasBattery = true
        added(device.object, [device.battery])
    }

    // MARK: - The end

    /// `Disconnect`: takes a while, in which values still come.
    func disconnect(_ device: Device, for caller: ReplyAddress) -> MethodReply {
        if device.connecting != nil {
            endConnecting(device, with: .connectionCanceled)
            forgetLater(device)
            return .done
        }
        guard device.isConnected else { return .notConnected }
        device.disconnects.append(caller)
        after(timing.disconnect, device) { [self] in loseLink(device) }
        return .later
    }

    /// The link ends, for whatever reason; the objects of the services stay, and who subscribed.
    func loseLink(_ device: Device, _ reason: LossReason = .local) {
        guard device.isConnected else { return }
        let wasResolved = device.isResolved
        let disconnects = device.disconnects
        device.disconnects = []
        endLink(device, with: .unlikelyError)
        if wasResolved {
            changed(device.object, "ServicesResolved", "Connected")
        } else {
            changed(device.object, "Connected")
        }
        if tellsReasons {
            let words = reason.words
            emit(
                Signal(
                    path: device.path, interface: Device.interface, member: "Disconnected",
                    arguments: [.string(words.name), .string(words.message)]))
        }
        disconnects.forEach { send(.done, to: $0) }
        if device.hasBattery {
            device.hasBattery = false
            removed(device.object, [device.battery.name])
        }
        forgetLater(device)
        if device.peripheral.isHeard {
            reportSoon(on: device.adapter)
            // Those who wait on other adapters.
            devices(of: device.peripheral).forEach { attemptConnect($0) }
        }
        onChange()
    }

    /// Sets the link back without a word, and refuses what has no answer yet.
    func endLink(_ device: Device, with answer: MethodReply) {
        if device.isConnected { device.peripheral.isLinked = false }
        device.isConnected = false
        device.isResolved = false
        device.isLive = false
        device.linkTimers.forEach { connection.cancel($0) }
        device.linkTimers = []
        device.disconnects.forEach { send(answer, to: $0) }
        device.disconnects = []
        let calls = device.calls
        device.calls = []
        for (caller, timer) in calls {
            connection.cancel(timer)
            send(answer, to: caller)
        }
        device.characteristics.forEach { $0.starting = [] }
        endPairing(device)
    }
}
