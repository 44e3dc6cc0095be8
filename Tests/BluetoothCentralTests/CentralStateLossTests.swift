import Events
import Testing

@testable import BluetoothCentral

@Suite("Central state: losses")
struct CentralStateLossTests {
    private let strap = Script.strap
    private let connect = CentralCall.connect(device: Script.device)
    private let disconnect = CentralCall.disconnect(device: Script.device)

    typealias Step = @Sendable (inout Script) -> Void

    /// What follows a loss after so many milliseconds each, what comes before it, and what is told
    /// of it, and when.
    static let explanations: [(String, [(UInt64, Step)], before: Step?, LinkLoss)] = [
        ("nothing", [], nil, LinkLoss(agoMilliseconds: 500)),
        (
            "another program ended it", [], explainLocally,
            LinkLoss(reason: "org.bluez.Reason.Local", agoMilliseconds: 500)
        ),
        ("a reason", [(30, explain)], nil, LinkLoss(.timeout, reason: reason, agoMilliseconds: 30)),
        ("a reason, late", [(501, explain)], nil, LinkLoss(agoMilliseconds: 500)),
        (
            "power off", [(124, { $0.power(false) })], nil,
            LinkLoss(.adapterLost, agoMilliseconds: 500)
        ),
        (
            "off and on", [(20, { $0.power(false) }), (20, { $0.power(true) })], nil,
            LinkLoss(.adapterLost, agoMilliseconds: 500)
        ),
        (
            "unplugged", [(71, { $0.power(false) }), (426, unplug)], nil,
            LinkLoss(.adapterLost, agoMilliseconds: 500)
        ),
        (
            "bluetoothd stopped",
            [(109, { $0.power(false) }), (339, unplug), (37, { $0.feed(.serviceVanished) })], nil,
            LinkLoss(.daemonLost, agoMilliseconds: 485)
        ),
        (
            "suspended", [(10, explainLocally), (10, { $0.power(false) })], nil,
            LinkLoss(.adapterLost, reason: "org.bluez.Reason.Local", agoMilliseconds: 500)
        ),
    ]

    static let reason = "org.bluez.Reason.Timeout: late"

    @Sendable static func explain(_ script: inout Script) {
        script.feed(
            .disconnected(
                path: Script.device, name: "org.bluez.Reason.Timeout", message: "late"))
    }

    @Sendable static func explainLocally(_ script: inout Script) {
        script.feed(
            .disconnected(path: Script.device, name: "org.bluez.Reason.Local", message: ""))
    }

    @Sendable static func unplug(_ script: inout Script) {
        script.feed(.objectRemoved(path: Script.adapter, .adapter))
    }

    @Test("a loss is told once its cause is known, and half a second after it at the latest")
    func lossExplained() throws {
        for (name, steps, before, told) in Self.explanations {
            var script = try Script.linked()
            before?(&script)
            script.lose()
            #expect(script.newCalls() == [connect], "the next attempt waits for no cause")
            for (pause, step) in steps {
                script.wait(milliseconds: pause)
                step(&script)
            }
            script.wait(milliseconds: 2_000)
            let losses = script.newReports().filter {
                if case .linkLost = $0 { true } else { false }
            }
            #expect(losses == [.linkLost(strap, told)], "\(name)")
        }
    }

    @Test("a link that is back before the reason came was lost all the same")
    func lostForAMoment() throws {
        var script = try Script.linked()
        script.change(.connected(false))
        script.change(.connected(true))
        let reports = script.newReports()
        #expect(reports.contains(.linkLost(strap, LinkLoss())))
        #expect(reports.suffix(2).first == Script.linkUp)
    }

    @Test("a link that could not be ended keeps no reason for its later loss")
    func notEnded() throws {
        var script = try Script.connecting()
        try script.link()
        script.change(.resolved(true))
        script.wait(milliseconds: 4_000)
        try script.fail(disconnect, "org.bluez.Error.Failed")
        script.wait(milliseconds: 2_000)
        for object in Script.characteristics { script.feed(.objectAdded(object)) }
        script.value([0, 71])
        script.lose()
        script.wait(milliseconds: 1_000)
        let loss = LinkLoss(agoMilliseconds: 500)
        #expect(script.newReports().contains(.linkLost(strap, loss)))
    }
}
