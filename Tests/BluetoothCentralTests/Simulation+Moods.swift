@testable import BluetoothCentral

// MARK: - Moods

/// What the world can do to a central.
enum Mood: CaseIterable {
    case crash, start, restart
    case powerOff, powerOn, unplug, plug
    case outOfRange, backInRange, dropLink, forgetDevice, stopScan
    case connectFails, connectAborts, connectBusy, connectHangs, connectForNothing
    case neverResolves, servicesLate, servicesMissing
    case notifyFails, notifyHangs, notifySilent, readHangs
    case scanFails, listingFails, denied
    case wait1, wait10, wait60
    case want, wantNothing, pause, scan
}

extension Simulation {
    mutating func fall(into mood: Mood) {
        switch mood {
        case .crash: crash()
        case .start: startDaemon()
        case .restart:
            crash(silently: true)
            startDaemon()
        case .powerOff: power(false)
        case .powerOn: power(true)
        case .unplug: unplug()
        case .plug: plug()
        case .outOfRange:
            isInRange = false
            dropLink()
        case .backInRange: comeBack()
        case .dropLink: dropLink()
        case .forgetDevice:
            if isKnown && isDaemonUp && pendingConnect == nil { removeDevice() }
        case .stopScan:
            isScanning = false
            changeAdapter(AdapterProperties(isDiscovering: false))
        case .wait1: run(milliseconds: 1_000)
        case .wait10: run(milliseconds: 10_000)
        case .wait60: run(milliseconds: 60_000)
        case .want: want(Self.wanted)
        case .wantNothing: want(CentralDesire())
        case .pause: want(Self.paused)
        case .scan:
            var desire = Self.wanted
            desire.scanning = [.heartRate]
            want(desire)
        case .connectFails, .connectAborts, .connectBusy, .connectHangs, .connectForNothing,
            .neverResolves, .servicesLate, .servicesMissing, .notifyFails, .notifyHangs,
            .notifySilent, .readHangs, .scanFails, .listingFails, .denied:
            faults.insert(mood)
        }
    }

    /// The world becomes willing, and the strap is wanted.
    mutating func heal(wanting desire: CentralDesire = wanted) {
        faults = []
        startDaemon()
        plug()
        power(true)
        comeBack()
        want(desire)
    }

    mutating func startDaemon() {
        guard !isDaemonUp else { return }
        isDaemonUp = true
        feed(.serviceAppeared)
    }

    /// Nothing is signalled but the loss of the name; what was called fails.
    mutating func crash(silently: Bool = false) {
        guard isDaemonUp else { return }
        isDaemonUp = false
        isScanning = false
        isKnown = false
        isConnected = false
        isResolved = false
        hasServices = false
        isSubscribed = false
        pendingConnect = nil
        isHung = false
        queue = queue.map { entry in
            let failure = Self.failure("freedesktop.DBus.Error.NoReply")
            return switch entry.event {
            case .answer(let id, _), .listed(let id):
                (entry.due, entry.number, .answer(id, .failed(failure)))
            default: entry
            }
        }
        openConnects = []
        if !silently { feed(.serviceVanished) }
    }

    mutating func power(_ isOn: Bool) {
        guard isPowered != isOn else { return }
        isPowered = isOn
        isScanning = false
        guard isDaemonUp, isPlugged else { return }
        if !isOn {
            isHung = false
            abortConnect()
            dropLink()
        }
        changeAdapter(AdapterProperties(isPowered: isOn, isDiscovering: false))
    }

    mutating func unplug() {
        guard isPlugged else { return }
        isPlugged = false
        isScanning = false
        guard isDaemonUp else { return }
        isHung = false
        abortConnect()
        dropLink()
        if isKnown { removeDevice() }
        feed(.objectRemoved(path: Self.adapter, .adapter))
    }

    mutating func plug() {
        guard !isPlugged else { return }
        isPlugged = true
        guard isDaemonUp else { return }
        let properties = AdapterProperties(isPowered: isPowered, isCentral: true)
        feed(.objectAdded(LocatedObject(path: Self.adapter, object: .adapter(properties))))
    }

    mutating func abortConnect() {
        guard let connect = pendingConnect else { return }
        happen(.connectFailed(connect, "le-connection-abort-by-local"))
    }

    mutating func comeBack() {
        isInRange = true
        if let connect = pendingConnect { after(250, .connected(connect)) }
        after(500, .found)
    }

    mutating func changeAdapter(_ properties: AdapterProperties) {
        guard isDaemonUp, isPlugged else { return }
        feed(.objectChanged(LocatedObject(path: Self.adapter, object: .adapter(properties))))
    }
}
