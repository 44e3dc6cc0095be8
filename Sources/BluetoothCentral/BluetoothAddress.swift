/// The 48-bit address of a Bluetooth device: what identifies a strap, now and after a restart.
///
/// Object paths of BlueZ are not identities; they change with the adapter and vanish with the
/// daemon.
public struct BluetoothAddress: Hashable, Sendable {
    /// The address as a number below 2^48; the first byte that people read is the highest.
    public let value: UInt64

    /// Makes an address from its number.
    ///
    /// - Parameter value: The number; bits above the 48th must be zero.
    public init(_ value: UInt64) {
        precondition(value >> 48 == 0, "a Bluetooth address has 48 bits")
        self.value = value
    }

    /// Reads an address as BlueZ and people write it.
    ///
    /// - Parameter text: Six pairs of hexadecimal digits with colons, as in `C4:00:00:00:00:01`.
    public init?(_ text: some StringProtocol) {
        let pairs = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard pairs.count == 6 else { return nil }
        var value: UInt64 = 0
        for pair in pairs {
            guard pair.count == 2 else { return nil }
            for digit in pair {
                guard let nibble = hexadecimalDigit(digit) else { return nil }
                value = value << 4 | nibble
            }
        }
        self.value = value
    }
}

extension BluetoothAddress: Comparable {
    /// Orders addresses by their numbers.
    public static func < (left: BluetoothAddress, right: BluetoothAddress) -> Bool {
        left.value < right.value
    }
}

extension BluetoothAddress: CustomStringConvertible {
    /// The address as people write it, in capitals: `C4:00:00:00:00:01`.
    public var description: String {
        (0..<6).reversed()
            .map { hexadecimal(value >> ($0 * 8) & 0xFF, digits: 2, isUppercase: true) }
            .joined(separator: ":")
    }
}

/// How a device chose its address (Bluetooth Core, Vol 6, Part B, 1.3).
public enum AddressType: Hashable, Sendable {
    /// Registered with the IEEE; never changes.
    case `public`
    /// Chosen by the device itself; may change with its battery.
    case random
}

// MARK: - Hexadecimal digits

/// The value of an ASCII digit, or nil if it isn't one.
func hexadecimalDigit(_ digit: UInt8) -> UInt64? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
    default: nil
    }
}

/// A number with leading zeros.
func hexadecimal(_ value: UInt64, digits: Int, isUppercase: Bool = false) -> String {
    let text = String(value, radix: 16, uppercase: isUppercase)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
