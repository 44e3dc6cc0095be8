/// The UUID of a service or a characteristic, in the long form that BlueZ writes.
struct GattUUID: Hashable, Sendable {
    /// 36 lowercase characters, as in `0000180d-0000-1000-8000-00805f9b34fb`.
    let text: String

    /// What follows the first eight digits of an assigned number (Bluetooth Core 5.4, Vol 3,
    /// Part B, 2.5.1).
    private static let base = "-0000-1000-8000-00805f9b34fb"

    /// Reads the form with 4, 8 or 36 characters, or gives nil for any other text.
    init?(_ text: String) {
        let digits = text.lowercased()
        let long =
            switch digits.utf8.count {
            case 4: "0000" + digits + GattUUID.base
            case 8: digits + GattUUID.base
            default: digits
            }
        let bytes = Array(long.utf8)
        guard bytes.count == 36 else { return nil }
        for (index, byte) in bytes.enumerated() {
            let isDash = [8, 13, 18, 23].contains(index)
            let isDigit = Character(UnicodeScalar(byte)).isHexDigit
            guard isDash ? byte == UInt8(ascii: "-") : isDigit else { return nil }
        }
        self.text = long
    }

    /// The UUID of an assigned number, as in `0x2A37`.
    init(_ number: UInt16) {
        let digits = String(number, radix: 16)
        let zeros = String(repeating: "0", count: 8 - digits.utf8.count)
        text = zeros + digits + GattUUID.base
    }

    /// The four digits of an assigned number, otherwise the long form.
    var shortText: String {
        guard text.hasPrefix("0000"), text.hasSuffix(GattUUID.base) else { return text }
        return String(text.dropFirst(4).prefix(4))
    }
}

extension GattUUID {
    /// Heart Rate Measurement, Bluetooth HRS 1.0, 3.1.
    static let heartRateMeasurement = GattUUID(0x2A37)
    /// Body Sensor Location, Bluetooth HRS 1.0, 3.2.
    static let bodySensorLocation = GattUUID(0x2A38)
    /// Battery Level, Bluetooth BAS 1.0, 3.1.
    static let batteryLevel = GattUUID(0x2A19)
    /// Manufacturer Name String, Bluetooth DIS 1.1, 3.1.
    static let manufacturerName = GattUUID(0x2A29)
    /// Model Number String, Bluetooth DIS 1.1, 3.2.
    static let modelNumber = GattUUID(0x2A24)
    /// Serial Number String, Bluetooth DIS 1.1, 3.3.
    static let serialNumber = GattUUID(0x2A25)
    /// Firmware Revision String, Bluetooth DIS 1.1, 3.5.
    static let firmwareRevision = GattUUID(0x2A26)
    /// RSC Measurement, Bluetooth RSCS 1.0, 3.1.
    static let runningSpeedCadenceMeasurement = GattUUID(0x2A53)
    /// RSC Feature, Bluetooth RSCS 1.0, 3.2.
    static let runningSpeedCadenceFeature = GattUUID(0x2A54)
    /// Sensor Location, Bluetooth RSCS 1.0, 3.3.
    static let sensorLocation = GattUUID(0x2A5D)
    /// Step count of InfiniTime's motion service (InfiniTime, doc/MotionService.md).
    static let infiniTimeStepCount = infiniTime(1)
    /// Client Characteristic Configuration, Bluetooth Core 5.4, Vol 3, Part G, 3.3.3.3.
    static let clientConfiguration = GattUUID(0x2902)

    /// A UUID of InfiniTime's motion service; 0 is the service itself.
    static func infiniTime(_ number: UInt8) -> GattUUID {
        // The pattern is that of a UUID, so the fallback never stands in.
        GattUUID("0003000\(number)-78fc-48fe-8e23-433b3a1942d0") ?? GattUUID(0)
    }
}
