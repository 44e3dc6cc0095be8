package import BluetoothCentral
package import DBus

/// bluetoothd and the straps in the air, as a value: it is called, told of the world, and woken.
///
/// It behaves as version 5.66 was measured to. What people and programs want comes as method calls,
/// what happens in the air as actions of a scenario, and time as ``pass(to:)``; out go answers and
/// signals, as ``Effect``. Objects and properties are computed from its state when they are asked
/// for.
package struct Daemon: Sendable {
    /// The well-known name that this plays.
    package static let busName = "org.bluez"

    /// Who called: the unique name of a program, and the number of the call.
    package struct Caller: Hashable, Sendable {
        package let client: String
        package let number: UInt64

        package init(_ client: String, _ number: UInt64) {
            (self.client, self.number) = (client, number)
        }
    }

    /// What it does.
    package enum Effect: Sendable {
        /// It sends a signal.
        case signal(Signal)
        /// It answers a call.
        case answer(Caller, MethodReply)
        /// It asks a program, which has so long, and is told by ``takeConsent(_:to:)``.
        case question(Int, MethodCall, limitMilliseconds: UInt64)
        /// A stranger on the bus sends a signal: to each of these programs, or to all for nil.
        case spoof(Signal, to: [String]?)
        /// A life is to begin, which does it with ``announce()``, or has ended.
        case life(isBeginning: Bool)
        case report(Report)
    }

    /// What it will do; devices and adapters are numbers.
    enum Event: Hashable, Sendable {
        case report(adapter: Int)
        case attempt(Int)
        case connectLimit(Int)
        case forget(Int)
        case pairingLimit(Int)
        case link(Int, LinkEvent)
        case answer(StrapRequest)
    }

    /// What comes in the course of a link, unless it breaks before.
    enum LinkEvent: Hashable, Sendable {
        case own, objects, resolved, battery, paired, lost
    }

    let timing: Timing
    /// Whether this is a version that says why a link ended.
    let tellsReasons: Bool
    package var straps: [Strap]
    var adapters: [Adapter]
    /// Each strap as each adapter knows it.
    var devices: [Device] = []
    /// Whether it runs, or is about to.
    package var isRunning = true
    /// Answers to calls to come.
    var orders: [(member: String, reply: Scenario.Reply)] = []
    /// Those who are asked about pairings, the one who is asked by default first.
    var agents: [Agent] = []
    var lastQuestion = 0
    /// The present moment, in milliseconds of the boot clock.
    private(set) var now: UInt64
    var agenda = Agenda<Event>()
    private var effects: [Effect] = []

    /// Makes the daemon and the straps of a scenario.
    package init(_ scenario: Scenario, timing: Timing, now: UInt64 = 0) {
        self.timing = timing.limited(by: scenario.limits)
        self.now = now
        tellsReasons = scenario.tellsReasons
        straps = scenario.straps
        adapters = scenario.adapters.enumerated().map { Adapter($1, index: $0) }
        for strap in straps.indices {
            for adapter in adapters.indices {
                devices.append(
                    Device(strap, straps[strap], on: adapter, path: adapters[adapter].path))
            }
            remember(devices.count - adapters.count)
        }
    }

    // MARK: - Time

    /// When something comes by itself; nil for never.
    package var nextDue: UInt64? { agenda.nextDue }

    /// Lets time pass, and everything happen that is due.
    package mutating func pass(to time: UInt64) {
        now = max(now, time)
        while let event = agenda.takeDue(at: now) { happen(event) }
    }

    mutating func after(_ milliseconds: UInt64, _ event: Event) {
        agenda.add(event, at: now + milliseconds)
    }

    private mutating func happen(_ event: Event) {
        switch event {
        case .report(let adapter): reportAll(on: adapter)
        case .attempt(let device):
            // Another adapter may have been quicker.
            if isHeard(devices[device].strap) { makeLink(device) }
        case .connectLimit(let device):
            endConnecting(device, with: .connectionAborted)
            forgetLater(device)
        case .forget(let device):
            // A device is not forgotten while the adapter is off.
            adapters[devices[device].adapter].isPowered ? forget(device) : forgetLater(device)
        case .pairingLimit(let device):
            endPairing(device)
            loseLink(device)
            forget(device)
        case .link(let device, let event): proceed(device, event)
        case .answer(let request): answer(request)
        }
    }

    // MARK: - What it says

    /// Hands over what has come of everything until now.
    package mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    mutating func add(_ effect: Effect) { effects.append(effect) }

    mutating func answer(_ caller: Caller, _ reply: MethodReply) { add(.answer(caller, reply)) }

    /// Says that properties of an object have changed; those it no longer has are invalidated.
    ///
    /// The names are of its first interface.
    mutating func changed(_ object: BusObject, _ names: String...) {
        let interface = object.interfaces[0]
        let present = names.compactMap { name in
            interface.properties.value(of: name).map { (name, $0) }
        }
        let absent = names.filter { interface.properties.value(of: $0) == nil }
        add(.signal(.propertiesChanged(object.path, interface.name, present, absent: absent)))
    }

    /// Says that an object is there, or that it has got an interface.
    mutating func added(_ object: BusObject, _ interfaces: [BusObject.Interface]? = nil) {
        let value = interfaces.map { BusObject.value(of: $0) } ?? object.value
        add(.signal(.manager("InterfacesAdded", object.path, value)))
    }

    /// Says that an object is gone, or that it has lost an interface.
    mutating func removed(_ object: BusObject, _ interfaces: [String]? = nil) {
        let names = interfaces ?? BusObject.common + object.interfaces.map(\.name)
        add(.signal(.manager("InterfacesRemoved", object.path, .strings(names))))
    }

    mutating func problem(_ sentence: String) { add(.report(.problem(sentence))) }
}

