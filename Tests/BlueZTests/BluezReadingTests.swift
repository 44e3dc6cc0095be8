import DBus
import Testing

@testable import BluetoothCentral
@testable import BlueZ

@Suite("Reading BlueZ's messages")
struct BluezReadingTests {
    @Test("objects of interest are taken, others left out")
    func tree() {
        let uuid = "00002a37-0000-1000-8000-00805f9b34fb"
        let value = Value.dictionary(
            entrySignature: "{oa{sa{sv}}}",
            [
                entry(
                    "/org/bluez",
                    [("org.bluez.AgentManager1", []), ("org.bluez.ProfileManager1", [])]),
                entry(
                    "/org/bluez/hci0", "org.bluez.Adapter1",
                    [
                        ("Powered", .boolean(true)), ("Discovering", .boolean(false)),
                        ("Roles", .strings(["central", "peripheral"])),
                    ]),
                entry(
                    "/org/bluez/hci0/dev", "org.bluez.Device1",
                    [
                        ("Address", .string("C4:00:00:00:00:01")),
                        ("AddressType", .string("random")), ("Name", .string("Strap")),
                        ("RSSI", .int16(-58)),
                        ("UUIDs", .strings([uuid, "0000180d-0000-1000-8000-00805f9b34fb"])),
                        ("Connected", .boolean(true)), ("ServicesResolved", .boolean(false)),
                    ]),
                entry(
                    "/c", "org.bluez.GattCharacteristic1",
                    [
                        ("UUID", .string(uuid)), ("Flags", .strings(["notify"])),
                        ("Notifying", .boolean(true)), ("Value", .byteArray([0, 70])),
                    ]),
            ])
        var reading = BluezReading()
        var device = DeviceProperties()
        device.address = BluetoothAddress(0xC4_00_00_00_00_01)
        device.addressType = .random
        device.name = "Strap"
        device.signal = .heard(-58)
        device.services = [.heartRate, .heartRateMeasurement]
        device.isConnected = true
        device.isResolved = false
        #expect(
            reading.tree(value) == [
                LocatedObject(
                    path: "/org/bluez/hci0",
                    object: .adapter(
                        AdapterProperties(isPowered: true, isDiscovering: false, isCentral: true))),
                LocatedObject(path: "/org/bluez/hci0/dev", object: .device(device)),
                LocatedObject(
                    path: "/c",
                    object: .characteristic(
                        CharacteristicProperties(
                            uuid: .heartRateMeasurement, isReadable: false, isNotifiable: true,
                            isNotifying: true))),
            ])
        #expect(reading.unexpectedCount == 0)
    }

    @Test("an RSSI of 127 is unmeasured, one taken back is lost")
    func signals() {
        #expect(device([("RSSI", .int16(127))]).signal == .unmeasured)
        #expect(device([("RSSI", .int16(-1))]).signal == .heard(-1))
        #expect(device([]).signal == nil)
        #expect(device([], invalidated: ["RSSI"]).signal == .lost)
    }

    @Test("of very many services some are taken, and all that matter")
    func manyServices() throws {
        let strangers = (0..<200).map { BluetoothUUID(0xF000 + UInt16($0)).text }
        let known = BluetoothUUID.infiniTimeMotion
        let services = try #require(
            device([("UUIDs", .strings(strangers + [known.text, "nonsense"]))]).services)
        #expect(services.count == 33)
        #expect(services.contains(known))
    }

    @Test("a long name is cut between two characters")
    func longNames() {
        let name = String(repeating: "ä", count: 511) + "🫀🫀🫀"
        let cut = device([("Name", .string(name))])
        #expect(cut.name == String(repeating: "ä", count: 511))
        let whole = device([("Name", .string(String(repeating: "a", count: 1_024)))])
        #expect(whole.name?.utf8.count == 1_024)
        let hostile = "\u{1B}[2J\n<b>\u{202E}=cmd"
        #expect(device([("Name", .string(hostile))]).name == hostile)
    }

    @Test("a property of another type is left out and counted, the rest is taken")
    func unexpectedTypes() {
        var reading = BluezReading()
        let object = reading.object(
            .device,
            .properties([
                ("RSSI", .string("strong")), ("Connected", .uint32(1)), ("Name", .byteArray([1])),
                ("Address", .string("no address")), ("ServicesResolved", .boolean(true)),
            ]))
        var expected = DeviceProperties()
        expected.isResolved = true
        #expect(object == .device(expected))
        #expect(reading.unexpectedCount == 4)
        #expect(reading.object(.adapter, .byte(1)) == .adapter(AdapterProperties()))
        #expect(reading.tree(nil) == [])
        #expect(reading.tree(.properties([("a", .byte(1))])) == [])
        #expect(reading.added(path: "/", interfaces: .byte(1)) == [])
        #expect(reading.unexpectedCount == 8)
    }

    @Test("an adapter's roles tell whether it can be a central, if it tells any")
    func roles() {
        var reading = BluezReading()
        let vectors: [([(String, Value)], Bool?)] = [
            ([("Roles", .strings(["central", "peripheral"]))], true),
            ([("Roles", .strings(["peripheral"]))], false), ([("Roles", .strings([]))], false),
            ([], nil),
        ]
        for (properties, isCentral) in vectors {
            #expect(
                reading.object(.adapter, .properties(properties))
                    == .adapter(AdapterProperties(isCentral: isCentral)))
        }
        #expect(reading.unexpectedCount == 0)
        // Who is wrong about its roles says nothing of them.
        #expect(
            reading.object(.adapter, .properties([("Roles", .string("central"))]))
                == .adapter(AdapterProperties()))
        #expect(reading.unexpectedCount == 1)
    }

    @Test("a characteristic whose state of notifying is no truth value tells none")
    func notifying() {
        var reading = BluezReading()
        for (value, isNotifying) in [
            (Value.boolean(true), true), (.boolean(false), false), (.uint32(1), nil),
            (.string("true"), nil),
        ] as [(Value, Bool?)] {
            let object = reading.object(
                .characteristic, .properties([("Notifying", value)]))
            guard case .characteristic(let characteristic) = object else {
                Issue.record("It is no characteristic: \(object)")
                continue
            }
            #expect(characteristic.isNotifying == isNotifying)
        }
        #expect(reading.unexpectedCount == 2)
    }

    private func device(
        _ properties: [(String, Value)], invalidated: [String] = []
    ) -> DeviceProperties {
        var reading = BluezReading()
        let object = reading.object(.device, .properties(properties), invalidated: invalidated)
        guard case .device(let device) = object else { return DeviceProperties() }
        return device
    }

    private func entry(
        _ path: String, _ interface: String, _ properties: [(String, Value)]
    ) -> Value.Entry {
        entry(path, [(interface, properties)])
    }

    private func entry(
        _ path: String, _ interfaces: [(String, [(String, Value)])]
    ) -> Value.Entry {
        let entries = interfaces.map {
            Value.Entry(key: .string($0.0), value: .properties($0.1))
        }
        return Value.Entry(
            key: .objectPath(path), value: .dictionary(entrySignature: "{sa{sv}}", entries))
    }
}
