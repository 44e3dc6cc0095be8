@testable import BluetoothCentral

// MARK: - Things happen

extension Simulation {
    mutating func happen(_ event: Event) {
        switch event {
        case .answer(let id, let answer):
            openConnects.remove(id)
            if pendingConnect == id { pendingConnect = nil }
            feed(.answered(id, answer))
        case .listed(let id): feed(.answered(id, .objects(tree)))
        case .connected(let id): connected(id)
        case .connectFailed(let id, let message):
            guard pendingConnect == id else { return }
            happen(.answer(id, .failed(Self.failure("bluez.Error.Failed", message))))
        case .disconnected(let id):
            dropLink()
            if let id { happen(.answer(id, .done)) }
        case .resolved(let withServices):
            guard isConnected, isDaemonUp else { return }
            if withServices { addServices() }
            isResolved = true
            change { $0.isResolved = true }
        case .services:
            if isConnected { addServices() }
        case .forgotten:
            guard isKnown, !isConnected, !isScanning, pendingConnect == nil else { return }
            removeDevice()
        case .found:
            guard isScanning, isInRange, isDaemonUp, isPlugged, !isKnown else { return }
            isKnown = true
            feed(.objectAdded(LocatedObject(path: Self.device, object: .device(properties))))
        case .value:
            guard isConnected, isSubscribed else { return }
            feedValue(Self.measurement, [0, 70])
            after(1_000, .value)
        }
    }

    mutating func connected(_ id: CallID?) {
        guard isDaemonUp, isPowered, isPlugged, isKnown else { return }
        if let id {
            guard pendingConnect == id, isInRange else { return }
        }
        isConnected = true
        change { $0.isConnected = true }
        guard let id else { return }
        pendingConnect = nil
        after(10, .answer(id, .done))
        if isSubscribed { after(260, .value) }
        if takeFault(.neverResolves) { return }
        if takeFault(.servicesLate) {
            after(700, .resolved(withServices: false))
            after(3_000, .services)
        } else {
            after(700, .resolved(withServices: !takeFault(.servicesMissing)))
        }
    }

    mutating func dropLink() {
        guard isConnected else { return }
        isConnected = false
        isResolved = false
        change {
            $0.isConnected = false
            $0.isResolved = false
        }
        after(30_500, .forgotten)
    }

    mutating func addServices() {
        guard !hasServices else { return }
        hasServices = true
        for object in characteristics { feed(.objectAdded(object)) }
    }

    mutating func removeDevice() {
        isKnown = false
        isConnected = false
        isResolved = false
        isSubscribed = false
        if hasServices {
            hasServices = false
            for object in characteristics {
                feed(.objectRemoved(path: object.path, .characteristic))
            }
        }
        feed(.objectRemoved(path: Self.device, .device))
    }

    mutating func feedValue(_ path: String, _ bytes: [UInt8]) {
        let properties = CharacteristicProperties(value: bytes)
        feed(.objectChanged(LocatedObject(path: path, object: .characteristic(properties))))
    }

    mutating func change(_ edit: (inout DeviceProperties) -> Void) {
        var properties = DeviceProperties()
        edit(&properties)
        feed(.objectChanged(LocatedObject(path: Self.device, object: .device(properties))))
    }

    // MARK: - Objects

    var properties: DeviceProperties {
        var properties = DeviceProperties()
        properties.address = Self.address
        properties.name = "Strap"
        properties.signal = .heard(-60)
        properties.services = [.heartRate]
        properties.isConnected = isConnected
        properties.isResolved = isResolved
        return properties
    }

    var characteristics: [LocatedObject] {
        [
            (
                Self.measurement,
                CharacteristicProperties(uuid: .heartRateMeasurement, isNotifiable: true)
            ),
            (Self.location, CharacteristicProperties(uuid: .bodySensorLocation, isReadable: true)),
            (
                Self.battery,
                CharacteristicProperties(uuid: .batteryLevel, isReadable: true, isNotifiable: true)
            ),
        ].map { LocatedObject(path: $0.0, object: .characteristic($0.1)) }
    }

    var tree: [LocatedObject] {
        var objects: [LocatedObject] = []
        if isPlugged {
            let properties = AdapterProperties(
                isPowered: isPowered, isDiscovering: isScanning, isCentral: true)
            objects.append(LocatedObject(path: Self.adapter, object: .adapter(properties)))
        }
        if isKnown {
            objects.append(LocatedObject(path: Self.device, object: .device(properties)))
        }
        return objects + (hasServices ? characteristics : [])
    }
}