// MARK: - What is there

extension Daemon {
    /// The devices on one adapter.
    func devices(on adapter: Int) -> [Int] {
        devices.indices.filter { devices[$0].adapter == adapter }
    }

    /// One strap as each adapter knows it.
    func devices(of strap: Int) -> [Int] {
        devices.indices.filter { devices[$0].strap == strap }
    }

    /// Whether a strap has a link; while it has, it neither advertises nor takes another.
    func isLinked(_ strap: Int) -> Bool { devices.contains { $0.strap == strap && $0.isConnected } }

    /// Whether a strap can be heard and connected to.
    func isHeard(_ strap: Int) -> Bool { straps[strap].isAdvertising && !isLinked(strap) }

    /// The objects that are there, parents first.
    var objects: [BusObject] { [Agent.registry] + adapters.indices.flatMap { objects(of: $0) } }

    /// The objects of an adapter, parents first.
    func objects(of adapter: Int) -> [BusObject] {
        guard adapters[adapter].controller.isPlugged else { return [] }
        let known = devices(on: adapter).filter { devices[$0].isKnown }
        return [adapters[adapter].object]
            + known.flatMap { [object(of: $0)] + devices[$0].serviceObjects }
    }

    func object(of device: Int) -> BusObject {
        let device = devices[device]
        return device.object(straps[device.strap], adapter: adapters[device.adapter].path)
    }

    /// The path of a strap on the first adapter, also while it is not there.
    package func path(of strap: Int) -> String { devices[devices(of: strap)[0]].path }

    /// The path of a characteristic of a strap on the first adapter, also while it is not there.
    package func path(of uuid: BluetoothUUID, strap: Int) -> String? {
        let device = devices[devices(of: strap)[0]]
        return device.index(of: uuid).map { device.characteristics[$0].path }
    }

    /// Whether something that parts of a scenario wait for is so.
    package func holds(_ condition: Scenario.Condition) -> Bool {
        switch condition {
        case .subscribed(let strap, let characteristic): isSubscribed(strap, characteristic)
        case .unsubscribed(let strap): !isSubscribed(strap, nil)
        case .connected(let strap): isLinked(strap)
        case .disconnected(let strap): !isLinked(strap)
        }
    }

    private func isSubscribed(_ strap: Int?, _ uuid: BluetoothUUID?) -> Bool {
        devices.contains { device in
            device.isLive && (strap == nil || device.strap == strap)
                && device.characteristics.contains {
                    (uuid == nil || $0.uuid == uuid) && !$0.subscribers.isEmpty
                }
        }
    }
}
