/// Why a call failed, as far as it matters to the walker.
///
/// From measurements of BlueZ 5.66: most failures have the name `org.bluez.Error.Failed`, and only
/// the text next to it tells them apart.
public enum FailureCause: Hashable, CaseIterable, Sendable {
    /// The strap is away, or busy elsewhere: BlueZ's catch-all of every failure to connect.
    case noAnswer
    /// Somebody else's `Disconnect` ended the attempt.
    case calledOff
    /// Another program connects to the strap, or keeps its notifications for itself.
    case taken
    /// BlueZ has forgotten the device.
    case vanished
    /// The adapter is switched off, or about to be.
    case adapterOff
    /// The strap needs to be paired first.
    case wantsPairing
    /// BlueZ was told to refuse the device.
    case blocked
    /// BlueZ remembers attributes that the strap no longer has.
    case staleServices
    /// The strap refused, with an error of the attribute protocol.
    case refused
    /// The bus or bluetoothd denies the call.
    case denied
    /// Nobody is `org.bluez`.
    case daemonAway
    /// The connection to the bus is lost.
    case busAway
    /// bluetoothd did not answer in time.
    case daemonSilent
    /// Anything else.
    case other

    /// Finds the cause in BlueZ's words.
    ///
    /// - Parameter failure: What was refused, or failed.
    public init(_ failure: CallFailure) {
        self = failure.meaning.cause
    }

    fileprivate init(text: String) {
        self =
            switch text {
            case "Operation already in progress", "Notify acquired": .taken
            case "Input/output error": .adapterOff
            case "Not paired": .wantsPairing
            case "Software caused connection abort", "connected, but there is no link",
                "Not connected", "Host is down":
                .noAnswer
            // Invalid handle, attribute not found: Bluetooth Core, Vol 3, Part F, 3.4.1.1.
            case let text where ["0x01", "0x0a"].contains { text.isATT($0) }: .staleServices
            // Insufficient authentication, authorization, key size, encryption; and the unlikely
            // error, by which some bands refuse whoever is not paired.
            case let text
            where ["0x05", "0x08", "0x0c", "0x0e", "0x0f"].contains { text.isATT($0) }:
                .wantsPairing
            case let text where text.contains("ATT error"): .refused
            case let text where text.hasSuffix("-connection-canceled"): .calledOff
            case let text where text.hasPrefix("le-connection") || text.hasPrefix("br-connection"):
                .noAnswer
            default: .other
            }
    }
}

extension CallFailure {
    /// The one reading of BlueZ's errors: the cause, and whether what was asked for is so already,
    /// or is going on.
    ///
    /// The names are read without what comes before their last dot: the bus and bluetoothd share
    /// some of them.
    var meaning: (cause: FailureCause, isSoAlready: Bool) {
        switch name.split(separator: ".").last ?? "" {
        case "AccessDenied", "NotAuthorized": (.denied, false)
        case "ServiceUnknown", "NameHasNoOwner": (.daemonAway, false)
        case "Disconnected", "NoServer": (.busAway, false)
        case "NoReply", "Timeout", "TimedOut": (.daemonSilent, false)
        case "UnknownObject", "DoesNotExist", "UnknownMethod": (.vanished, false)
        case "NotReady": (.adapterOff, false)
        case "InProgress": (.taken, true)
        case "AlreadyConnected": (.other, true)
        case "Blocked": (.blocked, false)
        case "AuthenticationFailed", "AuthenticationCanceled", "AuthenticationRejected",
            "AuthenticationTimeout":
            (.wantsPairing, false)
        default: (FailureCause(text: message), false)
        }
    }
}

extension CallFailure {
    /// What stands for an attempt that is not made: `Device1.Blocked` is set.
    static let blocked = CallFailure(
        name: "org.pulselog.Error.Blocked", message: "Device1.Blocked is set")
}

extension String {
    /// Whether this is BlueZ's text of an error of the attribute protocol.
    fileprivate func isATT(_ number: String) -> Bool {
        lowercased().hasSuffix("att error: \(number)")
    }
}
