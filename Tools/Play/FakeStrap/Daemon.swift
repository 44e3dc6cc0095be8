import Clocks
import DBus

/// A bluetoothd that is only its D-Bus side: it behaves as version 5.66 was measured to.
///
/// It lives on the bus thread of the play alone. What people and programs want comes as method
/// calls, what happens in the air as actions of a scenario; out go answers and signals, over the
/// connection of its present life. All state is in the adapters and the devices; objects and
/// properties are computed from it when they are asked for.
final class Daemon {
    /// The well-known name that this plays.
    static let busName = "org.bluez"

    /// The play's own connection: its clock, and the voice of a stranger.
    // It holds the daemon by its jobs, so it outlives the daemon's use of it.
    unowned let connection: Connection
    let timing: Timing
    /// Whether this is a version that says why a link ended.
    let tellsReasons: Bool
    let adapters: [Adapter]
    /// Each strap as each adapter knows it, by strap.
    private let devicesByStrap: [[Device]]
    private let peripherals: [Peripheral]
    /// Whether bluetoothd runs, or is about to.
    var isRunning = true
    /// The connection of the present life; nil while the name has no owner.
    var life: Bus?
    /// Called when a life is to begin, or to end.
    let order: (Order) -> Void
    /// Answers to calls to come.
    var orders: [(member: String, reply: Scenario.Reply)] = []
    /// Those who are asked about pairings, the one who is asked by default first.
    var agents: [Agent] = []
    /// What is done with the answers of agents, by the numbers of the questions.
    var questions: [Int: (Bool) -> Void] = [:]
    var lastQuestion = 0
    /// Lets the daemon do something from another thread.
    let enqueue: @Sendable (@escaping @Sendable (Daemon) -> Void) -> Void
    /// Called when links or subscriptions have changed.
    var onChange: () -> Void = {}
    let report: @Sendable (Report) -> Void

    init(
        _ scenario: Scenario, timing: Timing, connection: Connection,
        enqueue: @escaping @Sendable (@escaping @Sendable (Daemon) -> Void) -> Void,
        order: @escaping (Order) -> Void, report: @escaping @Sendable (Report) -> Void
    ) {
        self.connection = connection
        self.timing = timing.limited(by: scenario.limits)
        self.enqueue = enqueue
        self.order = order
        self.report = report
        let adapters = scenario.adapters.enumerated().map { Adapter($1, index: $0) }
        let peripherals = scenario.straps.map { Peripheral($0) }
        self.adapters = adapters
        tellsReasons = scenario.tellsReasons
        self.peripherals = peripherals
        devicesByStrap = peripherals.map { peripheral in
            adapters.map { Device(peripheral, on: $0) }
        }
        devicesByStrap.compactMap(\.first).forEach { $0.remember() }
    }

    /// Each strap as each adapter knows it.
    var devices: [Device] { devicesByStrap.flatMap { $0 } }

    /// The straps as one adapter knows them.
    func devices(on adapter: Adapter) -> [Device] {
        devices.filter { $0.adapter === adapter }
    }

    /// One strap as each adapter knows it.
    func devices(of peripheral: Peripheral) -> [Device] {
        devices.filter { $0.peripheral === peripheral }
    }

    /// What the daemon asks of the play, because it takes time.
    enum Order: Sendable {
        /// A new life: a new connection takes the name.
        case begin
        /// A life is over: its connection ends.
        case end(Bus)
    }

    /// The objects that are there, parents first.
    var objects: [BusObject] {
        [Agent.registry] + adapters.flatMap { objects(of: $0) }
    }

    /// The objects of an adapter, parents first.
    func objects(of adapter: Adapter) -> [BusObject] {
        guard adapter.controller.isPlugged else { return [] }
        return [adapter.object]
            + devices(on: adapter).filter(\.isKnown).flatMap { [$0.object] + $0.serviceObjects }
    }
}

// MARK: - The air

