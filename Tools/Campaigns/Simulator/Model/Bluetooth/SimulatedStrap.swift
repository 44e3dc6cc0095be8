import BluetoothCentral
import DaemonModel

/// A device in the world: what it is, and what it sends.
struct SimulatedStrap {
    /// Its address.
    let address: BluetoothAddress
    /// What it calls itself: a stranger's text.
    let name: String
    /// What it measures.
    let measurement: BluetoothUUID
    /// Its object path, and that of what it measures.
    var devicePath = ""
    var path = ""

    /// Whether the skin is felt.
    var hasContact = true
    /// Whether each value is signalled twice, because another program has subscribed as well.
    var isCopied = false
    /// How many values it has sent.
    var valueCount: UInt64 = 0
    /// What comes after the next second: forms of values that the specification forbids.
    var isIllFormed = false
    /// How many more of its links come to nothing, because it is almost out of range: in turn an
    /// attempt fails at once, and a link is lost before a value came.
    var weakAttempts = 0
    /// Whether somebody gets what it measures.
    var isFed = false

    init(_ address: BluetoothAddress, name: String, measurement: BluetoothUUID) {
        (self.address, self.name, self.measurement) = (address, name, measurement)
    }

    /// The same in the air of bluetoothd's model.
    var strap: Strap {
        let kind = measurement == .runningSpeedCadenceMeasurement ? "rsc" : "hr"
        return Strap(
            id: name, name: name, address: address.description,
            services: [kind, "battery"].compactMap { GattService.named($0) })
    }

    /// Whether the next attempt comes to nothing, because the strap is almost out of range.
    mutating func takeWeakAttempt() -> Bool {
        guard weakAttempts > 0 else { return false }
        weakAttempts -= 1
        return true
    }

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
