import BluetoothCentral
import Events
import TestSupport
import Testing

@testable import Recording
import Text
import Words

/// The pairing of a device: from scanning over connecting to paired, or to a failure with advice.
@Suite("Pairing flow")
struct PairingFlowTests {
    static let address = BluetoothAddress(0xC400_0000_0001)
    static let other = BluetoothAddress(0xC400_0000_0002)
    static let strap = DeviceSighting(address: address, name: "Strap One", services: [.heartRate])

    static let linkUp = CentralReport.linkUp(DeviceSighting(address: address))
    static let stale: DeviceSighting = {
        var sighting = strap
        sighting.isStale = true
        return sighting
    }()
    /// A device that advertises both measurements.
    static let both = DeviceSighting(
        address: address, services: [.heartRate, .runningSpeedAndCadence])

    static func failure(_ name: String, _ message: String = "") -> CallFailure {
        CallFailure(name: "org.bluez.Error.\(name)", message: message)
    }

    static func connectFailed(_ failure: CallFailure) -> CentralReport {
        .connectFailed(address, failure, nextAttemptMilliseconds: 0)
    }

    static func subscribeFailed(_ failure: CallFailure) -> CentralReport {
        .subscribeFailed(address, .heartRateMeasurement, failure, nextAttemptMilliseconds: 0)
    }

    /// A flow that has chosen the strap.
    private func connecting(_ device: DeviceSighting = strap) -> PairingFlow {
        var flow = PairingFlow(address: Self.address)
        #expect(flow.hear(.deviceSeen(device)) == true)
        #expect(flow.state == .connecting(device))
        return flow
    }

    @Test("scans until the device is heard, then stops scanning and connects")
    func choosing() {
        var flow = PairingFlow(address: Self.address)
        #expect(flow.desire.scanning == .device(Self.address))
        #expect(flow.desire.devices.isEmpty)
        let others = DeviceSighting(address: Self.other, services: [.heartRate])
        #expect(flow.hear(.deviceSeen(others)) == false)
        #expect(flow.hear(.deviceSeen(Self.strap)) == true)
        #expect(flow.desire.scanning == nil)
        #expect(flow.desire.devices.map(\.address) == [Self.address])
        #expect(flow.desire.devices.first?.measurements == [.heartRateMeasurement])
    }

    @Test("takes the strongest strap of those heard in some seconds if none is named")
    func strongest() {
        var flow = PairingFlow(address: nil)
        #expect(flow.desire.scanning == .services([.heartRate]))
        let pod = DeviceSighting(
            address: Self.other, rssi: -20, services: [.runningSpeedAndCadence])
        #expect(flow.hear(.deviceSeen(pod)) == false)
        #expect(flow.hear(.deviceSeen(Self.stale)) == false)
        #expect(flow.hear(.deviceSeen(Self.strap)) == true)
        #expect(flow.state == .listening)
        #expect(flow.desire.scanning == .services([.heartRate]))
        let near = DeviceSighting(address: Self.other, rssi: -50, services: [.heartRate])
        #expect(flow.hear(.deviceSeen(near)) == false)
        flow.passTime(in: .listening)
        #expect(flow.state == .connecting(near))
        _ = flow.hear(.subscribed(Self.other, .heartRateMeasurement))
        #expect(flow.pairing?.others == [Self.strap])
    }

    /// Straps that are there, and the one that is taken.
    static let crowds: [(name: String, heard: [DeviceSighting], taken: DeviceSighting)] = [
        (
            "the strongest", [sighting(1, -80), sighting(2, -60), sighting(3, -61)],
            sighting(2, -60)
        ),
        (
            "a measured one before one that is not", [sighting(1), sighting(2, -99)],
            sighting(2, -99)
        ),
        (
            "the linked one", [sighting(1, -20), sighting(2, isLinked: true)],
            sighting(2, isLinked: true)
        ),
        (
            "as it was heard last", [sighting(1, -40), sighting(2, -50), sighting(1, -60)],
            sighting(2, -50)
        ),
        ("the first address of two alike", [sighting(2, -50), sighting(1, -50)], sighting(1, -50)),
    ]

    static func sighting(
        _ number: UInt64, _ rssi: Int16? = nil, isLinked: Bool = false
    ) -> DeviceSighting {
        DeviceSighting(
            address: BluetoothAddress(number), rssi: rssi, services: [.heartRate],
            isStale: isLinked, isLinked: isLinked)
    }

    @Test("takes", arguments: crowds)
    func crowd(name: String, heard: [DeviceSighting], taken: DeviceSighting) {
        var flow = PairingFlow(address: nil)
        for sighting in heard { _ = flow.hear(.deviceSeen(sighting)) }
        flow.passTime(in: flow.state)
        #expect(flow.state == .connecting(taken))
    }

