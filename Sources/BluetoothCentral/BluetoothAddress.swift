internal import Events

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
        guard let device = DeviceID(String(text)), device.space == .random else { return nil }
        value = device.address
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
        DeviceID(address: value, space: .random).description
    }
}

/// How a device chose its address (Bluetooth Core, Vol 6, Part B, 1.3).
public enum AddressType: Hashable, Sendable {
    /// Registered with the IEEE; never changes.
    case `public`
    /// Chosen by the device itself; may change with its battery.
    case random
}
