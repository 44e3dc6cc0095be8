import Events
import Testing

@testable import BluetoothCentral

@Suite("Central state: links")
struct CentralStateLinkTests {
    private let strap = Script.strap
    private let device = Script.device
    private let connect = CentralCall.connect(device: Script.device)
    private let disconnect = CentralCall.disconnect(device: Script.device)

    @Test("an unknown strap is scanned for, the scan ended, and only then the strap connected")
    func scanThenConnect() throws {
        var script = try Script.ready()
        script.want()
        try script.answer(.startDiscovery(adapter: Script.adapter, services: []))
        script.feed(.objectAdded(Script.knownStrap))
        #expect(script.newCalls().last == .stopDiscovery(adapter: Script.adapter))
        try script.answer(.stopDiscovery(adapter: Script.adapter))
        #expect(script.newCalls() == [connect])
        #expect(script.newReports().last == .connecting(Script.sighting(), attempt: 1))
    }

    @Test("a strap that is already connected is not connected again")
    func alreadyConnected() throws {
        let linked = Script.known([.connected(true), .resolved(true)])
        var script = try Script.ready([linked] + Script.characteristics)
        _ = script.newCalls()
        script.want()
        #expect(script.newReports().contains(Script.linkUp))
        #expect(script.newCalls() == [.startNotify(characteristic: Script.measurement)])
    }

