import BluetoothCentral

extension GattService {
    /// The services that Pulselog knows, by the names that scenarios use.
    ///
    /// Numbers and not the recorder's names of them, so that a wrong one there is noticed.
    static let known: [(name: String, service: GattService)] = [
        ("hr", GattService(0x180D, [(0x2A37, "notify", []), (0x2A38, "read", [1])])),
        ("battery", GattService(0x180F, [(0x2A19, "read|notify", [87])])),
        (
            "dis",
            GattService(
                0x180A,
                [
                    (0x2A29, "read", Array("FakeStrap".utf8)),
                    (0x2A24, "read", Array("Strap-1".utf8)),
                    (0x2A25, "read", Array("0001".utf8)),
                    (0x2A26, "read", Array("1.0.0".utf8)),
                ])
        ),
        // 2 is the middle of the foot.
        (
            "rsc",
            GattService(
                0x1814, [(0x2A53, "notify", []), (0x2A54, "read", [0, 0]), (0x2A5D, "read", [2])])
        ),
        (
            "motion",
            GattService(
                uuid: motion,
                characteristics: [
                    GattCharacteristic(
                        uuid: stepCount, flags: ["read", "notify"], value: [0, 0, 0, 0])
                ])
        ),
    ]

    /// InfiniTime's motion service and its step count (InfiniTime, doc/MotionService.md).
    private static let motion = BluetoothUUID(
        high: 0x0003_0000_78FC_48FE, low: 0x8E23_433B_3A19_42D0)
    private static let stepCount = BluetoothUUID(
        high: 0x0003_0001_78FC_48FE, low: 0x8E23_433B_3A19_42D0)

    /// The services that stand in advertisements.
    static let advertised: Set<BluetoothUUID> = [
        BluetoothUUID(0x180D), BluetoothUUID(0x1814), motion,
    ]

    private init(_ uuid: UInt16, _ characteristics: [(UInt16, flags: String, value: [UInt8])]) {
        self.uuid = BluetoothUUID(uuid)
        self.characteristics = characteristics.map {
            GattCharacteristic(
                uuid: BluetoothUUID($0.0), flags: GattCharacteristic.flags($0.flags),
                value: $0.value)
        }
    }

    /// The known service of that name, or nil.
    package static func named(_ name: String) -> GattService? {
        known.first { $0.name == name }?.service
    }

    /// The known services, reduced to these characteristics; in the order of ``known``.
    static func services(holding characteristics: Set<BluetoothUUID>) -> [GattService] {
        known.map(\.service).compactMap { service in
            var service = service
            service.characteristics.removeAll { !characteristics.contains($0.uuid) }
            return service.characteristics.isEmpty ? nil : service
        }
    }
}

extension GattCharacteristic {
    /// Flags as scenarios write them: `READ|NOTIFY`.
    static func flags(_ text: String) -> [String] {
        text.lowercased().split(separator: "|").map(String.init)
    }
}