    @Test("takes a strong strap also where more are heard than it chooses among")
    func greatCrowd() {
        var flow = PairingFlow(address: nil)
        for number in 1...UInt64(2_000) { _ = flow.hear(.deviceSeen(Self.sighting(number, -90))) }
        let strap = Self.sighting(3_000, -40)
        _ = flow.hear(.deviceSeen(strap))
        _ = flow.hear(.deviceSeen(Self.sighting(4_000, -95)))
        flow.passTime(in: flow.state)
        #expect(flow.state == .connecting(strap))
    }

    @Test("never takes what BlueZ only remembers, or what went away while it listened")
    func away() {
        var flow = PairingFlow(address: nil)
        var stale = Self.sighting(1)
        stale.isStale = true
        #expect(flow.hear(.deviceSeen(stale)) == false)
        flow.passTime(in: flow.state)
        #expect(flow.state == .failed(.notSeen(trouble: nil)))
        flow = PairingFlow(address: nil)
        _ = flow.hear(.deviceSeen(Self.sighting(1, -60)))
        _ = flow.hear(.deviceSeen(stale))
        flow.passTime(in: flow.state)
        #expect(flow.state == .scanning)
    }

    /// The straps beside the one that is paired, and what is said of the choice.
    static let choices: [([DeviceSighting], String)] = [
        ([], "No other usable strap was heard."),
        ([sighting(2, -70)], "Also in range: 00:00:00:00:00:02."),
        (
            [sighting(2, -80), sighting(3, -70), sighting(4, -90)],
            "Also in range: 00:00:00:00:00:03, 00:00:00:00:00:02 and 1 more."
        ),
    ]

