import BluetoothCentral
import DBus

/// What happens in the air, and to the machine.
extension Daemon {
    /// Lets something happen.
    package mutating func act(_ action: Scenario.Action) {
        switch action {
        case .notify(let strap, let characteristic, let value):
            notify(strap, characteristic, value)
        case .setValue(let strap, let characteristic, let value):
            straps[strap].setValue(value, of: characteristic)
        case .advertise(let strap, let isAdvertising): advertise(strap, isAdvertising)
        case .drop(let strap, let reason):
            advertise(strap, false)
            for device in devices(of: strap) { loseLink(device, reason) }
        case .setRSSI(let strap, let rssi): straps[strap].rssi = rssi
        case .setName(let strap, let name):
            straps[strap].name = name
            // The strap's advertisements, or a read, tell bluetoothd the new name.
            for device in devices(of: strap) where devices[device].isKnown {
                changed(object(of: device), "Name", "Alias")
            }
        case .mute(let strap, let isMute): straps[strap].isMute = isMute
        case .setErrors(let strap, let errors): straps[strap].errors = errors
        case .breakLinks(let strap, let count): straps[strap].faults.brokenLinks = count
        case .setFaults(let strap, let faults):
            straps[strap].faults = faults
            for device in devices(of: strap) { attemptConnect(device) }
        case .remove(let strap):
            for device in devices(of: strap) where devices[device].isKnown {
                loseLink(device)
                forget(device)
                reportSoon(on: devices[device].adapter)
            }
        case .stopScans:
            for adapter in adapters.indices where !adapters[adapter].scans.isEmpty {
                adapters[adapter].scans = [:]
                endScan(on: adapter)
            }
        case .power(let isPowered, let adapter): setPower(isPowered, of: adapter)
        case .plug(let isPlugged, let adapter): setPlug(isPlugged, of: adapter)
        case .daemon(let isRunning): setRunning(isRunning)
        case .stopDaemon: stop()
        case .reply(let reply, let member): orders.append((member, reply))
        case .malform(let strap, let characteristic, let malformation, let size):
            malform(strap, characteristic, malformation, size)
        case .spoof(let strap, let claim): spoof(claim, of: strap)
        }
    }

    private mutating func advertise(_ strap: Int, _ isAdvertising: Bool) {
        guard straps[strap].isAdvertising != isAdvertising else { return }
        straps[strap].isAdvertising = isAdvertising
        for device in devices(of: strap) {
            if isAdvertising {
                attemptConnect(device)
            } else {
                agenda.cancel { $0 == .attempt(device) }
            }
        }
        if isAdvertising { adapters.indices.forEach { reportSoon(on: $0) } }
    }

    /// The strap sends a value.
    mutating func notify(_ strap: Int, _ characteristic: BluetoothUUID, _ value: [UInt8]) {
        straps[strap].setValue(value, of: characteristic)
        var signalCount = 0
        for device in devices(of: strap) {
            signalCount += deliver(value, of: characteristic, to: device)
        }
        let sent = Report.Sent(
            bootMilliseconds: now, address: straps[strap].address, characteristic: characteristic,
            value: value, signalCount: signalCount)
        add(.report(.sent(sent)))
    }

    /// A value comes in over a link: one signal for each subscriber, equal values or not.
    ///
    /// Returns how often it was passed on.
    private mutating func deliver(_ value: [UInt8], of uuid: BluetoothUUID, to device: Int) -> Int {
        let strap = straps[devices[device].strap]
        guard devices[device].isLive, !strap.isMute, let index = devices[device].index(of: uuid)
        else { return 0 }
        let characteristic = devices[device].characteristics[index]
        let signalCount = characteristic.subscribers.count * strap.faults.copies
        for _ in 0..<signalCount { signal(value, of: (device, index)) }
        if devices[device].hasBattery, uuid == .batteryLevel {
            // bluetoothd subscribes to the battery's level by itself.
            let battery = Device.battery(of: strap)
            changed(BusObject(path: devices[device].path, interfaces: [battery]), "Percentage")
        }
        return signalCount
    }

    /// Signals a value of a characteristic, and keeps it.
    mutating func signal(_ value: [UInt8], of characteristic: CharacteristicPlace) {
        devices[characteristic.device].characteristics[characteristic.index].value = value
        let path = devices[characteristic.device].characteristics[characteristic.index].path
        add(.signal(.value(value, path)))
    }

    // MARK: - What no bluetoothd does, but what a recorder must live with

    /// Sends a signal that is not as it should be.
    private mutating func malform(
        _ strap: Int, _ uuid: BluetoothUUID, _ malformation: Malformation, _ size: Int
    ) {
        for device in devices(of: strap) where devices[device].isKnown {
            guard let index = devices[device].index(of: uuid) else {
                problem("no \(uuid) to send something malformed of")
                continue
            }
            add(.signal(malformation.signal(of: device, index, in: self, size: size)))
        }
    }

    /// Lets a stranger, another connection of the bus, say what only bluetoothd may say.
    private mutating func spoof(_ spoof: Scenario.Spoof, of strap: Int) {
        for device in devices(of: strap).map({ devices[$0] }) where device.isKnown {
            let signal: Signal
            switch spoof.claim {
            case .value(let uuid, let value):
                guard let index = device.index(of: uuid) else {
                    problem("no \(uuid) to claim a value of")
                    continue
                }
                signal = .value(value, device.characteristics[index].path)
            case .drop:
                signal = .propertiesChanged(
                    device.path, Device.interface,
                    [("ServicesResolved", .boolean(false)), ("Connected", .boolean(false))])
            }
            let victims = Set(device.characteristics.flatMap(\.subscribers)).sorted()
            add(.spoof(signal, to: spoof.isDirect ? victims : nil))
        }
    }
}