    @Test("a lost link is connected at once, and goes on without waiting for StartNotify")
    func reconnects() throws {
        var script = try Script.linked()
        script.feed(
            .disconnected(path: device, name: "org.bluez.Reason.Timeout", message: "late"))
        script.lose()
        #expect(
            script.newReports() == [
                .linkDown(strap),
                .linkLost(strap, LinkLoss(.timeout, reason: "org.bluez.Reason.Timeout: late")),
                .connecting(Script.sighting(), attempt: 1),
            ])
        #expect(script.newCalls() == [connect])
        script.change(.connected(true))
        script.value([0, 71])
        let reports = script.newReports()
        #expect(reports.contains(Script.linkUp))
        #expect(reports.last == .valueNotified(strap, .heartRateMeasurement, [0, 71]))
        try script.answer(connect)
        script.change(.resolved(true))
        #expect(script.newCalls() == [.startNotify(characteristic: Script.measurement)])
    }

    @Test("while the strap is away an attempt is pending but for a quarter of a second")
    func alwaysPending() throws {
        var script = try Script.linked()
        script.lose()
        for attempt in 1...2_000 {
            #expect(script.newReports().last == .connecting(Script.sighting(), attempt: attempt))
            script.wait(milliseconds: 41_700)
            try script.fail(connect, "org.bluez.Error.Failed", "le-connection-abort-by-local")
            guard case .connectFailed(_, _, let pause) = script.newReports().last else {
                Issue.record("the failure was not reported")
                return
            }
            #expect(pause == 250)
            script.wait(milliseconds: 250)
        }
    }

    @Test("attempts that fail at once are repeated ever more slowly")
    func backsOff() throws {
        var script = try Script.connecting()
        let failure = CallFailure(name: "org.bluez.Error.Failed", message: "Input/output error")
        for expected: UInt64 in [250, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000] {
            try script.fail(connect, failure.name, failure.message)
            #expect(
                script.newReports().last
                    == .connectFailed(strap, failure, nextAttemptMilliseconds: expected))
            _ = script.newCalls()
            script.expect([connect], after: expected)
        }
    }

    @Test("links that are lost at once are connected again after 4 s at most")
    func flakyLinks() throws {
        var script = try Script.connecting()
        for pause: UInt64 in [250, 1_000, 2_000, 4_000, 4_000, 4_000] {
            try script.link()
            script.lose()
            #expect(script.newReports().suffix(2) == [Script.linkUp, .linkDown(strap)])
            script.expect([connect], after: pause)
            _ = script.newReports()
        }
    }

    @Test("an aborted attempt waits for Connected to be false, and is no link")
    func abortByLocal() throws {
        var script = try Script.connecting()
        script.change(.connected(true))
        try script.fail(connect, "org.bluez.Error.Failed", "le-connection-abort-by-local")
        script.wait(milliseconds: 200)
        #expect(script.newCalls() == [])
        script.change(.connected(false))
        script.expect([connect], after: 250)
        #expect(!script.newReports().contains(Script.linkUp))
    }

    @Test("an attempt of another program is waited for, not raced")
    func busy() throws {
        var script = try Script.connecting()
        try script.fail(connect, "org.bluez.Error.Failed", "Operation already in progress")
        script.wait(milliseconds: 9_999)
        #expect(script.newCalls() == [])
        script.change(.connected(true))
        #expect(script.newReports().last == Script.linkUp)
        #expect(script.newCalls() == [])
    }

    @Test("an attempt that goes on for a minute, whose ever it is, is called off")
    func busyForEver() throws {
        var script = try Script.connecting()
        for _ in 0..<6 {
            #expect(!script.newCalls().contains(disconnect))
            try script.fail(connect, "org.bluez.Error.Failed", "Operation already in progress")
            script.wait(milliseconds: 10_000)
        }
        #expect(script.newCalls() == [disconnect])
        try script.answer(disconnect)
        #expect(script.newCalls() == [connect])
    }

    @Test("a device that BlueZ has forgotten is scanned for")
    func unknownObject() throws {
        var script = try Script.connecting()
        try script.fail(connect, "org.freedesktop.DBus.Error.UnknownObject")
        let scan = CentralCall.startDiscovery(adapter: Script.adapter, services: [])
        #expect(script.newCalls() == [scan])
    }

    @Test("a device that vanishes when the scan ends is connected while scanning")
    func vanishing() throws {
        var script = try Script.ready()
        script.want()
        let scan = CentralCall.startDiscovery(adapter: Script.adapter, services: [])
        for _ in 0..<2 {
            try script.answer(scan)
            script.feed(.objectAdded(Script.knownStrap))
            try script.answer(.stopDiscovery(adapter: Script.adapter))
            try script.fail(connect, "org.freedesktop.DBus.Error.UnknownObject")
        }
        try script.answer(scan)
        script.wait(milliseconds: 2_000)
        _ = script.newCalls()
        script.feed(.objectAdded(Script.knownStrap))
        #expect(script.newCalls().contains(connect))
        #expect(script.state.discovery.phase == .running([]))
    }

    @Test("an attempt without an answer is called off before the next one")
    func timedOut() throws {
        var script = try Script.connecting()
        script.wait(milliseconds: 60_000)
        try script.answer(connect, .timedOut)
        #expect(script.newCalls() == [disconnect])
        script.wait(milliseconds: 1_000)
        try script.fail(disconnect, "org.bluez.Error.NotConnected")
        #expect(script.newCalls() == [connect])
    }

    @Test("a Connect that succeeds for nothing is a failure")
    func connectedForNothing() throws {
        var script = try Script.connecting()
        try script.answer(connect)
        script.expect([connect], after: 2_250)
    }

    @Test("leaving ends notifications, then the link")
    func leaves() throws {
        var script = try Script.linked()
        script.want([])
        #expect(
            script.newCalls() == [
                .stopNotify(characteristic: Script.battery),
                .stopNotify(characteristic: Script.measurement),
            ])
        try script.stopNotifications()
        #expect(script.newCalls() == [disconnect])
        #expect(!script.state.isAtRest)
        script.change(.connected(false))
        try script.answer(disconnect)
        #expect(script.state.isAtRest)
        #expect(script.newReports() == [.linkDown(strap), .linkLost(strap, LinkLoss(.requested))])
    }

    @Test("leaving calls a pending attempt off")
    func leavesAttempt() throws {
        var script = try Script.connecting()
        script.want([])
        #expect(script.newCalls() == [disconnect])
        try script.fail(connect, "org.bluez.Error.Failed", "br-connection-canceled")
        try script.answer(disconnect)
        #expect(script.state.isAtRest)
        #expect(script.newReports() == [])
    }

    @Test("a device wanted again while it is being left is connected when it is left")
    func returns() throws {
        var script = try Script.connecting()
        script.want([])
        script.want()
        _ = script.newCalls()
        try script.answer(disconnect)
        #expect(script.newCalls() == [])
        try script.fail(connect, "org.bluez.Error.Failed", "br-connection-canceled")
        script.wait(milliseconds: 250)
        #expect(script.newCalls() == [connect])
    }

    @Test("services that do not come are told once, after 15 s, and end the link after a minute")
    func unresolved() throws {
        var script = try Script.connecting()
        try script.link()
        script.wait(milliseconds: 14_999)
        #expect(!script.newReports().contains(.servicesUnresolved(strap)))
        script.wait(milliseconds: 30_000)
        #expect(script.newReports() == [.servicesUnresolved(strap)])
        script.expect([disconnect], after: 15_001)
        try script.answer(disconnect)
        script.change(.connected(false))
        #expect(
            script.newReports().last
                == .linkLost(
                    strap, LinkLoss(.requested, reason: "its services were not found in a minute")))
        script.wait(milliseconds: 250)
        #expect(script.newCalls() == [connect])
    }

    @Test("a measurement may come 4 s after the services, else the link begins anew")
    func lateMeasurement() throws {
        var script = try Script.connecting()
        try script.link()
        script.change(.resolved(true))
        var late = script
        late.wait(milliseconds: 3_999)
        late.feed(.objectAdded(Script.characteristics[0]))
        #expect(late.newCalls() == [.startNotify(characteristic: Script.measurement)])
        script.wait(milliseconds: 4_000)
        #expect(script.newReports().last == .measurementMissing(strap, .heartRateMeasurement))
        #expect(script.newCalls() == [disconnect])
    }

    @Test("what a device has is told once on a link, late if there is nothing to record")
    func services() throws {
        var script = try Script.connecting()
        script.want(Script.paused)
        try script.link()
        script.change(.resolved(true), .services([BluetoothUUID(0x180F)]))
        func found(_ script: inout Script) -> [Set<BluetoothUUID>] {
            script.newReports().compactMap {
                if case .servicesFound(let sighting) = $0 { sighting.services } else { nil }
            }
        }
        script.wait(milliseconds: 3_999)
        #expect(found(&script).isEmpty)
        var late = script
        late.change(.services([.heartRate, BluetoothUUID(0x180F)]))
        #expect(found(&late) == [[.heartRate, BluetoothUUID(0x180F)]])
        script.wait(milliseconds: 1)
        #expect(found(&script) == [[BluetoothUUID(0x180F)]])
        script.change(.signal(.heard(-50)))
        script.wait(milliseconds: 60_000)
        #expect(found(&script).isEmpty)
        #expect(!script.newCalls().contains(disconnect))
    }

    @Test("a device that offers one of two wanted measurements is kept")
    func oneOfTwo() throws {
        var script = try Script.connecting()
        let both = WantedDevice(
            address: strap, measurements: [.heartRateMeasurement, .runningSpeedCadenceMeasurement])
        script.want([both])
        try script.link()
        script.feed(.objectAdded(Script.characteristics[0]))
        script.change(.resolved(true))
        script.wait(milliseconds: 4_500)
        #expect(
            script.newReports().contains(
                .measurementMissing(strap, .runningSpeedCadenceMeasurement)))
        #expect(!script.newCalls().contains(disconnect))
    }

    @Test("a strap and a foot pod are connected side by side")
    func twoDevices() throws {
        let pod = BluetoothAddress(0xC4_00_00_00_00_02)
        let podPath = Script.adapter + "/dev_C4_00_00_00_00_02"
        var script = try Script.ready([Script.knownStrap, Script.known([], podPath, pod)])
        script.want([
            WantedDevice(address: strap),
            WantedDevice(address: pod, measurements: [.runningSpeedCadenceMeasurement]),
        ])
        #expect(script.newCalls().suffix(2) == [connect, .connect(device: podPath)])
    }

    @Test("the same desire again changes nothing, also in a crowd")
    func sameDesire() throws {
        var script = try Script.linked()
        for number in 0...BluezMirror.deviceLimit { script.hear(UInt64(number)) }
        _ = script.newCalls()
        for _ in 0..<10 { script.want() }
        #expect(script.newCalls().filter { $0 == .listObjects }.count <= 1)
    }

    @Test("a link is not forgotten while an answer is to come")
    func leavingInVain() throws {
        var script = try Script.connecting()
        script.want([])
        for _ in 0..<3 {
            try script.fail(disconnect, "org.bluez.Error.Failed")
            script.wait(milliseconds: 2_000)
        }
        #expect(!script.state.isAtRest)
        script.want()
        #expect(!script.newCalls().contains(connect))
        try script.fail(connect, "org.bluez.Error.Failed", "le-connection-abort-by-local")
        script.wait(milliseconds: 30_000)
        #expect(script.newCalls().contains(connect))
    }
}
