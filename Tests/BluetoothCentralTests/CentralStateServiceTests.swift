import Events
import Testing

@testable import BluetoothCentral

@Suite("Central state: bluetoothd, adapter and scan")
struct CentralStateServiceTests {
    private let scan = CentralCall.startDiscovery(
        adapter: Script.adapter, services: [.heartRate])

    // MARK: - bluetoothd

    @Test("bluetoothd killed ends all links; it is waited for, then started")
    func killed() throws {
        var script = try Script.linked()
        script.feed(.serviceVanished)
        #expect(
            script.newReports() == [
                .linkDown(Script.strap), .linkLost(Script.strap, LinkLoss(.daemonLost)),
                .adapterStateChanged(AdapterChange(.resetting, .daemonGone)),
            ])
        for pause: UInt64 in [2_000, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000] {
            script.expect([.startService], after: pause)
            try script.fail(.startService, "org.freedesktop.DBus.Error.ServiceUnknown")
        }
    }

    @Test("bluetoothd restarted: a new list, a new connection, a new subscription")
    func restarted() throws {
        var script = try Script.linked()
        script.feed(.serviceAppeared)
        #expect(script.newCalls() == [.listObjects])
        try script.answer(.listObjects, .objects([Script.poweredAdapter, Script.knownStrap]))
        #expect(script.newCalls() == [.connect(device: Script.device)])
        #expect(script.newReports().last == .connecting(Script.sighting(), attempt: 1))
        // Nothing is subscribed in its new life; a value cannot be ours.
        for object in Script.characteristics { script.feed(.objectAdded(object)) }
        script.value([0, 70])
        #expect(script.newReports() == [])
    }

    @Test("answers of a former life of bluetoothd mean nothing")
    func staleAnswers() throws {
        var script = try Script.connecting()
        script.feed(.serviceVanished)
        script.feed(.serviceAppeared)
        _ = script.newReports()
        try script.fail(.connect(device: Script.device), "org.freedesktop.DBus.Error.NoReply")
        #expect(script.newReports() == [])
    }

    // MARK: - Adapter

    @Test("the adapter has six states")
    func adapterStates() throws {
        var script = Script()
        #expect(script.state.adapterState == .unknown)
        script.feed(.serviceVanished)
        #expect(script.state.adapterState == .resetting)
        #expect(script.newCalls() == [.startService])
        script.feed(.serviceAppeared)
        #expect(script.state.adapterState == .unknown)
        try script.fail(.listObjects, "org.freedesktop.DBus.Error.AccessDenied")
        #expect(script.state.adapterState == .unauthorized)
        script.wait(milliseconds: 30_000)
        try script.answer(.listObjects, .objects([]))
        #expect(script.state.adapterState == .unsupported)
        script.addAdapter("", .powered(false), .central(false))
        #expect(script.state.adapterState == .unsupported)
        script.addAdapter("1", .powered(false), .central(true))
        #expect(script.state.adapterState == .poweredOff)
        script.addAdapter("2", .powered(true), .central(true))
        #expect(script.state.adapterState == .poweredOn)
        script.feed(.objectRemoved(path: Script.adapter + "2", .adapter))
        #expect(script.state.adapterState == .poweredOff)
        script.feed(.objectRemoved(path: Script.adapter + "1", .adapter))
        #expect(script.state.adapterState == .resetting)
        script.wait(milliseconds: 3_000)
        #expect(script.state.adapterState == .unsupported)
    }

    @Test("an adapter switched off ends links and scans; switched on, all begins again")
    func powerOff() throws {
        var script = try Script.linked()
        script.lose()
        script.power(false)
        try script.fail(
            .connect(device: Script.device), "org.bluez.Error.Failed", "Input/output error")
        script.wait(milliseconds: 100_000)
        _ = script.newCalls()
        #expect(
            script.newReports().contains(
                .adapterStateChanged(AdapterChange(.poweredOff, .switched, adapter: "hci0"))))
        script.power(true)
        #expect(script.newCalls() == [.connect(device: Script.device)])
    }

    @Test("no scan before the adapter is on")
    func noScanWhileOff() throws {
        var script = Script()
        script.want([], scanning: .services([.heartRate]))
        script.feed(.serviceAppeared)
        let off = LocatedObject(path: Script.adapter, .adapter, [.powered(false)])
        try script.answer(.listObjects, .objects([off]))
        #expect(script.newCalls() == [.listObjects])
        script.power(true)
        #expect(script.newCalls() == [scan])
    }

    // MARK: - Scan

    private func discovering(_ isDiscovering: Bool, _ script: inout Script) {
        let properties = [BluezProperty.discovering(isDiscovering)]
        script.feed(.objectChanged(LocatedObject(path: Script.adapter, .adapter, properties)))
    }

    @Test("a scan that is on already is ours")
    func scanInProgress() throws {
        var script = try Script.scanning()
        try script.fail(scan, "org.bluez.Error.InProgress", "Operation already in progress")
        discovering(true, &script)
        script.wait(milliseconds: 60_000)
        #expect(script.newCalls() == [.listObjects, scan])
    }

    @Test("a scan that the adapter dropped is started again")
    func droppedScan() throws {
        var script = try Script.scanning()
        try script.answer(scan)
        _ = script.newCalls()
        discovering(true, &script)
        script.wait(milliseconds: 60_000)
        discovering(false, &script)
        script.expect([.stopDiscovery(adapter: Script.adapter)], after: 15_000)
        try script.answer(.stopDiscovery(adapter: Script.adapter))
        #expect(script.newCalls().last == scan)
    }

    @Test("a scan beside a pending attempt waits for the attempt's first two seconds")
    func scanBesideConnect() throws {
        var script = try Script.connecting()
        script.want(scanning: .services([.heartRate, .runningSpeedAndCadence]))
        let both = CentralCall.startDiscovery(
            adapter: Script.adapter, services: [.heartRate, .runningSpeedAndCadence])
        script.expect([both], after: 2_000)
        try script.answer(both)
        script.wait(milliseconds: 39_000)
        try script.fail(.connect(device: Script.device), "org.bluez.Error.Failed")
        script.wait(milliseconds: 250)
        #expect(script.newCalls() == [.stopDiscovery(adapter: Script.adapter)])
        try script.answer(.stopDiscovery(adapter: Script.adapter))
        #expect(script.newCalls() == [.connect(device: Script.device)])
    }

    // MARK: - Sightings

    private func sightings(_ script: inout Script) -> [DeviceSighting] {
        script.newReports().compactMap { if case .deviceSeen(let seen) = $0 { seen } else { nil } }
    }

    @Test("only devices that can fill a wanted role are shown")
    func roles() throws {
        var script = try Script.scanning()
        _ = script.newReports()
        script.hear(1, .services([]))
        script.hear(2, .services([.runningSpeedAndCadence]))
        script.hear(3, .signal(.heard(-60)))
        #expect(
            sightings(&script) == [
                DeviceSighting(
                    address: BluetoothAddress(3), rssi: -60, services: [.heartRate], isStale: false)
            ])
    }

    @Test("a watch with InfiniTime is known by its name and update service")
    func infiniTime() throws {
        var script = try Script.ready()
        script.want([], scanning: .services([.infiniTimeMotion]))
        #expect(
            script.newCalls().last
                == .startDiscovery(
                    adapter: Script.adapter, services: [.infiniTimeMotion, .nordicFirmwareUpdate]))
        for (number, name) in [(1, "Some board"), (2, "InfiniTime")] as [(UInt64, String)] {
            script.hear(number, .services([.nordicFirmwareUpdate]), .name(name))
        }
        #expect(
            sightings(&script).map(\.services) == [[.infiniTimeMotion, .nordicFirmwareUpdate]])
    }

    @Test("all devices are shown if all are wanted, and one that is looked for in any crowd")
    func shows() throws {
        var script = try Script.ready()
        script.want([], scanning: .all)
        #expect(script.newCalls().last == .startDiscovery(adapter: Script.adapter, services: []))
        script.hear(1, .services([]))
        script.hear(2, .services([BluetoothUUID(0xFEE0)]))
        #expect(sightings(&script).map(\.services) == [[], [BluetoothUUID(0xFEE0)]])
        script = try Script.ready()
        let sought = BluetoothAddress(0xABCD)
        script.want([], scanning: .device(sought))
        for number in 0...BluezMirror.deviceLimit { script.hear(UInt64(number)) }
        script.hear(sought.value, .services([]))
        #expect(sightings(&script).map(\.address) == [sought])
    }

    @Test("devices from before are shown as stale until they are heard")
    func stale() throws {
        var script = try Script.scanning([Script.knownStrap])
        #expect(sightings(&script).map(\.isStale) == [true])
        script.change(.signal(.unmeasured))
        let heard = sightings(&script)
        #expect(heard.map(\.isStale) == [false])
        #expect(heard.map(\.rssi) == [nil])
    }

    @Test("a signal is told at most once a second, a name at once")
    func throttled() throws {
        var script = try Script.scanning([Script.known([.signal(.heard(-50))])])
        _ = script.newReports()
        for strength in Int16(-60)..<(-50) {
            script.change(.signal(.heard(strength)))
            script.wait(milliseconds: 99)
        }
        #expect(sightings(&script).isEmpty)
        script.change(.name("Strap"))
        #expect(sightings(&script).map(\.name) == ["Strap"])
        script.wait(milliseconds: 1_000)
        script.change(.signal(.heard(-70)))
        #expect(sightings(&script).map(\.rssi) == [-70])
    }

    @Test("a crowd is remembered up to a limit, a wanted device always")
    func crowd() throws {
        var script = try Script.ready()
        for number in UInt64(100)..<700 { script.hear(number) }
        #expect(script.state.mirror.devices.count == 512)
        #expect(script.newReports().contains(.intakeFinding(.tooManyDevices, count: 64)))
        script.want()
        #expect(script.newCalls().contains(.listObjects))
        script.feed(.objectAdded(Script.knownStrap))
        #expect(script.state.mirror.devices.count == 512)
        #expect(script.state.mirror.devices[Script.device] != nil)
    }

    // MARK: - Refusals

    @Test("each refusal of BlueZ has its meaning", arguments: refusals)
    func verdicts(call: CentralCall, name: String, message: String, verdict: CallVerdict) {
        let failure = CallFailure(name: name, message: message)
        #expect(CallVerdict(failure, of: call) == verdict)
        // The walker is told of what the central acts on.
        let cause = FailureCause(failure)
        #expect((verdict == .gone) == (cause == .vanished))
        #expect((verdict == .denied) == (cause == .denied))
        if verdict == .busy { #expect(cause == .taken) }
    }

    private static let failed = "org.bluez.Error.Failed"
    private static let discover = CentralCall.startDiscovery(adapter: "/", services: [])
    private static let connect = CentralCall.connect(device: "/")
    private static let notify = CentralCall.startNotify(characteristic: "/")

    static let refusals:
        [(call: CentralCall, name: String, message: String, verdict: CallVerdict)] = [
            (discover, "org.bluez.Error.InProgress", "Operation already in progress", .alreadyDone),
            (discover, "org.bluez.Error.NotReady", "Resource Not Ready", .failed),
            (connect, failed, "Operation already in progress", .busy),
            (connect, "org.bluez.Error.InProgress", "", .busy),
            (connect, failed, "br-connection-canceled", .failed),
            (connect, failed, "le-connection-abort-by-local", .failed),
            (connect, failed, "Software caused connection abort", .failed),
            (connect, "org.freedesktop.DBus.Error.UnknownObject", "", .gone),
            (connect, failed, "Input/output error", .failed),
            (connect, "org.bluez.Error.AlreadyConnected", "", .alreadyDone),
            (notify, "org.bluez.Error.InProgress", "In Progress", .alreadyDone),
            (notify, "org.bluez.Error.NotPermitted", "Notify acquired", .failed),
            (notify, failed, "Operation failed with ATT error: 0x80", .failed),
            (.listObjects, "org.freedesktop.DBus.Error.AccessDenied", "", .denied),
        ]
}
