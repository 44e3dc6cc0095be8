/// The characteristics whose values this module can decode.
///
/// The services that hold them, and whether a value is read or notified, are the central's concern.
public enum Characteristic: Hashable, Sendable, CaseIterable {
    /// 0x2A37, decoded by ``HeartRateMeasurement``.
    case heartRateMeasurement

    /// 0x2A38, decoded by ``BodySensorLocation``.
    case bodySensorLocation

    /// 0x2A19, decoded by ``BatteryLevel``.
    case batteryLevel

    /// 0x2A29, decoded by ``ManufacturerName``.
    case manufacturerName

    /// 0x2A53, decoded by ``RunningSpeedCadenceMeasurement``.
    case runningSpeedCadenceMeasurement

    /// InfiniTime's own, decoded by ``InfiniTimeStepCount``.
    case infiniTimeStepCount
}

// MARK: - Names

extension Characteristic {
    /// The characteristic with the given UUID, or `nil` if it is not one of ours.
    ///
    /// - Parameter uuid: A UUID in its short form ("2a37") or its long one
    ///   ("00002a37-0000-1000-8000-00805f9b34fb"), in capitals or not.
    public init?(uuid: String) {
        let lowercased = uuid.lowercased()
        let match = Self.allCases.first { candidate in
            lowercased == candidate.uuid || lowercased == candidate.shortUUID
        }
        guard let match else { return nil }
        self = match
    }

    /// The number that Bluetooth SIG assigned, or `nil` for a vendor's characteristic.
    public var assignedNumber: UInt16? {
        switch self {
        case .heartRateMeasurement: 0x2A37
        case .bodySensorLocation: 0x2A38
        case .batteryLevel: 0x2A19
        case .manufacturerName: 0x2A29
        case .runningSpeedCadenceMeasurement: 0x2A53
        case .infiniTimeStepCount: nil
        }
    }

    /// The shortest text form in lower case: four digits if there is an assigned number.
    public var shortUUID: String {
        guard let assignedNumber else { return uuid }
        return String(assignedNumber, radix: 16)
    }

    /// The full text form in lower case, 36 characters, as BlueZ prints it.
    public var uuid: String {
        guard let assignedNumber else { return "00030001-78fc-48fe-8e23-433b3a1942d0" }
        // Bluetooth Core 5.4, volume 3, part B, 2.5.1: a short UUID is part of the base UUID.
        return "0000\(String(assignedNumber, radix: 16))-0000-1000-8000-00805f9b34fb"
    }
}
