import BluetoothCentral

/// bluetoothd obeys.
extension Daemon {
    mutating func obey(_ id: CallID, _ call: CentralCall) {
        guard isUp else { return fail(id, "freedesktop.DBus.Error.ServiceUnknown") }
        switch call {
        case .startService, .registerAgent: after(1, .answer(id, .done))
        case .listObjects:
            if takeMood(.listingFails) { return fail(id, "bluez.Error.Failed") }
            if takeMood(.denied) { return fail(id, "freedesktop.DBus.Error.AccessDenied") }
            after(5, .listed(id))
        case .startDiscovery: startDiscovery(id)
        case .stopDiscovery:
            endScan()
            after(10, .answer(id, .done))
        case .connect(let path): withStrap(path, id) { $0.connect($1, id) }
        case .disconnect(let path): withStrap(path, id) { $0.disconnect($1, id) }
        case .startNotify(let path): withStrap(path, id) { $0.startNotify($1, id, path) }
        case .stopNotify(let path):
            withStrap(path, id) { daemon, index in
                if path == daemon.straps[index].measurementPath {
                    daemon.straps[index].isSubscribed = false
                }
                daemon.after(50, .answer(id, .done))
            }
        case .readValue(let path): withStrap(path, id) { $0.read($1, id, path) }
        }
    }

    private mutating func withStrap(
        _ path: String, _ id: CallID, _ body: (inout Daemon, Int) -> Void
    ) {
        let index = straps.firstIndex { path.hasPrefix($0.path) && $0.isKnown }
        guard let index else { return fail(id, "freedesktop.DBus.Error.UnknownObject") }
        body(&self, index)
    }

    private mutating func startDiscovery(_ id: CallID) {
        guard isPlugged, isPowered else { return fail(id, "bluez.Error.NotReady") }
        if takeMood(.scanFails) { return fail(id, "bluez.Error.Failed") }
        if isScanning {
            return fail(id, "bluez.Error.InProgress", "Operation already in progress")
        }
        isScanning = true
        after(10, .answer(id, .done))
        for index in straps.indices { after(500 + 40 * UInt64(index), .found(index)) }
    }

    private mutating func connect(_ index: Int, _ id: CallID) {
        guard isPlugged, isPowered else {
            return fail(id, "bluez.Error.Failed", "Input/output error")
        }
        if straps[index].isHung || straps[index].pendingConnect != nil || takeMood(.connectBusy) {
            return fail(id, "bluez.Error.Failed", "Operation already in progress")
        }
        if takeMood(.connectFails) || takeWeakFailure(index) {
            return fail(id, "bluez.Error.Failed", "le-connection-abort-by-local")
        }
        if takeMood(.connectHangs) {
            straps[index].isHung = true
            return after(60_000, .answer(id, .timedOut))
        }
        if straps[index].isConnected { return after(1, .answer(id, .done)) }
        if takeMood(.connectForNothing) { return after(1, .answer(id, .done)) }
        straps[index].pendingConnect = id
        if takeMood(.connectAborts) {
            after(300, .connected(index, nil))
            after(310, .connectFailed(index, id, "le-connection-abort-by-local"))
            after(500, .disconnected(index, nil))
        } else if straps[index].isInRange {
            after(300, .connected(index, id))
        } else {
            after(41_700, .connectFailed(index, id, "le-connection-abort-by-local"))
        }
    }

    /// Whether an attempt fails at once: of several in vain each second one.
    private mutating func takeWeakFailure(_ index: Int) -> Bool {
        straps[index].weakAttempts.isMultiple(of: 2) && straps[index].takeWeakAttempt()
    }

    private mutating func disconnect(_ index: Int, _ id: CallID) {
        straps[index].isHung = false
        if let connect = straps[index].pendingConnect {
            after(1, .connectFailed(index, connect, "br-connection-canceled"))
        }
        if straps[index].isConnected {
            after(2_000, .disconnected(index, id))
        } else {
            fail(id, "bluez.Error.NotConnected")
        }
    }

    private mutating func startNotify(_ index: Int, _ id: CallID, _ path: String) {
        guard straps[index].hasServices else {
            return fail(id, "freedesktop.DBus.Error.UnknownObject")
        }
        guard straps[index].isConnected else { return fail(id, "bluez.Error.InProgress") }
        if takeMood(.notifyFails) {
            return fail(id, "bluez.Error.Failed", "Operation failed with ATT error: 0x80")
        }
        if takeMood(.notifyHangs) { return after(35_000, .answer(id, .timedOut)) }
        if path == straps[index].measurementPath && !takeMood(.notifySilent) {
            straps[index].isSubscribed = true
            stream(index, after: 20)
        }
        after(50, .answer(id, .done))
    }