    @Test("says whom it paired, that there was a choice, and how to undo it", arguments: choices)
    func words(others: [DeviceSighting], choice: String) {
        var flow = PairingFlow(address: nil)
        var strap = Self.strap
        strap.rssi = -50
        strap.name = "A strap whose name is long."
        for sighting in others + [strap] { _ = flow.hear(.deviceSeen(sighting)) }
        flow.passTime(in: flow.state)
        #expect(flow.pairing == nil)
        _ = flow.hear(.subscribed(Self.address, .heartRateMeasurement))
        let told = flow.pairing?.announcement(primary: [.heart]) ?? ""
        #expect(
            told == "Paired A strap whose name is lo…; it is primary. \(choice) Not yours? "
                + "`pulselog devices forget C4:00:00:00:00:01`"
                + (others.isEmpty
                    ? "" : ", and name yours: `pulselog record --device ADDRESS`."))
        #expect(wrapped("pulselog: " + told, to: 79).count <= 4)
        var named = connecting()
        _ = named.hear(.subscribed(Self.address, .heartRateMeasurement))
        #expect(named.pairing?.announcement(primary: []) == "Paired Strap One.")
    }

    @Test("takes a named device that is linked already at once")
    func namedAndLinked() {
        var flow = PairingFlow(address: Self.address)
        var linked = Self.strap
        linked.isStale = true
        linked.isLinked = true
        #expect(flow.hear(.deviceSeen(linked)) == true)
        #expect(flow.state == .connecting(linked))
    }

    /// What is heard of a device until the last report pairs it, and the services that it has then.
    static let pairings: [(DeviceSighting, [CentralReport], kept: Set<BluetoothUUID>)] = [
        (
            strap,
            [
                .connecting(DeviceSighting(address: address), attempt: 1), linkUp,
                .valueRead(address, .batteryLevel, [80]), .subscribed(address, .batteryLevel),
                .subscribed(address, .heartRateMeasurement),
            ], [.heartRate]
        ),
        (
            both,
            [
                .valueNotified(address, .heartRateMeasurement, [0, 60]),
                .subscribed(address, .runningSpeedCadenceMeasurement),
            ], [.heartRate, .runningSpeedAndCadence]
        ),
        (
            both,
            [
                .measurementMissing(address, .runningSpeedCadenceMeasurement),
                .subscribed(address, .heartRateMeasurement),
            ], [.heartRate]
        ),
    ]

    @Test("pairs what notifies for what it has of its roles, and leaves it", arguments: pairings)
    func pairing(device: DeviceSighting, reports: [CentralReport], kept: Set<BluetoothUUID>) {
        var flow = connecting(device)
        let changes = reports.map { flow.hear($0) }
        #expect(changes.last == true && !changes.dropLast().contains(true))
        var paired = device
        paired.services = kept
        #expect(flow.state == .paired(paired))
        #expect(flow.desire == CentralDesire())
        flow.passTime(in: flow.state)
        #expect(flow.state == .paired(paired))
    }

    @Test("minds the device that was chosen, and no other that is linked meanwhile")
    func others() {
        var flow = connecting(Self.both)
        #expect(flow.hear(.subscribed(Self.address, .heartRateMeasurement)) == false)
        #expect(
            flow.hear(.valueNotified(Self.other, .runningSpeedCadenceMeasurement, [0, 0, 0, 0]))
                == false)
        #expect(
            flow.hear(.measurementMissing(Self.other, .runningSpeedCadenceMeasurement)) == false)
        #expect(flow.hear(.linkUp(DeviceSighting(address: Self.other))) == false)
        flow.passTime(in: flow.state)
        #expect(flow.state == .failed(.noLink(.noAnswer)))
    }

    @Test("tries a named device that is only remembered when the time to hear it is over")
    func remembered() {
        var flow = PairingFlow(address: Self.address)
        #expect(flow.hear(.deviceSeen(Self.stale)) == false)
        flow.passTime(in: flow.state)
        #expect(flow.state == .connecting(Self.stale))
        // It was never heard: nothing says that it was.
        flow.passTime(in: flow.state)
        #expect(flow.state == .failed(.notSeen(trouble: nil)))
    }

    @Test("lets the time of scanning pass once it connects")
    func lateLimit() {
        var flow = connecting()
        flow.passTime(in: .scanning)
        #expect(flow.state == .connecting(Self.strap))
        flow.passTime(in: .connecting(Self.strap))
        #expect(flow.state == .failed(.noLink(.noAnswer)))
    }

    @Test("goes on after failures that may pass")
    func patience() {
        var flow = connecting()
        let away = Self.failure("Failed", "le-connection-abort-by-local")
        #expect(flow.hear(Self.connectFailed(away)) == false)
        #expect(flow.hear(.linkLost(Self.address, LinkLoss())) == false)
        let resetting = AdapterChange(.resetting, .daemonGone)
        #expect(flow.hear(.adapterStateChanged(resetting)) == false)
        #expect(flow.hear(.subscribed(Self.address, .heartRateMeasurement)) == true)
    }

    /// What is heard while connecting, the failure that it leads to, at once or when the time is
    /// over, and words of the advice.
    static let failures: [(reports: [CentralReport], PairingFlow.Failure, words: String)] = [
        ([], .noLink(.noAnswer), "does not answer"),
        (
            [connectFailed(failure("Failed", "br-connection-canceled"))], .noLink(.calledOff),
            "does not answer"
        ),
        (
            [connectFailed(failure("AuthenticationFailed"))], .noLink(.wantsPairing),
            "bluetoothctl pair C4:00:00:00:00:01"
        ),
        (
            [connectFailed(failure("Blocked"))], .noLink(.blocked),
            "bluetoothctl unblock C4:00:00:00:00:01"
        ),
        ([linkUp], .notifiesNot(.noAnswer), "sends nothing"),
        ([linkUp, .linkLost(address, LinkLoss())], .noLink(.noAnswer), "does not answer"),
        (
            [linkUp, .measurementMissing(address, .heartRateMeasurement)],
            .offersNot(.heartRateMeasurement), "does not offer 2A37"
        ),
        (
            [linkUp, subscribeFailed(failure("NotPermitted", "Notify acquired"))],
            .notifiesNot(.taken), "Close that program"
        ),
        (
            [linkUp, subscribeFailed(failure("Failed", "Operation failed with ATT error: 0x0f"))],
            .notifiesNot(.wantsPairing), "bluetoothctl pair"
        ),
        (
            [
                linkUp,
                subscribeFailed(
                    CallFailure(name: "org.freedesktop.DBus.Error.AccessDenied", message: "")),
            ],
            .notifiesNot(.denied), "Run as"
        ),
        (
            [.adapterStateChanged(AdapterChange(.poweredOff, .switched))],
            .adapter(AdapterChange(.poweredOff, .switched)), "bluetoothctl power on"
        ),
    ]

    @Test("fails with what to do", arguments: failures)
    func failing(reports: [CentralReport], failure: PairingFlow.Failure, words: String) {
        var flow = connecting()
        for report in reports { _ = flow.hear(report) }
        flow.passTime(in: flow.state)
        #expect(flow.state == .failed(failure))
        #expect(flow.desire == CentralDesire())
        let told = failure.sentence(of: "Strap One", Self.address, seconds: 30)
        #expect(told.contains(words), "\(told)")
    }

    @Test("says why nothing was seen, and without a bus at once")
    func unseen() {
        let (resetting, noBus) = (AdapterChange(.resetting, .daemonGone), Self.failure("NoServer"))
        let cases: [(CentralReport, PairingFlow.Failure, words: String)] = [
            (.adapterStateChanged(resetting), .notSeen(trouble: resetting.sentence()), "not seen"),
            (.busUnavailable(noBus, nextAttemptMilliseconds: 1), .noBus(noBus), "pulselog doctor"),
        ]
        for (report, failure, words) in cases {
            var flow = PairingFlow(address: Self.address)
            #expect(flow.hear(report) == (failure == .noBus(noBus)))
            flow.passTime(in: .scanning)
            #expect(flow.state == .failed(failure))
            #expect(failure.sentence(of: "Strap One", Self.address, seconds: 1).contains(words))
        }
    }
}
