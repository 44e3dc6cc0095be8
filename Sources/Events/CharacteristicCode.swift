/// The characteristics whose values are recorded, by their number in the log.
@frozen
public enum CharacteristicCode: UInt8, CodedName {
    /// 0x2A37, Bluetooth HRS 1.0, 3.1.
    case heartRateMeasurement = 1
    /// 0x2A38, Bluetooth HRS 1.0, 3.2.
    case bodySensorLocation = 2
    /// 0x2A29, Bluetooth DIS 1.1, 3.1.
    case manufacturerName = 3
    /// 0x2A19, Bluetooth BAS 1.0, 3.1.
    case batteryLevel = 4
    /// 0x2A53, Bluetooth RSCS 1.0, 3.1.
    case runningSpeedCadenceMeasurement = 5
    /// 00030001-78fc-48fe-8e23-433b3a1942d0, InfiniTime's motion service.
    case infiniTimeStepCount = 6

    /// The names in the JSON form, in the order of the cases.
    public static let names = [
        "heartRateMeasurement", "bodySensorLocation", "manufacturerName", "batteryLevel",
        "runningSpeedCadenceMeasurement", "infiniTimeStepCount",
    ]
}

extension CharacteristicCode {
    /// Whether its values count steps, which never share a lane with heart rates.
    private var isOfPedometer: Bool {
        self == .runningSpeedCadenceMeasurement || self == .infiniTimeStepCount
    }

    /// The event of a value.
    ///
    /// - Parameters:
    ///   - device: Whose value it is.
    ///   - value: Its bytes, at most ``EventLimit/valueBytes``.
    ///   - isNotified: Whether the device sent it unasked.
    /// - Returns: The event.
    public func event(of device: DeviceID, _ value: [UInt8], isNotified: Bool) -> Event {
        guard !isOfPedometer else {
            return .pedometerRead(
                PedometerRead(device: device, reading: .characteristic(self, value)))
        }
        return isNotified
            ? .characteristicNotified(
                CharacteristicNotified(device: device, characteristic: self, value: value))
            : .characteristicRead(
                CharacteristicRead(device: device, characteristic: self, value: value))
    }

    /// The event of a value that is longer than a value can be.
    ///
    /// - Parameters:
    ///   - device: Whose value it is.
    ///   - fullLength: How many bytes it had.
    ///   - value: Those that are left of it.
    /// - Returns: The event.
    public func cut(of device: DeviceID, fullLength: UInt64, _ value: [UInt8]) -> Event {
        isOfPedometer
            ? .pedometerValueCut(
                PedometerValueCut(
                    device: device, characteristic: self, fullLength: fullLength, value: value))
            : .valueCut(
                ValueCut(
                    device: device, characteristic: self, fullLength: fullLength, value: value))
    }
}
