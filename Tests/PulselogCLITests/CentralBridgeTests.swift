import BlueZ
import DBus
import Events
import Projections
import Recording
import Synchronization
import Testing

@testable import PulselogCLI

/// What becomes of the central's reports, and which devices are paired unasked.
@Suite("Central bridge")
struct CentralBridgeTests {
    static let one = BluetoothAddress(0xC400_0000_0001)
    static let two = BluetoothAddress(0xC400_0000_0002)

    /// A bridge, and the addresses that it asks to pair.
    final class Listener: Sendable {
        private let paired = Mutex<[UInt64]>([])

        func bridge(_ pairing: CentralBridge.Pairing) -> CentralBridge {
            CentralBridge(paired: [], pairing: pairing) { input in
                guard case .pair(let device, _, _) = input.command else { return }
                self.paired.withLock { $0.append(device.address) }
            }
        }

        var all: [UInt64] { paired.withLock { $0 } }
    }

    private func see(
        _ address: BluetoothAddress, _ bridge: CentralBridge,
        _ services: Set<BluetoothUUID> = [.heartRate]
    ) {
        bridge.take(
            .deviceSeen(DeviceSighting(address: address, services: services)),
            DBus.Arrival(bootMilliseconds: 1, wallMilliseconds: 1))
    }

    @Test("pairs the first strap that is seen, and no other")
    func firstStrap() {
        let listener = Listener()
        let bridge = listener.bridge(.firstStrap)
        bridge.note(hasStrap: false)
        see(Self.two, bridge, [.runningSpeedAndCadence])
        see(Self.one, bridge)
        bridge.note(hasStrap: false)
        see(Self.two, bridge)
        bridge.note(hasStrap: true)
        see(Self.two, bridge)
        #expect(listener.all == [Self.one.value])
    }

    @Test("pairs the next strap that is seen when the primary one is forgotten")
    func forgotten() {
        let listener = Listener()
        let bridge = listener.bridge(.none)
        bridge.note(hasStrap: true)
        see(Self.one, bridge)
        #expect(listener.all.isEmpty)
        bridge.note(hasStrap: false)
        see(Self.two, bridge)
        bridge.note(hasStrap: false)
        see(Self.one, bridge)
        #expect(listener.all == [Self.two.value])
    }

    @Test("pairs the device that was named, whatever is seen before it")
    func named() {
        let listener = Listener()
        let bridge = listener.bridge(.address(Self.two.value))
        see(Self.one, bridge)
        see(Self.two, bridge, [.runningSpeedAndCadence])
        see(Self.two, bridge)
        #expect(listener.all == [Self.two.value])
    }
}
