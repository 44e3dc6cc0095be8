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
        #expect(
            reading.tree(value) == [
                LocatedObject(
                    path: "/org/bluez/hci0", .adapter,
                    [.powered(true), .discovering(false), .central(true)]),
                LocatedObject(
                    path: "/org/bluez/hci0/dev", .device,
                    [
                        .address(BluetoothAddress(0xC4_00_00_00_00_01)), .addressType(.random),
                        .name("Strap"), .signal(.heard(-58)),
                        .services([.heartRate, .heartRateMeasurement]), .connected(true),
                        .resolved(false),
                    ]),
                LocatedObject(
                    path: "/c", .characteristic,
                    [
                        .uuid(.heartRateMeasurement), .readable(false), .notifiable(true),
                        .notifying(true),
                    ]),
            ])
        #expect(reading.unexpectedCount == 0)
    }

    @Test("an RSSI of 127 is unmeasured, one taken back is lost")
    func signals() {
        #expect(device([("RSSI", .int16(127))]) == [.signal(.unmeasured)])
        #expect(device([("RSSI", .int16(-1))]) == [.signal(.heard(-1))])
        #expect(device([]) == [])
        #expect(device([], invalidated: ["RSSI"]) == [.signal(.lost)])
    }

    @Test("of very many services some are taken, and all that matter")
    func manyServices() {
        let strangers = (0..<200).map { BluetoothUUID(0xF000 + UInt16($0)).text }
        let known = BluetoothUUID.infiniTimeMotion
        let told = device([("UUIDs", .strings(strangers + [known.text, "nonsense"]))])
        guard case .services(let services)? = told.first else {
            Issue.record("No services: \(told)")
            return
        }
        #expect(services.count == 33)
        #expect(services.contains(known))
    }

    @Test("a long name is cut between two characters")
    func longNames() {
        let name = String(repeating: "ä", count: 511) + "🫀🫀🫀"
        let cut = device([("Name", .string(name))])
        #expect(cut == [.name(String(repeating: "ä", count: 511))])
        let whole = String(repeating: "a", count: 1_024)
        #expect(device([("Name", .string(whole))]) == [.name(whole)])
        let hostile = "\u{1B}[2J\n<b>\u{202E}=cmd"
        #expect(device([("Name", .string(hostile))]) == [.name(hostile)])
    }

    @Test("a property of another type is left out and counted, the rest is taken")
    func unexpectedTypes() {
        var reading = BluezReading()
        let told = reading.properties(
            of: .device,
            .properties([
                ("RSSI", .string("strong")), ("Connected", .uint32(1)), ("Name", .byteArray([1])),
                ("Address", .string("no address")), ("ServicesResolved", .boolean(true)),
            ]))
        #expect(told == [.resolved(true)])
        #expect(reading.unexpectedCount == 4)
        #expect(reading.properties(of: .adapter, .byte(1)) == [])
        #expect(reading.tree(nil) == [])
        #expect(reading.tree(.properties([("a", .byte(1))])) == [])
        #expect(reading.added(path: "/", interfaces: .byte(1)) == [])
        #expect(reading.unexpectedCount == 8)
    }

    @Test("an adapter's roles tell whether it can be a central, if it tells any")
    func roles() {
        var reading = BluezReading()
        let vectors: [([(String, Value)], [BluezProperty])] = [
            ([("Roles", .strings(["central", "peripheral"]))], [.central(true)]),
            ([("Roles", .strings(["peripheral"]))], [.central(false)]),
            ([("Roles", .strings([]))], [.central(false)]), ([], []),
        ]
        for (properties, told) in vectors {
            #expect(reading.properties(of: .adapter, .properties(properties)) == told)
        }
        #expect(reading.unexpectedCount == 0)
        // Who is wrong about its roles says nothing of them.
        #expect(
            reading.properties(of: .adapter, .properties([("Roles", .string("central"))])) == [])
        #expect(reading.unexpectedCount == 1)
    }

    @Test("a characteristic whose state of notifying is no truth value tells none")
    func notifying() {
        var reading = BluezReading()
        for (value, told) in [
            (Value.boolean(true), [.notifying(true)]), (.boolean(false), [.notifying(false)]),
            (.uint32(1), []), (.string("true"), []),
        ] as [(Value, [BluezProperty])] {
            let notifying = Value.properties([("Notifying", value)])
            #expect(reading.properties(of: .characteristic, notifying) == told)
        }
        #expect(reading.unexpectedCount == 2)
    }

    private func device(
        _ properties: [(String, Value)], invalidated: [String] = []
    ) -> [BluezProperty] {
        var reading = BluezReading()
        return reading.properties(
            of: .device, .properties(properties), invalidated: invalidated)
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
