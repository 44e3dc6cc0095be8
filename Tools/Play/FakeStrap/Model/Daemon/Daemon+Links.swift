import BluetoothCentral
import DBus

extension Daemon {
    /// Takes up what the first adapter knows of a strap when the play begins.
    mutating func remember(_ device: Int) {
        let strap = straps[devices[device].strap]
        guard strap.acquaintance != .stranger else { return }
        devices[device].isKnown = true
        devices[device].isStored = true
        devices[device].isTrusted = true
        guard strap.acquaintance == .linked else { return }
        devices[device].isConnected = true
        devices[device].isLive = true
        devices[device].isResolved = true
        devices[device].hasServiceObjects = true
        devices[device].hasBattery = devices[device].index(of: .batteryLevel) != nil
    }

    // MARK: - The begin

    /// `Connect`: waits for the strap if it is not there.
    mutating func connect(_ device: Int, for caller: Caller) -> MethodReply {
        let known = devices[device]
        guard adapters[known.adapter].isPowered else { return .failed("Input/output error") }
        guard !known.isConnected else { return .done }
        guard known.connecting == nil else { return .failed("Operation already in progress") }
        keep(device)
        devices[device].connecting = caller
        devices[device].isAttemptLost = straps[known.strap].faults.isLosingAttempts
        if !devices[device].isAttemptLost { after(timing.connectLimit, .connectLimit(device)) }
        attemptConnect(device)
        return .later
    }

    /// Makes the link in a moment, if somebody waits for it and the strap is willing.
    mutating func attemptConnect(_ device: Int) {
        let known = devices[device]
        guard known.connecting != nil, !known.isAttemptLost, isHeard(known.strap),
            !agenda.contains(.attempt(device)), !straps[known.strap].faults.isDeaf
        else { return }
        let isScanning = !adapters[known.adapter].scans.isEmpty
        after(isScanning ? timing.connectWhileScanning : timing.connect, .attempt(device))
    }

    /// Without power an attempt is lost, which is noticed as late as a strap that does not answer.
    mutating func loseAttempt(_ device: Int) {
        guard devices[device].connecting != nil else { return }
        devices[device].isAttemptLost = true
        agenda.cancel { $0 == .attempt(device) || $0 == .connectLimit(device) }
        after(timing.connectLimit, .connectLimit(device))
    }

    /// Answers a waiting `Connect`, if there is one.
    mutating func endConnecting(_ device: Int, with reply: MethodReply) {
        guard let caller = devices[device].connecting else { return }
        devices[device].connecting = nil
        agenda.cancel { $0 == .attempt(device) || $0 == .connectLimit(device) }
        answer(caller, reply)
    }

    mutating func makeLink(_ device: Int) {
        let strap = devices[device].strap
        devices[device].isConnected = true
        changed(object(of: device), "Connected")
        guard straps[strap].faults.brokenLinks == 0 else {
            straps[strap].faults.brokenLinks -= 1
            endConnecting(device, with: .connectionAborted)
            return after(timing.breakLink, .link(device, .lost))
        }
        devices[device].isStored = true
        endConnecting(device, with: .done)
        if let length = straps[strap].faults.linkMilliseconds {
            after(length, .link(device, .lost))
        }
        // The search for services is a request like any other.
        guard !straps[strap].isMute else {
            return after(timing.answerLimit + timing.giveUp, .link(device, .lost))
        }
        discover(device)
    }

    /// What comes in the first moments of a link.
    private mutating func discover(_ device: Int) {
        after(timing.subscribeAgain, .link(device, .own))
        let faults = straps[devices[device].strap].faults
        let resolve = timing.resolve + faults.servicesDelayMilliseconds
        let objects = resolve + (faults.objectsDelayMilliseconds ?? 0)
        if faults.objectsDelayMilliseconds == nil { after(objects, .link(device, .objects)) }
        after(resolve, .link(device, .resolved))
        if faults.objectsDelayMilliseconds != nil { after(objects, .link(device, .objects)) }
        after(objects + timing.battery, .link(device, .battery))
    }

    mutating func proceed(_ device: Int, _ event: LinkEvent) {
        switch event {
        case .own: devices[device].isLive = true
        case .objects:
            guard !devices[device].hasServiceObjects else { return }
            devices[device].hasServiceObjects = true
            for object in devices[device].serviceObjects { added(object) }
        case .resolved:
            devices[device].isResolved = true
            changed(object(of: device), "UUIDs", "ServicesResolved")
        case .battery:
            guard devices[device].index(of: .batteryLevel) != nil else { return }
            devices[device].hasBattery = true
            added(object(of: device), [Device.battery(of: straps[devices[device].strap])])
        case .paired: finishPairing(device)
        case .lost: loseLink(device)
        }
    }

    // MARK: - The end

    /// `Disconnect`: takes a while, in which values still come.
    mutating func disconnect(_ device: Int, for caller: Caller) -> MethodReply {
        if devices[device].connecting != nil {
            endConnecting(device, with: .connectionCanceled)
            forgetLater(device)
            return .done
        }
        guard devices[device].isConnected else { return .notConnected }
        devices[device].disconnects.append(caller)
        after(timing.disconnect, .link(device, .lost))
        return .later
    }

    /// The link ends, for whatever reason; the objects of the services stay, and who subscribed.
    mutating func loseLink(_ device: Int, _ reason: LossReason = .local) {
        let before = devices[device]
        guard before.isConnected else { return }
        devices[device].disconnects = []
        endLink(device, with: .unlikelyError)
        if before.isResolved {
            changed(object(of: device), "ServicesResolved", "Connected")
        } else {
            changed(object(of: device), "Connected")
        }
        if tellsReasons { add(.signal(reason.signal(of: before.path))) }
        before.disconnects.forEach { answer($0, .done) }
        if before.hasBattery {
            devices[device].hasBattery = false
            removed(object(of: device), [Device.battery(of: straps[before.strap]).name])
        }
        forgetLater(device)
        if isHeard(before.strap) {
            reportSoon(on: before.adapter)
            // Those who wait on other adapters.
            for other in devices(of: before.strap) { attemptConnect(other) }
        }
    }

    /// Sets the link back without a word, and refuses what has no answer yet.
    mutating func endLink(_ device: Int, with reply: MethodReply) {
        devices[device].isConnected = false
        devices[device].isResolved = false
        devices[device].isLive = false
        var waiting = devices[device].disconnects
        devices[device].disconnects = []
        agenda.cancel { event in
            switch event {
            case .link(device, _): return true
            case .answer(let request) where request.device == device:
                waiting.append(request.caller)
                return true
            default: return false
            }
        }
        for caller in waiting { answer(caller, reply) }
        endPairing(device)
        stopStarting(device)
    }

    /// Nobody's `StartNotify` is under way any more.
    mutating func stopStarting(_ device: Int) {
        for index in devices[device].characteristics.indices {
            devices[device].characteristics[index].starting = []
        }
    }
}
