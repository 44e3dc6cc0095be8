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
