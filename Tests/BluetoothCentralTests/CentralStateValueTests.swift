import Testing

@testable import BluetoothCentral

@Suite("Central state: values")
struct CentralStateValueTests {
    private let strap = Script.strap
    private let start = CentralCall.startNotify(characteristic: Script.measurement)
    private let stop = CentralCall.stopNotify(characteristic: Script.measurement)

    /// Connected and resolved; nothing answered yet.
    private func resolved() throws -> Script {
        var script = try Script.connecting()
        try script.linkWithServices()
        _ = script.newReports()
        return script
    }

    @Test("all are passed on as they are, also equal ones and empty ones")
    func verbatim() throws {
        var script = try Script.linked()
        let values: [[UInt8]] = [[0, 70], [0, 70], [], [16, 70, 1, 2, 3], [0, 70]]
        for value in values { script.value(value) }
        #expect(
            script.newReports() == values.map { .valueNotified(strap, .heartRateMeasurement, $0) })
    }

    @Test("count from the moment StartNotify is sent, not from its answer")
    func beforeAnswer() throws {
        var script = try resolved()
        script.value([0, 70])
        #expect(script.newReports() == [.valueNotified(strap, .heartRateMeasurement, [0, 70])])
    }

    @Test("remembered in the object tree are no notifications")
    func cached() throws {
        var script = try Script.linked()
        script.feed(.objectAdded(Script.characteristics[0]))
        #expect(script.newReports() == [])
    }

    @Test("that are echoes of our own read are no notifications")
    func readEcho() throws {
        var script = try resolved()
        try script.answer(start)
        #expect(script.newCalls().last == .readValue(characteristic: Script.battery))
        script.value([87], of: Script.battery)
        try script.answer(.readValue(characteristic: Script.battery), .bytes([87]))
        #expect(
            script.newReports() == [
                .subscribed(strap, .heartRateMeasurement), .valueRead(strap, .batteryLevel, [87]),
            ])
        #expect(script.newCalls().last == .startNotify(characteristic: Script.battery))
        script.value([86], of: Script.battery)
        #expect(script.newReports() == [.valueNotified(strap, .batteryLevel, [86])])
    }

    @Test("longer than an attribute can be are cut")
    func oversized() throws {
        var script = try Script.linked()
        let longest = [UInt8](repeating: 7, count: 512)
        script.value(longest)
        script.value(longest + [8])
        #expect(
            script.newReports() == [
                .valueNotified(strap, .heartRateMeasurement, longest),
                .valueCut(strap, .heartRateMeasurement, fullByteCount: 513, longest),
            ])
    }

    @Test("of devices and characteristics nobody asked for are left alone")
    func strangers() throws {
        var script = try Script.linked()
        script.value([1], of: Script.device + "/service0020/char0021")
        script.value([1], of: "/elsewhere")
        #expect(script.newReports() == [])
    }

    @Test("missing for 5, 10, 20, then every 30 s lead to StopNotify and StartNotify")
    func silence() throws {
        var script = try Script.subscribed()
        _ = script.newCalls()
        _ = script.newReports()
        for patience: UInt64 in [5_000, 10_000, 20_000, 30_000, 30_000] {
            script.expect([stop], after: patience)
            #expect(
                script.newReports() == [
                    .silent(strap, .heartRateMeasurement, forMilliseconds: patience)
                ])
            try script.answer(stop)
            #expect(script.newCalls() == [start])
            try script.answer(start)
            _ = script.newReports()
        }
        script.value([0, 70])
        script.wait(milliseconds: 29_999)
        #expect(script.newCalls() == [])
    }

    @Test(
        "a device is awaited for as long as its own cadence says", arguments: [0, 15_000, 45_000])
    func slowDevice(silence: UInt64) throws {
        var script = try Script.subscribed()
        var device = WantedDevice(address: strap)
        device.silenceMilliseconds = silence
        script.want([device])
        _ = script.newCalls()
        for patience in [min(max(5_000, silence), 30_000), max(30_000, silence)] {
            script.expect([stop], after: patience)
            try script.answer(stop)
            try script.answer(start)
            script.value([0, 70])
            _ = script.newCalls()
        }
    }

    @Test("pause with StopNotify, what still comes is passed on, and resume with StartNotify")
    func pause() throws {
        var script = try Script.linked()
        script.want(Script.paused)
        #expect(script.newCalls() == [stop])
        script.value([0, 70])
        try script.answer(stop)
        script.value([0, 71])
        #expect(script.newReports().count == 2)
        script.wait(milliseconds: 600_000)
        #expect(script.newCalls() == [])
        script.want()
        #expect(script.newCalls() == [start])
        try script.answer(start)
        #expect(script.newReports() == [.subscribed(strap, .heartRateMeasurement)])
    }

    @Test("stay away after a pause while the link is down: bluetoothd is told before it is back")
    func pauseWhileDown() throws {
        var script = try Script.linked()
        script.lose()
        #expect(script.newCalls() == [.connect(device: Script.device)])
        script.want(Script.paused)
        #expect(script.newCalls() == [stop])
        try script.answer(stop)
        try script.linkWithServices()
        #expect(!script.newCalls().contains(start))
        script.want()
        #expect(script.newCalls() == [start])
    }

    @Test("are stopped as soon as the link is back, if they could not be before")
    func pauseRefusedWhileDown() throws {
        var script = try Script.linked()
        script.want(Script.paused)
        #expect(script.newCalls() == [stop])
        // The link breaks before the answer.
        script.lose()
        #expect(script.newCalls() == [stop, .connect(device: Script.device)])
        for _ in 1...2 { try script.fail(stop, "org.bluez.Error.Failed", "Not connected") }
        try script.link()
        script.wait(milliseconds: 1_000)
        #expect(script.newCalls() == [stop], "before its services are known again")
        // Now a refusal says that nothing is to be stopped.
        try script.fail(stop, "org.bluez.Error.Failed", "No notify session started")
        script.change(.resolved(true))
        script.wait(milliseconds: 60_000)
        #expect(!script.newCalls().contains { $0 == stop || $0 == start })
    }

    @Test("that were never asked for are not stopped")
    func pauseFromTheBegin() throws {
        var script = try Script.ready([Script.knownStrap])
        script.want(Script.paused)
        try script.linkWithServices()
        script.wait(milliseconds: 60_000)
        #expect(!script.newCalls().contains { $0 == stop || $0 == start })
    }

    @Test("are subscribed also when BlueZ says that this is going on")
    func inProgress() throws {
        var script = try resolved()
        try script.fail(start, "org.bluez.Error.InProgress")
        #expect(script.newReports() == [.subscribed(strap, .heartRateMeasurement)])
    }

    @Test("that the strap refuses are asked for again, ever more slowly")
    func refused() throws {
        var script = try resolved()
        let failure = CallFailure(
            name: "org.bluez.Error.NotPermitted", message: "Notify acquired")
        for pause: UInt64 in [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000] {
            try script.fail(start, failure.name, failure.message)
            #expect(
                script.newReports() == [
                    .subscribeFailed(
                        strap, .heartRateMeasurement, failure, nextAttemptMilliseconds: pause)
                ])
            script.wait(milliseconds: pause)
        }
    }

    @Test("details that cannot be read or notified are tried once on each link")
    func details() throws {
        var script = try resolved()
        try script.answer(start)
        try script.answer(.readValue(characteristic: Script.battery), .timedOut)
        try script.fail(.startNotify(characteristic: Script.battery), "org.bluez.Error.Failed")
        _ = script.newCalls()
        for _ in 0..<100 {
            script.wait(milliseconds: 1_000)
            script.value([0, 70])
        }
        #expect(script.newCalls() == [])
        script.lose()
        try script.link()
        script.change(.resolved(true))
        try script.answer(start)
        #expect(script.newCalls().last == .readValue(characteristic: Script.battery))
    }
}
