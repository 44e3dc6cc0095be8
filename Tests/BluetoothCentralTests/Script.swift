import Testing

@testable import BluetoothCentral

/// A state machine that a test leads by the hand: it says what happens and looks at what is asked.
struct Script {
    static let strap = BluetoothAddress(0xC4_00_00_00_00_01)
    static let adapter = "/org/bluez/hci0"
    static let device = adapter + "/dev_C4_00_00_00_00_01"
    static let measurement = device + "/service000e/char000f"
    static let battery = device + "/service0014/char0015"

    var state = CentralState()
    private(set) var now: UInt64 = 100_000
    private(set) var reports: [CentralReport] = []
    private(set) var calls: [CentralCall] = []
    private var open: [(id: CallID, call: CentralCall)] = []

    /// What was reported since the last look.
    mutating func newReports() -> [CentralReport] {
        defer { reports = [] }
        return reports
    }

    /// What was called since the last look.
    mutating func newCalls() -> [CentralCall] {
        defer { calls = [] }
        return calls
    }

    mutating func feed(_ input: CentralInput) {
        for action in state.handle(input, atMilliseconds: now) {
            switch action {
            case .report(let report): reports.append(report)
            case .call(let id, let call):
                // Registered once; what comes of it does not matter.
                guard call != .registerAgent else { continue }
                calls.append(call)
                open.append((id, call))
            }
        }
    }

    /// Lets time pass, with all deadlines on the way.
    mutating func wait(milliseconds: UInt64) {
        let end = now + milliseconds
        while let deadline = state.nextDeadlineMilliseconds, deadline <= end {
            now = deadline
            feed(.timePassed)
        }
        now = end
    }

    /// Lets time pass; these calls are made at its end, and none before.
    mutating func expect(
        _ expected: [CentralCall], after milliseconds: UInt64,
        at location: SourceLocation = #_sourceLocation
    ) {
        wait(milliseconds: milliseconds - 1)
        #expect(newCalls() == [], sourceLocation: location)
        wait(milliseconds: 1)
        #expect(newCalls() == expected, sourceLocation: location)
    }

