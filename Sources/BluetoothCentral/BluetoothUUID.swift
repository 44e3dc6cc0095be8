public import Events

/// The name of a service or characteristic (Bluetooth Core, Vol 3, Part B, 2.5.1).
public struct BluetoothUUID: Hashable, Sendable {
    /// The first eight bytes.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// The Bluetooth base UUID is `00000000-0000-1000-8000-00805f9b34fb`.
    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    /// Makes a UUID from its two halves.
    ///
    /// - Parameters:
    ///   - high: The first eight bytes.
    ///   - low: The last eight bytes.
    public init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// Makes an assigned UUID from its short form.
    ///
    /// - Parameter short: The number assigned by the Bluetooth SIG, as in 0x2A37.
    public init(_ short: UInt16) {
        self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow)
    }

    /// Reads a UUID.
    ///
    /// - Parameter text: 36 characters as BlueZ writes them, or a short form of 4 hexadecimal
    ///   digits.
    public init?(_ text: some StringProtocol) {
        var digits: [UInt64] = []
        for (offset, character) in text.utf8.enumerated() {
            let isDash = character == UInt8(ascii: "-")
            guard isDash == [8, 13, 18, 23].contains(offset), offset < 36 else { return nil }
            if isDash { continue }
            guard let digit = character.hexadecimalDigit else { return nil }
            digits.append(UInt64(digit))
        }
        func number(_ digits: some Sequence<UInt64>) -> UInt64 {
            digits.reduce(0) { $0 << 4 | $1 }
        }
        switch digits.count {
        case 4: self.init(UInt16(number(digits)))
        case 32: self.init(high: number(digits.prefix(16)), low: number(digits.suffix(16)))
        default: return nil
        }
    }

    /// The short form, if it has one of 16 bits.
    public var short: UInt16? {
        guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return nil }
        return UInt16(exactly: high >> 32)
    }

    /// The 36 characters that BlueZ writes, in small letters.
    public var text: String {
        let high = String(high, radix: 16).withLeadingZeros(16)
        let low = String(low, radix: 16).withLeadingZeros(16)
        return [
            high.prefix(8), high.dropFirst(8).prefix(4), high.suffix(4), low.prefix(4),
            low.suffix(12),
        ].joined(separator: "-")
    }
}

extension BluetoothUUID: CustomStringConvertible {
    /// The short form in capitals if it has one, as in `2A37`, else all 36 characters.
    public var description: String {
        short.map { String($0, radix: 16).withLeadingZeros(4).uppercased() } ?? text
    }
}

extension BluetoothUUID: Comparable {
    /// Orders UUIDs by their bytes.
    public static func < (left: BluetoothUUID, right: BluetoothUUID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

// MARK: - Services

extension BluetoothUUID {
    /// Heart Rate, 180D.
    public static let heartRate = BluetoothUUID(0x180D)
    /// Running Speed and Cadence, 1814: foot pods.
    public static let runningSpeedAndCadence = BluetoothUUID(0x1814)
    /// InfiniTime's motion service (PineTime watch): steps.
    public static let infiniTimeMotion = BluetoothUUID(
        high: 0x0003_0000_78FC_48FE, low: 0x8E23_433B_3A19_42D0)
    /// What InfiniTime advertises in place of its motion service: Nordic's firmware update service.
    public static let nordicFirmwareUpdate = BluetoothUUID(
        high: 0x0000_1530_1212_EFDE, low: 0x1523_785F_EABC_D123)

    /// The services by which a device can fill a role, and what each of them notifies.
    private static let roles: [(service: BluetoothUUID, measurement: BluetoothUUID)] = [
        (heartRate, heartRateMeasurement),
        (runningSpeedAndCadence, runningSpeedCadenceMeasurement),
        (infiniTimeMotion, infiniTimeStepCount),
    ]

    /// The services by which a device can fill a role.
    public static let roleServices = Set(roles.map(\.service))

    /// What a device with this service notifies, or nil for other services.
    public var measurement: BluetoothUUID? { Self.roles.first { $0.service == self }?.measurement }
}

// MARK: - Characteristics

extension BluetoothUUID {
    /// Heart Rate Measurement, 2A37: notified, never read.
    public static let heartRateMeasurement = BluetoothUUID(0x2A37)
    /// Body Sensor Location, 2A38: read.
    public static let bodySensorLocation = BluetoothUUID(0x2A38)
    /// Manufacturer Name String, 2A29: read.
    public static let manufacturerName = BluetoothUUID(0x2A29)
    /// Battery Level, 2A19: read, and notified by some.
    public static let batteryLevel = BluetoothUUID(0x2A19)
    /// RSC Measurement, 2A53: notified by foot pods.
    public static let runningSpeedCadenceMeasurement = BluetoothUUID(0x2A53)
    /// InfiniTime's step count: notified by the watch when it changes.
    public static let infiniTimeStepCount = BluetoothUUID(
        high: 0x0003_0001_78FC_48FE, low: 0x8E23_433B_3A19_42D0)

    /// The characteristics whose values are recorded, in the order of their numbers in the log; all
    /// others are left alone.
    static let knownCharacteristics = [
        heartRateMeasurement, bodySensorLocation, manufacturerName, batteryLevel,
        runningSpeedCadenceMeasurement, infiniTimeStepCount,
    ]

    /// The UUID of a characteristic that the log names by a number.
    public init(_ code: CharacteristicCode) {
        self = Self.knownCharacteristics[Int(code.rawValue) - 1]
    }

    /// The service by which a device with this measurement is found, or nil for other
    /// characteristics.
    var roleService: BluetoothUUID? { Self.roles.first { $0.measurement == self }?.service }
}

extension CharacteristicCode {
    /// The number in the log of a characteristic, or nil for one whose values are not recorded.
    public init?(_ uuid: BluetoothUUID) {
        let code = Self.allCases.first { BluetoothUUID($0) == uuid }
        guard let code else { return nil }
        self = code
    }

    /// The number in the log of the characteristic with a UUID that a person wrote.
    ///
    /// - Parameter text: A UUID in its short form ("2a37", "0x2a37") or its long one
    ///   ("00002a37-0000-1000-8000-00805f9b34fb"), in capitals or not.
    public init?(uuid text: String) {
        let isPrefixed = text.lowercased().hasPrefix("0x")
        guard let uuid = BluetoothUUID(text.dropFirst(isPrefixed ? 2 : 0)) else { return nil }
        self.init(uuid)
    }

    /// The shortest text form of its UUID in lower case: four digits if there is a short form.
    public var shortUUID: String { BluetoothUUID(self).description.lowercased() }
}

extension Roles {
    /// The characteristics without which a device cannot fill the roles.
    public var characteristics: Set<BluetoothUUID> {
        var characteristics: Set<BluetoothUUID> = []
        if contains(.heart) { characteristics.insert(.heartRateMeasurement) }
        if contains(.footPod) { characteristics.insert(.runningSpeedCadenceMeasurement) }
        if contains(.watch) { characteristics.insert(.infiniTimeStepCount) }
        return characteristics
    }
}
