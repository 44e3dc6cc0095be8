internal import Events

extension CentralState {
    /// bluetoothd on the bus, its list of objects, and the adapter that is used.
    struct Service: Sendable {
        enum Presence: Sendable {
            case unknown
            case absent
            case present
        }

        var presence = Presence.unknown
        /// Why it is absent, or was before it appeared.
        var absence = AdapterCause.unknown
        /// Whether the mirror was filled in this life of bluetoothd.
        var isListed = false
        var wantsList = false
        /// Whether the agent was registered in this life of bluetoothd.
        var hasAgent = false
        var call: CallID?
        /// No attempt to start or to list before this time.
        var notBefore: UInt64 = 0
        var failures = 0
        /// Whether we were denied a call; a list that we get ends it.
        var isDenied = false
        var adapter: String?
        var hasHadAdapter = false
        /// Until then a missing adapter may still come.
        var adapterGraceUntil: UInt64 = 0
    }

    private static let adapterGraceMilliseconds: UInt64 = 3_000
    private static let restartPauseMilliseconds: UInt64 = 2_000
    static let deniedPauseMilliseconds: UInt64 = 30_000

    /// Whether scans and connections are possible now.
    var isReady: Bool { adapterState == .poweredOn }

    /// Whether there can be links at all.
    var hasPower: Bool {
        service.adapter.flatMap { mirror.adapters[$0]?.isPowered } ?? false
    }

    /// Access was denied: no more calls for a while, then the list tells whether it is granted.
    mutating func accessDenied() {
        service.isDenied = true
        service.wantsList = true
        service.notBefore = now + Self.deniedPauseMilliseconds
    }

    // MARK: - Coming and going

    mutating func serviceAppeared() {
        // A new owner without a loss in between is a new life all the same.
        if service.presence == .present { serviceVanished(.daemonGone) }
        service.presence = .present
        service.wantsList = true
        service.notBefore = now
        service.failures = 0
        if let call = service.call { calls[call] = nil }
        service.call = nil
        service.adapterGraceUntil = now + Self.adapterGraceMilliseconds
    }

    mutating func serviceVanished(_ cause: AdapterCause) {
        // At the start bluetoothd is started at once; after a loss whoever runs it goes first.
        let pause = service.presence == .unknown ? 0 : Self.restartPauseMilliseconds
        let adapterSeen = service.hasHadAdapter
        service = Service()
        service.presence = .absent
        service.absence = cause
        service.hasHadAdapter = adapterSeen
        service.notBefore = now + pause
        mirror = BluezMirror()
        calls = [:]
        discovery = Discovery()
        for address in links.keys.sorted() { cutOff(address) }
    }

    mutating func serviceAnswered(_ call: CentralCall, _ answer: CallAnswer) {
        service.call = nil
        switch answer {
        case .objects(let objects):
            service.isListed = true
            service.wantsList = false
            service.failures = 0
            service.isDenied = false
            mirror.fill(objects, wanted: wantedAddresses)
            if mirror.hasLeftOut { count(.tooManyDevices) }
            showDevices()
        case .failed(let failure) where CallVerdict(failure, of: call) == .denied:
            accessDenied()
        case .done, .bytes, .failed, .timedOut:
            // A start that succeeded shows by bluetoothd appearing; until then it is tried again.
            service.failures += 1
            service.notBefore = now + Self.backOffMilliseconds(failures: service.failures)
        }
    }

    // MARK: - Reconciling

    mutating func reconcileService() {
        if service.call == nil {
            switch service.presence {
            case .unknown: break
            case .absent where isDue(orWakeAt: service.notBefore):
                service.call = send(.startService, for: .service)
            case .present where service.wantsList && isDue(orWakeAt: service.notBefore):
                service.call = send(.listObjects, for: .service)
            case .absent, .present: break
            }
        }
        if service.isListed && !service.hasAgent && !links.isEmpty {
            service.hasAgent = true
            _ = send(.registerAgent, for: .agent)
        }
        chooseAdapter()
        let change = presentAdapter()
        guard change != adapterChange else { return }
        let wasReady = isReady
        adapterChange = change
        if !isReady {
            forgetDiscovery()
        } else if !wasReady {
            encourageLinks()
        }
        report(.adapterStateChanged(change))
    }

    private mutating func chooseAdapter() {
        let chosen = mirror.bestAdapter(after: service.adapter)
        guard chosen != service.adapter else { return }
        if chosen == nil { service.adapterGraceUntil = now + Self.adapterGraceMilliseconds }
        if chosen != nil { service.hasHadAdapter = true }
        service.adapter = chosen
        forgetDiscovery()
    }

    private mutating func presentAdapter() -> AdapterChange {
        if service.isDenied { return AdapterChange(.unauthorized, .access) }
        // While its list is awaited bluetoothd is as good as away.
        let waiting = AdapterChange(
            service.hasHadAdapter ? .resetting : .unknown, service.absence)
        switch service.presence {
        case .unknown: return waiting
        case .absent: return AdapterChange(.resetting, service.absence)
        case .present where !service.isListed: return waiting
        case .present: break
        }
        guard let path = service.adapter, let adapter = mirror.adapters[path] else {
            let cause = service.hasHadAdapter ? AdapterCause.adapterGone : .unknown
            return isDue(orWakeAt: service.adapterGraceUntil)
                ? AdapterChange(.unsupported, cause) : AdapterChange(waiting.state, cause)
        }
        let name = path.split(separator: "/").last.map(String.init)
        return AdapterChange(
            adapter.isPowered ? .poweredOn : .poweredOff, .switched, adapter: name)
    }
}
