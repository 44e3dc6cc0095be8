import DBus

/// A bluetoothd that is only its D-Bus side: it behaves as version 5.66 was measured to.
///
/// It lives on the bus thread alone. What people and programs want comes as method calls, what
/// happens in the air as actions of a scenario; out go answers and signals. All state is in the
/// adapter and the devices; objects and properties are computed from it when they are asked for.
final class Daemon {
    /// The well-known name that this plays.
    static let busName = "org.bluez"

    // The connection holds the daemon by its handlers, so it outlives the daemon's use of it.
    unowned let connection: Connection
    let timing: Timing
    var adapter = Adapter()
    let devices: [Device]
    /// Whether bluetoothd runs; otherwise the name has no owner.
    var isRunning = true
    /// Refusals of calls to come.
    var refusals: [Scenario.Refusal] = []
    /// Reports straps to those who scan.
    var reporting: Connection.TimerID?
    /// Called when links or subscriptions have changed.
    var onChange: () -> Void = {}
    let report: (Report) -> Void

    init(
        _ straps: [Strap], timing: Timing, connection: Connection,
        report: @escaping (Report) -> Void
    ) {
        self.connection = connection
        self.timing = timing
        self.report = report
        devices = straps.enumerated().map { Device($1, index: $0) }
    }

    /// The objects that are there, parents first.
    var objects: [BusObject] {
        guard adapter.isPlugged else { return [] }
        return [adapter.object]
            + devices.filter(\.isKnown).flatMap { [$0.object] + $0.serviceObjects }
    }
}

// MARK: - The air

extension Daemon {
    /// Lets something happen.
    func act(_ action: Scenario.Action) {
        switch action {
        case .notify(let strap, let characteristic, let value):
            notify(devices[strap], characteristic, value)
        case .setValue(let strap, let characteristic, let value):
            devices[strap].strap.setValue(value, of: characteristic)
        case .advertise(let strap, let isAdvertising):
            advertise(devices[strap], isAdvertising)
        case .drop(let strap):
            advertise(devices[strap], false)
            loseLink(devices[strap])
        case .setRSSI(let strap, let rssi):
            devices[strap].strap.rssi = rssi
        case .setFaults(let strap, let faults):
            devices[strap].strap.faults = faults
            attemptConnect(devices[strap])
        case .power(let isPowered):
            setPower(isPowered)
        case .plug(let isPlugged):
            setPlug(isPlugged)
        case .daemon(let isRunning):
            setRunning(isRunning)
        case .refuse(let refusal):
            refusals.append(refusal)
        }
    }

    private func advertise(_ device: Device, _ isAdvertising: Bool) {
        guard device.strap.isAdvertising != isAdvertising else { return }
        device.strap.isAdvertising = isAdvertising
        if isAdvertising {
            attemptConnect(device)
            reportSoon()
        } else if let attempt = device.connecting?.attempt {
            connection.cancel(attempt)
            device.connecting?.attempt = nil
        }
    }

    /// Whether something that parts of a scenario wait for is so.
    func holds(_ condition: Scenario.Condition) -> Bool {
        switch condition {
        case .subscribed(let strap?, let characteristic):
            isSubscribed(devices[strap], characteristic)
        case .subscribed(nil, let characteristic):
            devices.contains { isSubscribed($0, characteristic) }
        case .unsubscribed(let strap): !isSubscribed(devices[strap], nil)
        case .connected(let strap): devices[strap].isConnected
        case .disconnected(let strap): !devices[strap].isConnected
        }
    }

    private func isSubscribed(_ device: Device, _ uuid: GattUUID?) -> Bool {
        device.isLive
            && device.characteristics.contains {
                (uuid == nil || $0.uuid == uuid) && !$0.subscribers.isEmpty
            }
    }
}

// MARK: - Signals and late answers

extension Daemon {
    /// Says that properties of an object have changed; those it no longer has are invalidated.
    ///
    /// The names are of its first interface.
    func changed(_ object: BusObject, _ names: String...) {
        let interface = object.interfaces[0]
        let present = names.compactMap { name in
            interface.properties.value(of: name).map { (name, $0) }
        }
        let absent = names.filter { interface.properties.value(of: $0) == nil }
        emit(
            Signal(
                path: object.path, interface: "org.freedesktop.DBus.Properties",
                member: "PropertiesChanged",
                arguments: [
                    .string(interface.name), .properties(present), .strings(absent),
                ]))
    }

    /// Says that an object is there, or that it has got an interface.
    func added(_ object: BusObject, _ interfaces: [BusObject.Interface]? = nil) {
        emit(
            Daemon.manager(
                "InterfacesAdded", object.path,
                interfaces.map { BusObject.value(of: $0) } ?? object.value))
    }

    /// Says that an object is gone, or that it has lost an interface.
    func removed(_ object: BusObject, _ interfaces: [String]? = nil) {
        let names = interfaces ?? BusObject.common + object.interfaces.map(\.name)
        emit(Daemon.manager("InterfacesRemoved", object.path, .strings(names)))
    }

    private static func manager(_ member: String, _ path: String, _ value: Value) -> Signal {
        Signal(
            path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: member,
            arguments: [.objectPath(path), value])
    }

    private func emit(_ signal: Signal) {
        guard isRunning else { return }
        do {
            try connection.emit(signal)
        } catch {
            report(.problem(error.description))
        }
    }

    /// Answers a call that was put off.
    func send(_ answer: Answer, to caller: ReplyAddress) {
        do {
            try connection.answer(caller, with: answer)
        } catch {
            report(.problem(error.description))
        }
    }

    /// Answers a call once the strap has had time for it, or refuses it if the link breaks.
    func answer(
        _ caller: ReplyAddress, by device: Device, afterMilliseconds delay: UInt64,
        with answer: @escaping () -> Answer
    ) -> Answer {
        let timer = connection.after(milliseconds: delay) { [self] _ in
            device.calls.removeAll { $0.caller == caller }
            send(answer(), to: caller)
        }
        device.calls.append((caller, timer))
        return .later
    }
}
