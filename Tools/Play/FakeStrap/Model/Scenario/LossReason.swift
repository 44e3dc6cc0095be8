import DBus

/// Why a link ended, in the words of `org.bluez.Device1.Disconnected` (BlueZ 5.83).
package enum LossReason: Hashable, Sendable {
    /// Nothing came any more.
    case timeout
    /// The strap took its leave.
    case remote
    /// This side ended it.
    case local

    /// The signal that says so of a device.
    func signal(of path: String) -> Signal {
        let (name, message) =
            switch self {
            case .timeout: ("Timeout", "Connection timeout")
            case .remote: ("Remote", "Connection terminated by remote user")
            case .local: ("Local", "Connection terminated by local host")
            }
        return Signal(
            path: path, interface: Device.interface, member: "Disconnected",
            arguments: [.string("org.bluez.Reason." + name), .string(message)])
    }
}
