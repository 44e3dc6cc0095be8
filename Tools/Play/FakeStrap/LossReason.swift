/// Why a link ended, in the words of `org.bluez.Device1.Disconnected` (BlueZ 5.83).
enum LossReason: Hashable, Sendable {
    /// Nothing came any more.
    case timeout
    /// The strap took its leave.
    case remote
    /// This side ended it.
    case local

    /// The name, and the text beside it.
    var words: (name: String, message: String) {
        switch self {
        case .timeout: ("org.bluez.Reason.Timeout", "Connection timeout")
        case .remote: ("org.bluez.Reason.Remote", "Connection terminated by remote user")
        case .local: ("org.bluez.Reason.Local", "Connection terminated by local host")
        }
    }
}
