internal import Events

extension CentralState {
    /// A link that lasted this long resets the back-off.
    private static let goodLinkMilliseconds: UInt64 = 10_000
    /// The longest pause after a link that was of no use: the strap is there, and reception is bad.
    private static let lostLinkPauseMilliseconds: UInt64 = 4_000
    /// How long telling of a loss waits for its cause.
    ///
    /// When bluetoothd 5.66 ends, `Connected` is false first, `Powered` 20 to 125 ms later, and the
    /// name is free after 485 ms at most: measured in an emulated machine under load.
    private static let explanationMilliseconds: UInt64 = 500

    /// A link has ended; the next one may begin at once.
    mutating func lose(_ address: BluetoothAddress, _ link: inout Link) {
        link.isOurs = false
        link.isUp = false
        link.lostAt = now
        if link.wanted == nil { link.loss = LinkLoss(.requested, reason: link.loss?.reason) }
        report(.linkDown(address))
        for uuid in link.channels.keys {
            if let call = link.channels[uuid]?.call { calls[call] = nil }
            link.channels[uuid]?.reset()
        }
        if link.hasDelivered || now >= link.upSince + Self.goodLinkMilliseconds {
            link.attempts = 0
            link.quickFailures = 0
            link.notBefore = max(link.notBefore, now)
        } else {
            link.quickFailures += 1
            let pause = Self.pauseMilliseconds(quickFailures: link.quickFailures)
            link.notBefore = now + min(pause, Self.lostLinkPauseMilliseconds)
        }
    }

    /// Tells of a loss once its cause is known for certain, or when it is too late for that.
    ///
    /// Without power it is not certain: a bluetoothd that ends switches its adapters off first.
    ///
    /// - Parameters:
    ///   - address: The address of the device.
    ///   - link: The link.
    ///   - isLate: Whether it has to be told now.
    mutating func tellLoss(_ address: BluetoothAddress, _ link: inout Link, isLate: Bool = false) {
        guard let lostAt = link.lostAt else { return }
        link.loss = explained(link)
        var loss = link.loss ?? LinkLoss()
        guard
            loss.isCertain || isLate || link.wanted == nil
                || isDue(orWakeAt: lostAt + Self.explanationMilliseconds)
        else { return }
        link.lostAt = nil
        link.loss = nil
        loss.agoMilliseconds = now - lostAt
        report(.linkLost(address, loss))
    }

    /// The cause that was noted, or else the one that shows; what showed once stays.
    private func explained(_ link: Link) -> LinkLoss? {
        let noted = link.loss
        if noted?.isCertain == true { return noted }
        if service.presence != .present { return LinkLoss(.daemonLost, reason: noted?.reason) }
        return hasPower ? noted : LinkLoss(.adapterLost, reason: noted?.reason)
    }

    /// BlueZ says why a link ends, or has just ended; what we know ourselves goes first.
    mutating func noteLoss(_ loss: LinkLoss, path: String) {
        guard let address = mirror.devices[path]?.address, let link = links[address] else { return }
        if (link.isUp || link.lostAt != nil) && link.loss == nil { links[address]?.loss = loss }
    }
}

extension LinkLoss {
    /// Whether nothing that may follow says more of the cause.
    fileprivate var isCertain: Bool {
        switch cause {
        case .unknown, .adapterLost: false
        case .timeout, .remote, .requested, .authentication, .suspended, .daemonLost: true
        }
    }
}
