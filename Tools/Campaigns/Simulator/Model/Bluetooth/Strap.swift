import BluetoothCentral

/// A device in the world: what it is, and how it is with bluetoothd.
struct Strap {
    /// Its address.
    let address: BluetoothAddress
    /// What it calls itself: a stranger's text.
    let name: String
    /// What it measures.
    let measurement: BluetoothUUID
    /// The object path of the device.
    let path: String

    // The world's.

    /// Whether the adapter hears it.
    var isInRange = true
    /// Whether the skin is felt.
    var hasContact = true
    /// Whether each value is signalled twice, because another program has subscribed as well.
    var isCopied = false
    /// How many values it has sent.
    var valueCount: UInt64 = 0
    /// The charge in percent.
    var battery: UInt8 = 90
    /// What comes after the next second: forms of values that the specification forbids.
    var isIllFormed = false
    /// How many more of its links come to nothing, because it is almost out of range: in turn an
    /// attempt fails at once, and a link is lost before a value came.
    var weakAttempts = 0

    // bluetoothd's.

    var isKnown = false
    var isConnected = false
    var isResolved = false
    var hasServices = false
    var isSubscribed = false
    /// The attempt to connect that goes on.
    var pendingConnect: CallID?
    /// Whether bluetoothd is lost in an attempt, which only `Disconnect` or the end of all links
    /// ends.
    var isHung = false
    /// The number of the stream of values: an older one has ended.
    var streamNumber = 0
    /// The number of the link: an older one has ended.
    var linkNumber = 0

    init(_ address: BluetoothAddress, name: String, measurement: BluetoothUUID) {
        self.address = address
        self.name = name
        self.measurement = measurement
        let octets = (0..<6).reversed().map { shift in
            let octet = UInt8(truncatingIfNeeded: address.value >> UInt64(8 * shift))
            let digits = String(octet, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }
        path = Daemon.adapterPath + "/dev_" + octets.joined(separator: "_")
    }

    /// What bluetoothd forgets with its object; an attempt in which it is lost goes on.
    mutating func forgetAll() {
        isKnown = false
        isConnected = false
        isResolved = false
        hasServices = false
        isSubscribed = false
        pendingConnect = nil
    }

    /// Whether the next attempt comes to nothing, because the strap is almost out of range.
    mutating func takeWeakAttempt() -> Bool {
        guard weakAttempts > 0 else { return false }
        weakAttempts -= 1
        return true
    }

    // MARK: - Values

    /// The next value, unlike all before it.
    mutating func nextValue() -> [UInt8] {
        valueCount += 1
        let number = valueCount
        let low = UInt8(truncatingIfNeeded: number)
        let high = UInt8(truncatingIfNeeded: number >> 8)
        if isIllFormed {
            isIllFormed = false
            switch number % 4 {
            case 0: return []
            case 1: return [0x10, low]
            case 2: return [UInt8](repeating: high, count: 513) + [low]
            default: return [0xFF, low, high]
            }
        }
        if measurement == .runningSpeedCadenceMeasurement {
            // Speed 1.4 m/s as 1/256, the cadence, then the total distance in decimetres.
            return [0x02, 0x66, 0x01, 110, low, high, UInt8(truncatingIfNeeded: number >> 16), 0]
        }
        // The intervals are about as long as the time between two values.
        let bpm = 55 + number % 30
        let interval = 61_440 / bpm
        // The energy counts the values, so that each can be told from the others.
        return [
            hasContact ? 0x1E : 0x1C, UInt8(bpm), low, high, UInt8(interval & 0xFF),
            UInt8(interval >> 8),
        ]
    }
}

// MARK: - Its objects

extension Strap {
    var measurementPath: String { path + "/service000e/char000f" }
    var locationPath: String { path + "/service000e/char0012" }
    var batteryPath: String { path + "/service0014/char0015" }

    /// The object path of what is only read; nil for what is notified.
    func detailPath(_ uuid: BluetoothUUID) -> String? {
        switch uuid {
        case .bodySensorLocation: locationPath
        case .batteryLevel: batteryPath
        default: nil
        }
    }

    var properties: DeviceProperties {
        var properties = DeviceProperties()
        properties.address = address
        properties.name = name
        properties.signal = .heard(-60 - Int16(address.value & 0xF))
        properties.services = [
            measurement == .runningSpeedCadenceMeasurement ? .runningSpeedAndCadence : .heartRate
        ]
        properties.isConnected = isConnected
        properties.isResolved = isResolved
        return properties
    }

    var characteristics: [LocatedObject] {
        [
            (measurementPath, CharacteristicProperties(uuid: measurement, isNotifiable: true)),
            (locationPath, CharacteristicProperties(uuid: .bodySensorLocation, isReadable: true)),
            (
                batteryPath,
                CharacteristicProperties(uuid: .batteryLevel, isReadable: true, isNotifiable: true)
            ),
        ].map { LocatedObject(path: $0.0, object: .characteristic($0.1)) }
    }
}
