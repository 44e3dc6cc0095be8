import Events
import Testing

@testable import BluetoothCentral

@Suite("Central state: what others do")
struct CentralStateOthersTests {
    private let strap = Script.strap
    private let connect = CentralCall.connect(device: Script.device)
    private let disconnect = CentralCall.disconnect(device: Script.device)

    @Test("an attempt that the power cut off is called off and made again as soon as it is back")
    func attemptLost() throws {
        var script = try Script.linked()
        script.lose()
        #expect(script.newCalls() == [connect])
        script.wait(milliseconds: 1)
        script.power(false)
        script.wait(milliseconds: 4_000)
        #expect(script.newCalls().isEmpty)
        script.power(true)
        #expect(script.newCalls() == [disconnect])
        try script.fail(disconnect, "org.bluez.Error.NotConnected")
        #expect(script.newCalls() == [connect])
        // The answer to the lost one comes late, and means nothing.
        try script.fail(connect, "org.bluez.Error.Failed", "le-connection-abort-by-local")
        script.wait(milliseconds: 1_000)
        #expect(script.newCalls().isEmpty)
        try script.link()
        #expect(script.newReports().contains(Script.linkUp))
    }

    @Test("an attempt that the power cut off is called off also if its device is left meanwhile")
    func attemptLostAndLeft() throws {
        var script = try Script.linked()
        script.lose()
        script.power(false)
        script.want([])
        script.wait(milliseconds: 4_000)
        _ = script.newCalls()
        script.power(true)
        #expect(script.newCalls().contains(disconnect))
    }

    @Test("leaves a link alone that another program made, and ends one that it made itself")
    func leavesForeignLinks() throws {
        for isOurs in [false, true] {
            var script = try Script.linked(isOurs: isOurs)
            script.want([])
            _ = script.newCalls()
            try script.stopNotifications()
            #expect(script.newCalls() == (isOurs ? [disconnect] : []))
            #expect(script.state.isAtRest == !isOurs)
        }
    }

    @Test("leaving a link that another program is subscribed on ends only our part of it")
    func leavesToOthers() throws {
        for isUsed in [true, false] {
            var script = try Script.linked()
            script.notifying(true)
            script.want([])
            _ = script.newCalls()
            try script.answer(.stopNotify(characteristic: Script.battery))
            // BlueZ says so before its answer, and only if nobody else is subscribed.
            if !isUsed { script.notifying(false) }
            try script.answer(.stopNotify(characteristic: Script.measurement))
            #expect(script.newCalls() == (isUsed ? [] : [disconnect]))
            #expect(script.state.isAtRest == isUsed)
            let loss = LinkLoss(.requested, reason: "left to another program")
            #expect(
                script.newReports() == (isUsed ? [.linkDown(strap), .linkLost(strap, loss)] : []))
        }
    }

    @Test("a link whose subscription of ours could not be ended is ended, whoever else is on it")
    func leavesWithDisconnect() throws {
        var script = try Script.linked()
        script.notifying(true)
        script.want([])
        try script.answer(.stopNotify(characteristic: Script.battery))
        _ = script.newCalls()
        try script.answer(.stopNotify(characteristic: Script.measurement), .timedOut)
        #expect(script.newCalls() == [disconnect])
    }

    @Test("a device that BlueZ is told to refuse is named once, and connected when it may be")
    func blocked() throws {
        var script = try Script.ready([Script.known([.blocked(true)])])
        script.want()
        script.wait(milliseconds: 100_000)
        #expect(script.newCalls() == [.listObjects])
        let blocked = script.newReports().filter {
            if case .connectFailed = $0 { true } else { false }
        }
        #expect(blocked == [.connectFailed(strap, .blocked, nextAttemptMilliseconds: 0)])
        script.change(.blocked(false))
        #expect(script.newCalls() == [connect])
        try script.link()
        #expect(script.newReports().contains(Script.linkUp))
    }
}
