import BluetoothCentral
import Testing

@testable import Words

/// What a scan shows while it listens.
@Suite("Scan list")
struct ScanListTests {
    private func see(_ number: UInt64, rssi: Int16, _ list: inout ScanList) {
        list.hear(.deviceSeen(DeviceSighting(address: BluetoothAddress(number), rssi: rssi)))
    }

    @Test("keeps to its limit, and follows the devices that it has")
    func limit() {
        var list = ScanList(showsRoles: false)
        for number in 1...UInt64(ScanList.limit) { see(number, rssi: -70, &list) }
        see(UInt64(ScanList.limit) + 1, rssi: -40, &list)
        see(1, rssi: -50, &list)
        #expect(list.sightings.count == ScanList.limit)
        #expect(list.sightings.first?.address == BluetoothAddress(1))
        #expect(list.lines(secondsLeft: .seconds(1), in: (80, 24)).count <= 24)
    }

    @Test("lets only bus and adapter take the place of what to do")
    func trouble() {
        var list = ScanList(showsRoles: false)
        list.hear(.intakeFinding(.unexpectedType, count: 1))
        list.hear(.connecting(DeviceSighting(address: BluetoothAddress(1)), attempt: 1))
        #expect(list.trouble == nil)
        list.hear(.adapterStateChanged(AdapterChange(.poweredOff, .switched)))
        #expect(list.trouble?.contains("switched off") == true)
        list.hear(.adapterStateChanged(AdapterChange(.poweredOn, .switched)))
        #expect(list.trouble == nil)
        let noBus = CallFailure(name: "org.bluez.Error.Failed", message: "no bus")
        list.hear(.busUnavailable(noBus, nextAttemptMilliseconds: 1_000))
        #expect(list.trouble?.contains("Is dbus running?") == true)
    }
}
