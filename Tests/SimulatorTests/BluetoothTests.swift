import BluetoothCentral
import Testing

@testable import SimulatorModel

@Suite("A simulated bluetoothd")
struct BluetoothTests {
    @Test("leaves no call without an answer when it ends, and answers none again")
    func crash() {
        var bluetooth = Bluetooth(
            (1...3).map { number in
                SimulatedStrap(
                    BluetoothAddress(0xC4_00_00_00_00_00 + number), name: "Strap",
                    measurement: .heartRateMeasurement)
            })
        bluetooth.obey(CallID(1), .startDiscovery(adapter: "/org/bluez/hci0", services: []))
        bluetooth.pass(to: 1_000)
        bluetooth.setRange(0, isInRange: false)
        bluetooth.obey(CallID(2), .connect(device: bluetooth.straps[1].devicePath))
        bluetooth.pass(to: 11_000)
        _ = bluetooth.takeEffects()
        bluetooth.obey(CallID(3), .connect(device: bluetooth.straps[0].devicePath))
        bluetooth.obey(CallID(4), .disconnect(device: bluetooth.straps[1].devicePath))
        bluetooth.obey(CallID(5), .connect(device: bluetooth.straps[2].devicePath))
        bluetooth.crash()
        #expect(failed(&bluetooth) == (3...5).map { CallID($0) })
        bluetooth.start()
        while let due = bluetooth.nextDue { bluetooth.pass(to: due) }
        #expect(failed(&bluetooth) == [])
    }

    /// The calls that were answered since the last time, each with `NoReply`, in order of number.
    private func failed(_ bluetooth: inout Bluetooth) -> [CallID] {
        bluetooth.takeEffects().compactMap { effect in
            guard case .input(.answered(let id, let answer)) = effect else { return nil }
            guard case .failed(let failure) = answer else {
                Issue.record("\(id) is answered \(answer)")
                return nil
            }
            #expect(failure.name == "org.freedesktop.DBus.Error.NoReply")
            return id
        }
    }
}
