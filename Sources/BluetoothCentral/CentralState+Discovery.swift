extension CentralState {
    /// Our scan on the adapter in use.
    struct Discovery: Sendable {
        enum Phase: Hashable, Sendable {
            case idle
            case starting(CallID, Set<BluetoothUUID>)
            case running(Set<BluetoothUUID>)
            case stopping(CallID)
        }

        var phase = Phase.idle
        var notBefore: UInt64 = 0
        var failures = 0
        /// Since when the adapter says that it does not scan, although it should.
        var idleSince: UInt64?
    }

    /// A strap that is there connects in less than this; then a scan may start during the attempt.
    private static let connectHeadStartMilliseconds: UInt64 = 2_000
    /// Longer than the kernel's pause between two rounds of a scan.
    private static let lostScanMilliseconds: UInt64 = 15_000

    /// The adapter has dropped the scan, or is another one.
    mutating func forgetDiscovery() {
        switch discovery.phase {
        case .starting(let call, _), .stopping(let call): calls[call] = nil
        case .idle, .running: break
        }
        discovery = Discovery()
    }

    mutating func discoveryAnswered(_ call: CentralCall, _ answer: CallAnswer) {
        switch discovery.phase {
        case .idle, .running: break
        case .stopping: discovery.phase = .idle
        case .starting(_, let services):
            var failure: CallVerdict? = .failed
            if answer == .done { failure = nil }
            if case .failed(let reason) = answer { failure = CallVerdict(reason, of: call) }
            if failure == .denied { accessDenied() }
            if failure == nil || failure == .alreadyDone {
                discovery.phase = .running(services)
                discovery.failures = 0
                discovery.idleSince = nil
            } else {
                discovery.phase = .idle
                discovery.failures += 1
                discovery.notBefore =
                    now + Self.backOffMilliseconds(failures: discovery.failures)
            }
        }
    }

    // MARK: - Reconciling

    /// - Parameter isConnectDue: Whether a link waits for the scan to end before it connects.
    mutating func reconcileDiscovery(isConnectDue: Bool) {
        guard isReady, let adapter = service.adapter else { return }
        let wanted = servicesToScan
        switch discovery.phase {
        case .starting, .stopping: break
        case .idle:
            guard let wanted, !isConnectDue, mayScanBesideConnects(),
                isDue(orWakeAt: discovery.notBefore)
            else { return }
            let id = send(.startDiscovery(adapter: adapter, services: wanted), for: .discovery)
            discovery.phase = .starting(id, wanted)
        case .running(let services):
            guard let wanted, !isConnectDue,
                services.isEmpty || !wanted.isEmpty && services.isSuperset(of: wanted)
            else {
                let id = send(.stopDiscovery(adapter: adapter), for: .discovery)
                discovery.phase = .stopping(id)
                return
            }
            watchScan(adapter)
        }
    }

    /// The services that are listened for; empty for all devices, nil for no scan.
    ///
    /// A wanted device that BlueZ does not know, or only for as long as it scans, is known by its
    /// address alone: what it advertises is its own affair.
    private var servicesToScan: Set<BluetoothUUID>? {
        let isSought = links.contains { address, link in
            let isKnown = mirror.device(address, on: service.adapter) != nil
            return link.wanted != nil && (!isKnown || link.needsScan)
        }
        guard !isSought, case .services(var services)? = desire.scanning else {
            return isSought || desire.scanning != nil ? [] : nil
        }
        if services.contains(.infiniTimeMotion) { services.insert(.nordicFirmwareUpdate) }
        return services
    }

    private mutating func mayScanBesideConnects() -> Bool {
        let starts = links.values.compactMap { link in
            link.connectCall.flatMap { calls[$0]?.sinceMilliseconds }
        }
        guard let last = starts.max() else { return true }
        return isDue(orWakeAt: last + Self.connectHeadStartMilliseconds)
    }

    /// A scan that the adapter has dropped is restarted.
    private mutating func watchScan(_ adapter: String) {
        guard mirror.adapters[adapter]?.isDiscovering == false else {
            discovery.idleSince = nil
            return
        }
        let since = discovery.idleSince ?? now
        discovery.idleSince = since
        guard isDue(orWakeAt: since + Self.lostScanMilliseconds) else { return }
        discovery.idleSince = nil
        discovery.phase = .stopping(send(.stopDiscovery(adapter: adapter), for: .discovery))
    }
}