    private mutating func read(_ index: Int, _ id: CallID, _ path: String) {
        if takeMood(.readHangs) { return after(35_000, .answer(id, .timedOut)) }
        let strap = straps[index]
        guard strap.isConnected else { return fail(id, "bluez.Error.Failed", "Not connected") }
        let value = path == strap.batteryPath ? strap.battery : 1
        // A read is signalled as well, before its answer.
        tell(.valueSignalled(path: path, [value]))
        after(50, .answer(id, .bytes([value])))
    }
}

// MARK: - The world acts on it

extension Daemon {
    /// It and its world become willing.
    mutating func heal() {
        moods = []
        start()
        plug(true)
        power(true)
        for index in straps.indices {
            setRange(index, isInRange: true)
            straps[index].hasContact = true
            straps[index].weakAttempts = 0
        }
    }

    mutating func start() {
        guard !isUp else { return }
        isUp = true
        tell(.serviceAppeared)
    }

    /// Nothing is signalled but the loss of the name; what was called fails.
    mutating func crash() {
        guard isUp else { return }
        tell(.serviceVanished)
        end()
    }

    /// It ends and is there again at once: its name changes hands, and is never lost.
    mutating func restart() {
        if isUp { end() }
        start()
    }

    private mutating func end() {
        isUp = false
        isScanning = false
        failAnswers()
        for index in straps.indices {
            straps[index].isHung = false
            straps[index].forgetAll()
        }
    }

    mutating func power(_ isOn: Bool) {
        guard isPowered != isOn else { return }
        isPowered = isOn
        isScanning = false
        guard isUp, isPlugged else { return }
        if !isOn {
            // What is pending is lost, and noticed as late as a strap that does not answer.
            for index in straps.indices {
                straps[index].isHung = false
                dropLink(index)
                guard let connect = straps[index].pendingConnect else { continue }
                after(41_700, .connectFailed(index, connect, "le-connection-abort-by-local"))
            }
        }
        changeAdapter(AdapterProperties(isPowered: isOn, isDiscovering: false))
    }

    /// All links are lost, and what is called at once is still accepted; then the adapter is off.
    mutating func cyclePower(_ downMilliseconds: UInt64) {
        for index in straps.indices { dropLink(index) }
        after(1, .powered(false))
        after(downMilliseconds, .powered(true))
    }

    mutating func plug(_ isIn: Bool) {
        guard isPlugged != isIn else { return }
        isScanning = false
        if isIn {
            isPlugged = true
            let properties = AdapterProperties(isPowered: isPowered, isCentral: true)
            tell(.objectAdded(LocatedObject(path: Self.adapterPath, object: .adapter(properties))))
        } else {
            if isUp { endLinks() }
            for index in straps.indices where straps[index].isKnown { remove(index) }
            isPlugged = false
            tell(.objectRemoved(path: Self.adapterPath, .adapter))
        }
    }

    mutating func setRange(_ index: Int, isInRange: Bool) {
        guard straps[index].isInRange != isInRange else { return }
        straps[index].isInRange = isInRange
        if isInRange {
            if let connect = straps[index].pendingConnect {
                after(250, .connected(index, connect))
            }
            after(500, .found(index))
        } else {
            dropLink(index)
        }
    }

    /// Somebody removes a device from it; whatever advertises is found again while it scans.
    mutating func forget(_ index: Int) {
        guard isUp, straps[index].isKnown, straps[index].pendingConnect == nil else { return }
        remove(index)
        after(500, .found(index))
    }

    /// The adapter drops its scan.
    mutating func stopScan() {
        guard isUp else { return }
        endScan()
        changeAdapter(AdapterProperties(isDiscovering: false))
    }

    /// The process on its bus is gone: its scan and its subscriptions end, its links do not.
    mutating func clientGone() {
        endScan()
        dropAnswers()
        for index in straps.indices {
            straps[index].isSubscribed = false
            straps[index].pendingConnect = nil
        }
    }

    private mutating func endLinks() {
        for index in straps.indices {
            straps[index].isHung = false
            if let connect = straps[index].pendingConnect {
                happen(.connectFailed(index, connect, "le-connection-abort-by-local"))
            }
            dropLink(index)
        }
    }
}
