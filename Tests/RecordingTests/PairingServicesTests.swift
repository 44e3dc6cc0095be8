import BluetoothCentral
import Events
import Testing

@testable import Recording

/// What a device is paired for: what its services are, whatever it advertises.
@Suite("Pairing by services")
struct PairingServicesTests {
    private static func connecting(
        _ device: DeviceSighting = PairingFlowTests.strap
    ) -> PairingFlow {
        var flow = PairingFlow(address: device.address)
        #expect(flow.hear(.deviceSeen(device)) == true)
        return flow
    }

    static let watch: Set<BluetoothUUID> = [
        .heartRate, .infiniTimeMotion, BluetoothUUID(0x180F),
    ]

    /// What a device advertises, and what it is found to have.
    static let pairs: [(advertised: Set<BluetoothUUID>, found: Set<BluetoothUUID>)] = [
        ([], watch), ([.heartRate], watch), ([.runningSpeedAndCadence], watch),
        ([], [.heartRate]), ([BluetoothUUID(0xFEE0)], [.runningSpeedAndCadence]),
    ]

    @Test("pairs a device for what its services are, whatever it advertises", arguments: pairs)
    func services(advertised: Set<BluetoothUUID>, found: Set<BluetoothUUID>) {
        var device = DeviceSighting(
            address: PairingFlowTests.address, name: "Band", services: advertised)
        var flow = Self.connecting(device)
        let guessed = Set(advertised.compactMap(\.measurement))
        #expect(flow.desire.devices.first?.measurements == guessed)
        #expect(flow.hear(.linkUp(device)) == false)
        // Its battery may be notified before its services are told.
        #expect(flow.hear(.subscribed(PairingFlowTests.address, .batteryLevel)) == false)
        device.services = found
        #expect(flow.hear(.servicesFound(device)) == true)
        #expect(flow.state == .subscribing(device))
        let measurements = Set(found.compactMap(\.measurement))
        #expect(flow.desire.devices.first?.measurements == measurements)
        for measurement in measurements.sorted() {
            #expect(flow.pairing == nil)
            _ = flow.hear(.subscribed(PairingFlowTests.address, measurement))
        }
        #expect(flow.state == .paired(device))
    }

    @Test("says what a device has, and what it is paired and primary for")
    func found() {
        var device = DeviceSighting(
            address: PairingFlowTests.address, name: "Watch",
            services: Self.watch.union([BluetoothUUID(0x1800), BluetoothUUID(0xFEE0)]))
        let state = PairingFlow.State.subscribing(device)
        #expect(
            state.sentence(lookingFor: nil)
                == "Watch offers heart rate (180D), steps (InfiniTime), battery (180F) and 1 more.")
        device.services = Self.watch
        let pairing = Pairing(device: device, isNamed: true, others: [])
        for (primary, words) in [
            ([], "Paired Watch for heart rate and steps."),
            ([.heart, .pedometer], "Paired Watch for heart rate and steps; it is primary."),
            ([.pedometer], "Paired Watch for heart rate and steps; it is primary for steps."),
        ] as [([Role], String)] {
            #expect(pairing.announcement(primary: primary) == words)
        }
    }

    @Test(
        "pairs nothing that has none of its services, and says what it has",
        arguments: [
            ([], "no services"), ([BluetoothUUID(0x180F)], "battery (180F)."),
            (
                [
                    BluetoothUUID(0x1801), BluetoothUUID(0x180A), BluetoothUUID(0xFE2C),
                    BluetoothUUID(high: 0x1234_ABCD_0000_4000, low: 1),
                ], "device information (180A), FE2C and 1234abcd…."
            ),
        ] as [(Set<BluetoothUUID>, String)])
    func offersNothing(services: Set<BluetoothUUID>, words: String) {
        var flow = Self.connecting()
        var device = PairingFlowTests.strap
        device.services = services
        #expect(flow.hear(.servicesFound(device)) == true)
        #expect(flow.state == .failed(.offersNothing(services)))
        let told = PairingFlow.Failure.offersNothing(services)
            .sentence(of: "Phone", PairingFlowTests.address, seconds: 30)
        #expect(told.contains(words), "\(told)")
    }

    @Test("takes no pedometer where it looks for a strap")
    func strapOnly() {
        var flow = PairingFlow(address: nil)
        _ = flow.hear(.deviceSeen(PairingFlowTests.strap))
        flow.passTime(in: flow.state)
        var device = PairingFlowTests.strap
        device.services = [.runningSpeedAndCadence]
        _ = flow.hear(.servicesFound(device))
        #expect(flow.state == .failed(.offersNothing([.runningSpeedAndCadence])))
    }

    @Test("does not say of a device that was heard that it was not seen, nor of any to moisten it")
    func heard() {
        var flow = Self.connecting(DeviceSighting(address: PairingFlowTests.address))
        #expect(flow.state.sentence(lookingFor: "it")?.contains("oist") == false)
        flow.passTime(in: flow.state)
        guard case .failed(let failure) = flow.state else { return }
        let told = failure.sentence(of: "Pod", PairingFlowTests.address, seconds: 30)
        #expect(told.contains("was seen but does not answer"))
        let unseen = PairingFlow.Failure.notSeen(trouble: nil)
        #expect(!unseen.sentence(of: "Pod", PairingFlowTests.address, seconds: 30).contains("oist"))
        #expect(unseen.sentence(of: nil, nil, seconds: 30).contains("moisten"))
        #expect(PairingFlow.State.scanning.sentence(lookingFor: "Pod")?.contains("oist") == false)
    }
}
