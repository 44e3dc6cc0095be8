internal import Events

extension CentralState {
    /// A failure that takes less is not a strap that is away: pauses grow.
    private static let quickFailureMilliseconds: UInt64 = 5_000
    /// BlueZ needs a moment after an attempt was aborted.
    private static let abortPauseMilliseconds: UInt64 = 250
    private static let settleMilliseconds: UInt64 = 2_000
    /// Another program's attempt lasts 42 s at most, and its success is signalled to us.
    private static let busyPauseMilliseconds: UInt64 = 10_000
    private static let busyLimit = 6
    private static let leavingTries = 3

    // MARK: - Reconciling

    /// Returns whether a link waits for the scan to end before it connects.
    mutating func reconcileLinks() -> Bool {
        var isConnectDue = false
        for address in links.keys.sorted() {
            guard var link = links.removeValue(forKey: address) else { continue }
            let stays = reconcile(address, &link, &isConnectDue)
            if stays { links[address] = link }
        }
        return isConnectDue
    }

    /// Returns false if the link is done with.
    private mutating func reconcile(
        _ address: BluetoothAddress, _ link: inout Link, _ isConnectDue: inout Bool
    ) -> Bool {
        let found = mirror.device(address, on: service.adapter)
        let isConnected = hasPower && found?.device.isConnected ?? false
        if link.isUp && !isConnected { lose(address, &link) }
        tellLoss(address, &link)
        if let found { endUnwanted(address, &link, found.path) }
        guard hasSettled(address, &link, isConnected) else { return true }
        if link.wanted == nil { return leave(&link, found?.path, isConnected) }
        guard isReady, let found, link.disconnectCall == nil else { return true }
        guard isConnected else {
            connect(&link, found, &isConnectDue)
            return true
        }
        if !link.isUp {
            // While our attempt goes on, BlueZ may show a link that fails in the next moment.
            guard link.connectCall == nil || found.device.isResolved else { return true }
            bringUp(address, &link, found.device)
        }
        serve(address, &link, found.path, found.device)
        return true
    }

    /// Waits for `Connected` to become what a call has promised.
    private mutating func hasSettled(
        _ address: BluetoothAddress, _ link: inout Link, _ isConnected: Bool
    ) -> Bool {
        guard let settling = link.settling else { return true }
        if settling.isConnected == isConnected {
            link.settling = nil
            if !isConnected {
                link.notBefore = max(link.notBefore, now + Self.abortPauseMilliseconds)
            }
        } else if isDue(orWakeAt: settling.until) {
            link.settling = nil
            if settling.isConnected {
                let failure = CallFailure(
                    name: "org.bluez.Error.Failed", message: "connected, but there is no link")
                attemptFailed(address, &link, failure, isQuick: true)
            } else {
                // It was not ended after all.
                link.loss = nil
            }
        }
        return link.settling == nil
    }

    private mutating func connect(
        _ link: inout Link, _ found: (path: String, device: BluezMirror.Device),
        _ isConnectDue: inout Bool
    ) {
        if link.isBlocked != found.device.isBlocked {
            link.isBlocked = found.device.isBlocked
            if link.isBlocked {
                attemptFailed(found.device.address, &link, .blocked, isQuick: false, pause: 0)
            }
        }
        guard !link.isBlocked, link.connectCall == nil, isDue(orWakeAt: link.notBefore) else {
            return
        }
        // Beside our own scan a connection takes up to 10 s. But a device that is forgotten as soon
        // as the scan ends can only be connected during it.
        guard discovery.phase == .idle || link.needsScan else {
            isConnectDue = true
            return
        }
        link.attempts += 1
        link.isOurs = true
        report(.connecting(found.device.sighting, attempt: link.attempts))
        link.connectCall = send(
            .connect(device: found.path), for: .link(found.device.address))
    }

    /// Returns false if nothing is left to leave.
    private mutating func leave(
        _ link: inout Link, _ path: String?, _ isConnected: Bool
    ) -> Bool {
        guard let path else { return link.isWaiting }
        let isWaiting = stopChannels(&link, path)
        // A subscription of ours that could not be ended is nobody else's.
        let hasOurs = link.channels.values.contains { $0.isKept }
        let isOthers = !link.isOurs || mirror.isNotifying(path)
        if isConnected, !isWaiting, !link.isWaiting, !hasOurs, isOthers {
            leaveToOthers(&link, path)
            return false
        }
        let isHeld = hasPower && (isConnected || link.connectCall != nil)
        guard isHeld, link.futileDisconnects < Self.leavingTries else {
            return isWaiting || link.isWaiting
        }
        if link.isUp && isWaiting { return true }
        if link.disconnectCall == nil { disconnect(&link, path) }
        return true
    }

    /// Our part of a link ends; whoever else is subscribed goes on with it.
    private mutating func leaveToOthers(_ link: inout Link, _ path: String) {
        guard link.isUp, let address = mirror.devices[path]?.address else { return }
        link.loss = LinkLoss(.requested, reason: "left to another program")
        lose(address, &link)
        tellLoss(address, &link)
    }

    private mutating func disconnect(_ link: inout Link, _ path: String) {
        guard let address = mirror.devices[path]?.address else { return }
        link.disconnectCall = send(.disconnect(device: path), for: .link(address))
    }

    // MARK: - Up and down

    mutating func bringUp(
        _ address: BluetoothAddress, _ link: inout Link, _ device: BluezMirror.Device
    ) {
        tellLoss(address, &link, isLate: true)
        link.isUp = true
        link.upSince = now
        link.resolvedSince = nil
        link.hasDelivered = false
        link.isUnresolvedTold = false
        link.loss = nil
        link.missing = []
        link.offered = nil
        link.vanishings = 0
        link.busyAnswers = 0
        link.futileDisconnects = 0
        report(.linkUp(device.sighting))
    }

