import BluetoothCentral
import Testing

/// What bluetoothd has, as who asks once is told.
@Suite("The inventory of BlueZ's objects")
struct BluezInventoryTests {
    static let strap = BluetoothAddress(0xC400_0000_0001)

    private static func adapter(
        _ path: String, isPowered: Bool = true, _ properties: BluezProperty...
    ) -> LocatedObject {
        LocatedObject(
            path: path, .adapter, [.powered(isPowered), .discovering(true)] + properties)
    }

    private static func device(
        _ path: String, _ address: BluetoothAddress = strap, _ properties: BluezProperty...
    ) -> LocatedObject {
        LocatedObject(path: path, .device, [.address(address)] + properties)
    }

    private static func measurement(_ device: String, isNotifying: Bool?) -> LocatedObject {
        let notifying = isNotifying.map { [BluezProperty.notifying($0)] } ?? []
        return LocatedObject(
            path: device + "/service0/char0", .characteristic,
            [.uuid(.heartRateMeasurement)] + notifying)
    }

    @Test("knows nothing of nothing")
    func empty() {
        let inventory = BluezInventory([])
        #expect(!inventory.hasAdapter)
        #expect(inventory.adapter == nil)
        #expect(inventory.device(Self.strap) == nil)
    }

    @Test("names the adapter that a recorder would use")
    func adapters() {
        let inventory = BluezInventory([
            Self.adapter("/org/bluez/hci0", isPowered: false),
            Self.adapter("/org/bluez/hci2"), Self.adapter("/org/bluez/hci1"),
            Self.adapter("/org/bluez/ahci", .central(false)),
        ])
        #expect(inventory.adapter?.name == "hci1")
        #expect(inventory.adapter?.isPowered == true)
        #expect(inventory.adapter?.isDiscovering == true)
        let mute = BluezInventory([Self.adapter("/org/bluez/hci0", .central(false))])
        #expect(mute.hasAdapter)
        #expect(mute.adapter == nil)
    }

    @Test("tells of a device whether it is linked, heard and subscribed to")
    func devices() throws {
        let path = "/a/dev"
        func device(_ objects: LocatedObject...) throws -> BluezInventory.Device {
            try #require(BluezInventory([Self.adapter("/a")] + objects).device(Self.strap))
        }
        let remembered = try device(Self.device(path))
        #expect(!remembered.isConnected && !remembered.isHeard && !remembered.isNotifying)
        #expect(try device(Self.device(path, Self.strap, .signal(.heard(-60)))).isHeard)
        #expect(try device(Self.device(path, Self.strap, .signal(.unmeasured))).isHeard)
        #expect(try device(Self.device(path, Self.strap, .connected(true))).isConnected)
        for isNotifying in [true, false, nil] {
            let found = try device(
                Self.device(path), Self.measurement(path, isNotifying: isNotifying))
            #expect(found.isNotifying == (isNotifying == true))
        }
    }

    @Test("takes the linked one of two with the same address, and keeps wanted ones in a crowd")
    func several() {
        let two = BluezInventory([
            Self.adapter("/a"), Self.adapter("/b"), Self.device("/a/dev"),
            Self.device("/b/dev", Self.strap, .connected(true)),
        ])
        #expect(two.device(Self.strap)?.isConnected == true)
        let crowd = (0..<2_000).map { Self.device("/a/dev\($0)", BluetoothAddress(UInt64($0))) }
        let objects = [Self.adapter("/a")] + crowd + [Self.device("/a/strap")]
        #expect(BluezInventory(objects, wanted: [Self.strap]).device(Self.strap) != nil)
    }
}
