extension GattService {
    /// The services that Pulselog knows, by the names that scenarios use.
    static let known: [(name: String, service: GattService)] = [
        (
            "hr",
            GattService(
                uuid: GattUUID(0x180D),
                characteristics: [
                    GattCharacteristic(uuid: .heartRateMeasurement, flags: ["notify"]),
                    // 1 is the chest.
                    GattCharacteristic(uuid: .bodySensorLocation, flags: ["read"], value: [1]),
                ])
        ),
        (
            "battery",
            GattService(
                uuid: GattUUID(0x180F),
                characteristics: [
                    GattCharacteristic(uuid: .batteryLevel, flags: ["read", "notify"], value: [87])
                ])
        ),
        (
            "dis",
            GattService(
                uuid: GattUUID(0x180A),
                characteristics: [
                    GattCharacteristic(
                        uuid: .manufacturerName, flags: ["read"], value: Array("FakeStrap".utf8)),
                    GattCharacteristic(
                        uuid: .modelNumber, flags: ["read"], value: Array("Strap-1".utf8)),
                    GattCharacteristic(
                        uuid: .serialNumber, flags: ["read"], value: Array("0001".utf8)),
                    GattCharacteristic(
                        uuid: .firmwareRevision, flags: ["read"], value: Array("1.0.0".utf8)),
                ])
        ),
        (
            "rsc",
            GattService(
                uuid: GattUUID(0x1814),
                characteristics: [
                    GattCharacteristic(uuid: .runningSpeedCadenceMeasurement, flags: ["notify"]),
                    GattCharacteristic(
                        uuid: .runningSpeedCadenceFeature, flags: ["read"], value: [0, 0]),
                    // 2 is the middle of the foot.
                    GattCharacteristic(uuid: .sensorLocation, flags: ["read"], value: [2]),
                ])
        ),
        (
            "motion",
            GattService(
                uuid: .infiniTime(0),
                characteristics: [
                    GattCharacteristic(
                        uuid: .infiniTimeStepCount, flags: ["read", "notify"], value: [0, 0, 0, 0])
                ])
        ),
    ]

    /// The services that stand in advertisements.
    static let advertised: Set<GattUUID> = [
        GattUUID(0x180D), GattUUID(0x1814), .infiniTime(0),
    ]

    /// The known service of that name, or nil.
    static func named(_ name: String) -> GattService? {
        known.first { $0.name == name }?.service
    }

    /// The known services, reduced to these characteristics; in the order of ``known``.
    static func services(holding characteristics: Set<GattUUID>) -> [GattService] {
        known.map(\.service).compactMap { service in
            var service = service
            service.characteristics.removeAll { !characteristics.contains($0.uuid) }
            return service.characteristics.isEmpty ? nil : service
        }
    }
}

extension Strap {
    /// Gives a characteristic a value; nothing happens if the strap does not have it.
    mutating func setValue(_ value: [UInt8], of characteristic: GattUUID) {
        for service in services.indices {
            for index in services[service].characteristics.indices
            where services[service].characteristics[index].uuid == characteristic {
                services[service].characteristics[index].value = value
            }
        }
    }
}
