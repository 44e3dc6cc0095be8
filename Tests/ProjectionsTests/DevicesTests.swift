import Events
import Projections
import TestSupport
import Testing

@Suite("Devices and the connection view")
struct DevicesTests {
    @Test("B5: the first paired becomes primary, forgetting it promotes the oldest remaining")
    func primaries() throws {
        var tape = Tape()
        try tape.command(.pair(strap, name: "A", roles: .heart))
        try tape.command(.pair(otherStrap, name: "B", roles: .heart))
        #expect(tape.own.devices.primaryHeart == strap)
        let events = try tape.command(.forget(strap))
        #expect(events.map(\.kind) == [.deviceForgotten, .primaryChosen])
        #expect(tape.own.devices.primaryHeart == otherStrap)
        try tape.command(.forget(otherStrap))
        #expect(tape.own.devices.primaryHeart == nil)
        #expect(tape.own.devices.paired.isEmpty)
        #expect(tape.refusal(of: .forget(strap)) == .notPaired)
    }

    @Test("B5: a pedometer's role goes with the choice of who counts")
    func pedometerRole() throws {
        var tape = Tape()
        let events = try tape.command(.pair(watch, name: nil, roles: [.heart, .watch]))
        #expect(
            events.map(\.kind) == [
                .devicePaired, .primaryChosen, .primaryChosen, .reconciliationTriggered,
                .pedometerChosen,
            ])
        #expect(tape.own.steps.choice == .device(watch))
        try tape.command(.forget(watch))
        #expect(tape.own.steps.choice == PedometerChoice.none)
    }

    @Test("one role of two is chosen, taken and given back without the other")
    func oneRole() throws {
        var tape = Tape()
        try tape.command(.pair(watch, name: "W", roles: [.heart, .watch]))
        try tape.command(.pair(otherStrap, name: nil, roles: .heart))
        try tape.command(.makePrimary(otherStrap))
        #expect(try tape.command(.makePrimary(watch, .heart)).map(\.kind) == [.primaryChosen])
        #expect(try tape.command(.makePrimary(watch, .heart)).isEmpty)
        let refused: [Command] = [
            .makePrimary(otherStrap, .pedometer), .forget(otherStrap, .pedometer),
        ]
        for command in refused { #expect(tape.refusal(of: command) == .withoutRole) }
        #expect(
            try tape.command(.forget(watch, .heart)).map(\.kind) == [.devicePaired, .primaryChosen])
        // What it tells of itself gives nothing back.
        tape.append(.deviceSeen(DeviceSeen(device: watch, roles: [.heart, .watch])))
        #expect(tape.own.devices[watch]?.roles == .watch)
        #expect(tape.own.devices[watch]?.name == "W")
        #expect(tape.own.devices.primaryHeart == otherStrap)
        #expect(tape.own.devices.primaryPedometer == watch)
        try tape.command(.pair(watch, name: nil, roles: [.heart, .watch]))
        #expect(tape.own.devices[watch]?.roles == [.heart, .watch])
        #expect(tape.own.devices[watch]?.declined == [])
        try tape.command(.forget(watch, .pedometer))
        // Its last role goes with the device.
        #expect(try tape.command(.forget(watch, .heart)).map(\.kind) == [.deviceForgotten])
        #expect(tape.own.devices.primaryPedometer == nil)
        tape.append(.deviceSeen(DeviceSeen(device: otherStrap, roles: .footPod)))
        #expect(tape.own.devices[otherStrap]?.roles == [.heart, .footPod])
    }

    @Test("makePrimary wants a paired device, and says nothing when it is primary already")
    func makePrimary() throws {
        var tape = Tape()
        #expect(tape.refusal(of: .makePrimary(strap)) == .notPaired)
        #expect(tape.refusal(of: .pair(strap, name: nil, roles: [])) == .withoutRole)
        try tape.command(.pair(strap, name: nil, roles: .heart))
        try tape.command(.pair(otherStrap, name: nil, roles: .heart))
        try tape.command(.makePrimary(otherStrap))
        #expect(tape.own.devices.primaryHeart == otherStrap)
        #expect(try tape.command(.makePrimary(otherStrap)).isEmpty)
    }

    @Test("B1: location, maker and battery are told by reads and notifications")
    func descriptions() {
        var tape = Tape()
        func read(_ code: CharacteristicCode, _ value: [UInt8]) -> Event {
            .characteristicRead(
                CharacteristicRead(device: strap, characteristic: code, value: value))
        }
        tape.append(read(.bodySensorLocation, [1]))
        tape.append(read(.manufacturerName, Array("Acme".utf8)))
        tape.append(read(.batteryLevel, [93]))
        tape.append(.notified(strap, [92], of: .batteryLevel))
        let device = tape.state.deviceReports().first
        #expect(device?.bodyLocation == 1)
        #expect(device?.manufacturer == "Acme")
        #expect(device?.batteryPercent == 92)
        tape.append(read(.batteryLevel, [101]))
        #expect(tape.state.findings.kept.map(\.code) == [.undecodableValue])
    }

    @Test("B8: ten seconds of grace, then a dash; a return is silent; never a sample")
    func grace() throws {
        var tape = try Tape.walking()
        #expect(ConnectionView(tape.state, at: tape.moment).status == .disconnected)
        tape.linkUp()
        tape.heart(84)
        tape.wait(500)
        tape.linkLost()
        tape.wait(10_000)
        var view = ConnectionView(tape.state, at: tape.moment)
        #expect(view.status == .held)
        #expect(view.heartRateBPM == 84)
        #expect(view.ageMilliseconds == 10_500)
        tape.wait(1)
        view = ConnectionView(tape.state, at: tape.moment)
        #expect(view.status == .disconnected)
        #expect(view.heartRateBPM == nil)
        tape.linkUp()
        view = ConnectionView(tape.state, at: tape.moment)
        #expect(view.status == .connected)
        #expect(view.heartRateBPM == nil)
        tape.heart(85)
        #expect(ConnectionView(tape.state, at: tape.moment).heartRateBPM == 85)
        #expect(tape.session.heartRate.samples == 2)
        #expect(tape.session.heartRate.weightedMilliseconds == 500)
    }

    @Test("B8: a return within the grace shows the held value on")
    func shortLoss() {
        var tape = Tape()
        tape.heart(84)
        tape.linkLost()
        tape.wait(3_000)
        tape.linkUp()
        #expect(ConnectionView(tape.state, at: tape.moment).heartRateBPM == 84)
        #expect(tape.own.devices.strap?.link.longestGapMilliseconds == 3_000)
        #expect(tape.own.devices.strap?.link.drops == 1)
    }

    @Test(
        "a new boot shows nothing that its own link has not sent, whatever the clocks say",
        arguments: [true, false], [true, false])
    func newBoot(isClean: Bool, isTrusted: Bool) {
        var tape = Tape()
        tape.append(.recorderStarted(RecorderStarted()))
        tape.wait(1_000)
        tape.linkUp()
        tape.heart(84)
        if isClean { tape.append(.recorderStopped(RecorderStopped(reason: .requested))) }
        tape.reboot()
        tape.flags = isTrusted ? [.wallTrusted] : []
        tape.append(.bootBegan(BootBegan(bootID: [UInt8](repeating: 9, count: 16))))
        tape.append(.recorderStarted(RecorderStarted()))
        for wait: UInt64 in [0, 1, 4_000] {
            tape.wait(wait)
            let view = ConnectionView(tape.state, at: tape.moment)
            #expect(view.status == .disconnected && view.heartRateBPM == nil, "after \(wait)")
        }
        tape.linkUp()
        var view = ConnectionView(tape.state, at: tape.moment)
        #expect(view.status == .connected && view.heartRateBPM == nil)
        tape.heart(85, after: 1)
        view = ConnectionView(tape.state, at: tape.moment)
        #expect(view.status == .connected && view.heartRateBPM == 85)
    }

    @Test("a foot pod's connection is not the strap's")
    func footPodLink() throws {
        var tape = Tape()
        try tape.command(.pair(pedometer, name: nil, roles: .footPod))
        tape.linkUp(pedometer)
        #expect(ConnectionView(tape.state, at: tape.moment).status == .disconnected)
        tape.linkUp(strap)
        tape.heart(70)
        tape.linkLost(pedometer)
        #expect(ConnectionView(tape.state, at: tape.moment).status == .connected)
    }

    @Test("B2: the adapter's state is the last one told")
    func adapter() {
        var tape = Tape()
        #expect(tape.own.recorder.adapter.known == .unknown)
        tape.append(.adapterStateChanged(AdapterStateChanged(state: .poweredOn)))
        #expect(tape.own.recorder.adapter.known == .poweredOn)
    }

    /// Milliseconds of value to loss, loss to return, return to now; whether the value is shown.
    static let returns: [(value: UInt64, back: UInt64, now: UInt64, isShown: Bool)] = [
        (8_000, 7_000, 0, true), (8_000, 7_000, 3_001, true), (8_000, 7_000, 10_000, true),
        (8_000, 7_000, 10_001, false), (10_000, 1, 9_999, true), (10_001, 1, 0, false),
        (0, 10_000, 10_000, true), (0, 10_000, 10_001, false), (1_000, 10_001, 0, false),
    ]

    @Test("B8: a link that comes back within the grace changes nothing", arguments: returns)
    func comesBack(_ vector: (value: UInt64, back: UInt64, now: UInt64, isShown: Bool)) {
        var tape = Tape()
        tape.heart(85)
        tape.wait(vector.value)
        tape.linkLost()
        tape.wait(vector.back)
        tape.linkUp()
        tape.wait(vector.now)
        let view = ConnectionView(tape.state, at: tape.moment)
        #expect(view.status == .connected)
        #expect(view.heartRateBPM == (vector.isShown ? 85 : nil))
        #expect(!view.isSilent || !vector.isShown)
        tape.heart(90)
        #expect(ConnectionView(tape.state, at: tape.moment).heartRateBPM == 90)
    }

    @Test("B8: a link without a value is silent when it has stood for longer than 5 s")
    func silentFromTheStart() {
        var tape = Tape()
        tape.linkUp()
        tape.wait(5_000)
        #expect(!ConnectionView(tape.state, at: tape.moment).isSilent)
        tape.wait(1)
        #expect(ConnectionView(tape.state, at: tape.moment).isSilent)
    }

    @Test("B8: a pause is no silence, and it begins anew with the resume")
    func silentAfterPause() throws {
        var tape = try Tape.walking()
        tape.linkUp()
        tape.heart(84)
        tape.heart(85)
        try tape.command(.pause)
        tape.wait(60_000)
        #expect(!ConnectionView(tape.state, at: tape.moment).isSilent)
        try tape.command(.resume)
        tape.wait(5_000)
        #expect(!ConnectionView(tape.state, at: tape.moment).isSilent)
        tape.wait(1)
        #expect(ConnectionView(tape.state, at: tape.moment).isSilent)
        tape.heart(86)
        #expect(!ConnectionView(tape.state, at: tape.moment).isSilent)
    }

    @Test("B8: without a living recorder nothing is current")
    func withoutRecorder() {
        var tape = Tape()
        tape.heart(85)
        #expect(ConnectionView(tape.state, at: tape.moment).heartRateBPM == 85)
        let view = ConnectionView(tape.state, at: tape.moment, isRecorderAlive: false)
        #expect(view.status == .disconnected)
        #expect(view.heartRateBPM == nil)
        #expect(view.ageMilliseconds == nil)
        #expect(!view.isSilent && !view.isWithoutContact)
        #expect(view.device == strap)
    }
}