    /// Answers the oldest open call that is like this one.
    mutating func answer(_ call: CentralCall, _ answer: CallAnswer = .done) throws {
        let index = try #require(
            open.firstIndex { $0.call == call }, "\(call) is not open: \(open)")
        feed(.answered(open.remove(at: index).id, answer))
    }

    mutating func fail(_ call: CentralCall, _ name: String, _ message: String = "") throws {
        try answer(call, .failed(CallFailure(name: name, message: message)))
    }

    /// Wants devices: by default the strap, with its heart rate.
    mutating func want(
        _ devices: [WantedDevice] = [WantedDevice(address: strap)],
        scanning: CentralDesire.Scan? = nil
    ) {
        feed(.desireChanged(CentralDesire(scanning: scanning, devices: devices)))
    }

    // MARK: - What BlueZ says

    mutating func addAdapter(_ name: String, _ properties: BluezProperty...) {
        feed(.objectAdded(LocatedObject(path: Self.adapter + name, .adapter, properties)))
    }

    /// BlueZ hears another device, which offers heart rate unless that is changed.
    mutating func hear(_ number: UInt64, _ properties: BluezProperty...) {
        let path = "\(Self.adapter)/dev_\(number)"
        feed(.objectAdded(Self.known(properties, path, BluetoothAddress(number))))
    }

    mutating func change(_ properties: BluezProperty..., at path: String = device) {
        feed(.objectChanged(LocatedObject(path: path, .device, properties)))
    }

    /// The attempt to connect succeeds.
    mutating func link() throws {
        change(.connected(true))
        try answer(.connect(device: Self.device))
    }

    /// The attempt to connect succeeds, and the strap's services are found.
    mutating func linkWithServices() throws {
        try link()
        findServices()
    }

    /// The services of the strap are found.
    mutating func findServices() {
        for object in Self.characteristics { feed(.objectAdded(object)) }
        change(.resolved(true))
    }

    /// What is subscribed is no longer, as was asked.
    mutating func stopNotifications() throws {
        try answer(.stopNotify(characteristic: Self.battery))
        try answer(.stopNotify(characteristic: Self.measurement))
    }

    /// The link ends, and BlueZ does not say why.
    mutating func lose() {
        change(.connected(false), .resolved(false))
    }

    mutating func power(_ isPowered: Bool) {
        feed(.objectChanged(LocatedObject(path: Self.adapter, .adapter, [.powered(isPowered)])))
    }

    mutating func notifying(_ isNotifying: Bool) {
        let notifying = [BluezProperty.notifying(isNotifying)]
        feed(.objectChanged(LocatedObject(path: Self.measurement, .characteristic, notifying)))
    }

    mutating func value(_ bytes: [UInt8], of path: String = measurement) {
        feed(.valueSignalled(path: path, bytes))
    }

    /// A device that offers heart rate, unless that is told otherwise.
    static func known(
        _ properties: [BluezProperty] = [], _ path: String = device,
        _ address: BluetoothAddress = strap
    ) -> LocatedObject {
        let usual: [BluezProperty] = [.address(address), .services([.heartRate])]
        return LocatedObject(path: path, .device, usual + properties)
    }

    static let knownStrap = known()
    /// What is wanted of the strap while its heart rate is paused.
    static let paused = [WantedDevice(address: strap, measurements: [])]

    /// What is told of the strap of ``known(_:_:_:)``, which BlueZ never heard.
    static func sighting(isLinked: Bool = false) -> DeviceSighting {
        DeviceSighting(
            address: strap, services: [.heartRate], isStale: true, isLinked: isLinked)
    }

    static let linkUp = CentralReport.linkUp(sighting(isLinked: true))

    static let poweredAdapter = LocatedObject(
        path: adapter, .adapter, [.powered(true), .central(true)])

    static let characteristics = [
        LocatedObject(
            path: measurement, .characteristic,
            [.uuid(.heartRateMeasurement), .readable(false), .notifiable(true)]),
        LocatedObject(
            path: battery, .characteristic,
            [.uuid(.batteryLevel), .readable(true), .notifiable(true)]),
    ]

    // MARK: - Beginnings

    /// bluetoothd is there, its adapter on, and these objects besides.
    static func ready(_ objects: [LocatedObject] = []) throws -> Script {
        var script = Script()
        script.feed(.serviceAppeared)
        try script.answer(.listObjects, .objects([poweredAdapter] + objects))
        return script
    }

    /// The strap is known to BlueZ, wanted, and a `Connect` is open.
    static func connecting() throws -> Script {
        var script = try ready([knownStrap])
        script.want()
        #expect(script.newCalls().last == .connect(device: device))
        _ = script.newReports()
        return script
    }

    /// Straps are scanned for, as far as the adapter and these objects let it.
    static func scanning(_ objects: [LocatedObject] = []) throws -> Script {
        var script = try ready(objects)
        script.want([], scanning: .services([.heartRate]))
        return script
    }

    /// The strap is connected, by us or by another program, and its measurement subscribed.
    static func subscribed(isOurs: Bool = true) throws -> Script {
        var script = isOurs ? try connecting() : try ready([knownStrap])
        if isOurs {
            try script.link()
        } else {
            script.change(.connected(true))
            script.want()
        }
        script.findServices()
        try script.answer(.startNotify(characteristic: measurement))
        try script.answer(.readValue(characteristic: battery), .bytes([87]))
        return script
    }

    /// The strap is connected, subscribed and sends.
    static func linked(isOurs: Bool = true) throws -> Script {
        var script = try subscribed(isOurs: isOurs)
        try script.answer(.startNotify(characteristic: battery))
        script.value([0, 70])
        _ = script.newReports()
        _ = script.newCalls()
        return script
    }
}