    /// bluetoothd is gone, and with it all that it knew of us.
    mutating func cutOff(_ address: BluetoothAddress) {
        guard var link = links[address] else { return }
        if link.isUp { lose(address, &link) }
        tellLoss(address, &link, isLate: true)
        links[address] = link.wanted.map { Link(wanted: $0) }
    }

    /// An object was removed; while our scan ends, because of that.
    mutating func noteRemoval(path: String, _ interface: BluezInterface) {
        guard interface == .device, let address = mirror.devices[path]?.address else { return }
        if case .stopping = discovery.phase { links[address]?.vanishings += 1 }
    }

    /// Ends a link that is of no use, to start over.
    mutating func restart(_ link: inout Link, _ path: String, reason: String) {
        link.loss = LinkLoss(.requested, reason: reason)
        link.hasDelivered = false
        // Counted as a failure when it is lost, however long it was up.
        link.upSince = now
        link.resolvedSince = nil
        disconnect(&link, path)
    }

    /// The adapter is ready (again): earlier failures mean nothing, and earlier attempts are lost.
    ///
    /// bluetoothd may notice that only after 40 s, and refuses another attempt until then.
    mutating func encourageLinks() {
        for address in links.keys.sorted() {
            guard var link = links[address] else { continue }
            link.notBefore = now
            link.quickFailures = 0
            if let call = link.connectCall, !link.isUp {
                calls[call] = nil
                link.connectCall = nil
                let found = mirror.device(address, on: service.adapter)
                if let found, link.disconnectCall == nil { disconnect(&link, found.path) }
            }
            links[address] = link
        }
    }

    // MARK: - Answers

    mutating func linkAnswered(
        _ address: BluetoothAddress, _ pending: PendingCall, _ answer: CallAnswer
    ) {
        guard var link = links[address] else { return }
        let isConnected =
            hasPower && mirror.device(address, on: service.adapter)?.device.isConnected ?? false
        if case .connect(let path) = pending.call {
            link.connectCall = nil
            connectAnswered(address, &link, path, pending, answer, isConnected)
        } else {
            link.disconnectCall = nil
            if link.wanted == nil { link.futileDisconnects += 1 }
            settle(&link, isConnected: false, isConnected)
        }
        links[address] = link
    }

    private mutating func connectAnswered(
        _ address: BluetoothAddress, _ link: inout Link, _ path: String, _ pending: PendingCall,
        _ answer: CallAnswer, _ isConnected: Bool
    ) {
        // What became of an attempt that was called off shows in `Connected`.
        if link.isUp || link.wanted == nil || link.disconnectCall != nil { return }
        switch answer {
        case .done, .bytes, .objects:
            settle(&link, isConnected: true, isConnected)
        case .timedOut:
            // It may go on forever in bluetoothd; only `Disconnect` ends it.
            let failure = CallFailure(
                name: "org.freedesktop.DBus.Error.NoReply",
                message: "no answer in \(pending.call.timeoutMilliseconds) ms")
            attemptFailed(address, &link, failure, isQuick: false)
            disconnect(&link, path)
        case .failed(let failure):
            switch CallVerdict(failure, of: pending.call) {
            case .alreadyDone:
                link.isOurs = false
                settle(&link, isConnected: true, isConnected)
            case .busy:
                attemptFailed(
                    address, &link, failure, isQuick: false, pause: Self.busyPauseMilliseconds)
                // No honest attempt lasts so long; bluetoothd has lost its way in one.
                link.busyAnswers += 1
                if link.busyAnswers.isMultiple(of: Self.busyLimit) { disconnect(&link, path) }
            case .gone:
                mirror.remove(path, .device)
                link.vanishings += 1
                // No pause: once it is found again it may vanish as fast.
                attemptFailed(address, &link, failure, isQuick: false, pause: 0)
            case .denied:
                accessDenied()
                attemptFailed(
                    address, &link, failure, isQuick: false, pause: Self.deniedPauseMilliseconds)
            case .failed:
                let isQuick = now < pending.sinceMilliseconds + Self.quickFailureMilliseconds
                attemptFailed(address, &link, failure, isQuick: isQuick)
                settle(&link, isConnected: false, isConnected)
            }
        }
    }

    private mutating func settle(
        _ link: inout Link, isConnected expected: Bool, _ isConnected: Bool
    ) {
        guard expected != isConnected else { return }
        link.settling = Link.Settling(
            isConnected: expected, until: now + Self.settleMilliseconds)
    }

    /// An attempt that waited long and in vain is repeated almost at once: while the strap is away
    /// an attempt should always be pending.
    ///
    /// What fails quickly is repeated ever more slowly.
    private mutating func attemptFailed(
        _ address: BluetoothAddress, _ link: inout Link, _ failure: CallFailure, isQuick: Bool,
        pause: UInt64 = abortPauseMilliseconds
    ) {
        if isQuick { link.quickFailures += 1 }
        let pause = isQuick ? Self.pauseMilliseconds(quickFailures: link.quickFailures) : pause
        link.notBefore = now + pause
        report(.connectFailed(address, failure, nextAttemptMilliseconds: pause))
    }

    /// The first failure is forgiven; then 1, 2, 4, 8, 16, 30 s.
    static func pauseMilliseconds(quickFailures: Int) -> UInt64 {
        quickFailures <= 1
            ? abortPauseMilliseconds : backOffMilliseconds(failures: quickFailures - 1)
    }
}
