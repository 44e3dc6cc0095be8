internal import Events

/// What an attribute is, as far as it matters here.
enum AttributeType: Equatable {
    case primaryService
    case characteristicDeclaration
    case clientConfiguration
    /// A service that holds a known characteristic.
    case service(CharacteristicCode)
    /// The value of a known characteristic.
    case value(CharacteristicCode)
    case other

    /// Reads a UUID as it is in a packet: 2 or 16 bytes, the last one printed first.
    ///
    /// Numbers: Bluetooth Assigned Numbers, 3.
    init(uuid: Span<UInt8>) {
        switch uuid.count {
        case 2: self.init(number: uuid.littleEndian16(at: 0))
        case 16:
            switch (uuid.littleEndian64(at: 8), uuid.littleEndian64(at: 0)) {
            // Bluetooth Core 5.4, volume 3, part B, 2.5.1: a short UUID is part of the base UUID.
            case (let number, 0x8000_0080_5F9B_34FB)
            where number & 0xFFFF_0000_FFFF_FFFF == 0x1000:
                self.init(number: UInt16(truncatingIfNeeded: number >> 32))
            case (0x0003_0001_78FC_48FE, 0x8E23_433B_3A19_42D0):
                self = .value(.infiniTimeStepCount)
            case (0x0003_0000_78FC_48FE, 0x8E23_433B_3A19_42D0):
                self = .service(.infiniTimeStepCount)
            default: self = .other
            }
        default: self = .other
        }
    }

    private init(number: UInt16) {
        self =
            switch number {
            case 0x2800: .primaryService
            case 0x2803: .characteristicDeclaration
            case 0x2902: .clientConfiguration
            case 0x180D: .service(.heartRateMeasurement)
            case 0x180F: .service(.batteryLevel)
            case 0x1814: .service(.runningSpeedCadenceMeasurement)
            case 0x2A37: .value(.heartRateMeasurement)
            case 0x2A38: .value(.bodySensorLocation)
            case 0x2A29: .value(.manufacturerName)
            case 0x2A19: .value(.batteryLevel)
            case 0x2A53: .value(.runningSpeedCadenceMeasurement)
            default: .other
            }
    }
}