extension Daemon {
    /// Lets something happen.
    func act(_ action: Scenario.Action) {
        switch action {
        case .notify(let strap, let characteristic, let value):
            notify(peripherals[strap], characteristic, value)
        case .setValue(let strap, let characteristic, let value):
            peripherals[strap].strap.setValue(value, of: characteristic)
        case .advertise(let strap, let isAdvertising):
            advertise(peripherals[strap], isAdvertising)
        case .drop(let strap, let reason):
            advertise(peripherals[strap], false)
            devicesByStrap[strap].forEach { loseLink($0, reason) }
        case .setRSSI(let strap, let rssi):
            peripherals[strap].strap.rssi = rssi
        case .setName(let strap, let name):
            rename(strap, name)
        case .mute(let strap, let isMute):
            peripherals[strap].strap.isMute = isMute
        case .setErrors(let strap, let errors):
            peripherals[strap].strap.errors = errors
        case .breakLinks(let strap, let count):
            peripherals[strap].strap.faults.brokenLinks = count
        case .setFaults(let strap, let faults):
            peripherals[strap].strap.faults = faults
            devicesByStrap[strap].forEach { attemptConnect($0) }
        case .power(let isPowered, let adapter):
            setPower(isPowered, of: adapters[adapter])
        case .plug(let isPlugged, let adapter):
            setPlug(isPlugged, of: adapters[adapter])
        case .daemon(let isRunning):
            setRunning(isRunning)
        case .stopDaemon:
            stop()
        case .reply(let reply, let member):
            orders.append((member, reply))
        case .malform(let strap, let characteristic, let malformation, let size):
            for device in devicesByStrap[strap] where device.isKnown {
                emit(malformation, of: device, characteristic, size: size)
            }
        case .spoof(let strap, let claim):
            for device in devicesByStrap[strap] where device.isKnown { spoof(claim, of: device) }
        }
    }

    private func advertise(_ peripheral: Peripheral, _ isAdvertising: Bool) {
        guard peripheral.strap.isAdvertising != isAdvertising else { return }
        peripheral.strap.isAdvertising = isAdvertising
        for device in devices(of: peripheral) {
            if isAdvertising {
                attemptConnect(device)
            } else if let attempt = device.connecting?.attempt {
                connection.cancel(attempt)
                device.connecting?.attempt = nil
            }
        }
        if isAdvertising { adapters.forEach { reportSoon(on: $0) } }
    }

    /// The strap's advertisements, or a read, tell bluetoothd the new name.
    private func rename(_ strap: Int, _ name: String?) {
        peripherals[strap].strap.name = name
        for device in devicesByStrap[strap] where device.isKnown {
            changed(device.object, "Name", "Alias")
        }
    }

    /// The strap sends a value.
    func notify(_ peripheral: Peripheral, _ characteristic: GattUUID, _ value: [UInt8]) {
        peripheral.strap.setValue(value, of: characteristic)
        let signalCount = devices(of: peripheral).reduce(0) {
            $0 + deliver(value, of: characteristic, to: $1)
        }
        report(
            .sent(
                Report.Sent(
                    bootMilliseconds: connection.now().bootMilliseconds,
                    address: peripheral.strap.address, characteristic: characteristic,
                    value: value, signalCount: signalCount)))
    }

    // MARK: - What can be waited for

    /// Whether something that parts of a scenario wait for is so.
    func holds(_ condition: Scenario.Condition) -> Bool {
        switch condition {
        case .subscribed(let strap?, let characteristic):
            isSubscribed(devicesByStrap[strap], characteristic)
        case .subscribed(nil, let characteristic):
            isSubscribed(devices, characteristic)
        case .unsubscribed(let strap): !isSubscribed(devicesByStrap[strap], nil)
        case .connected(let strap): peripherals[strap].isLinked
        case .disconnected(let strap): !peripherals[strap].isLinked
        }
    }

    private func isSubscribed(_ devices: [Device], _ uuid: GattUUID?) -> Bool {
        devices.contains { device in
            device.isLive
                && device.characteristics.contains {
                    (uuid == nil || $0.uuid == uuid) && $0.isSubscribed
                }
        }
    }
}
