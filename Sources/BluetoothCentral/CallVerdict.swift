/// What a refusal means for what comes next.
///
/// From measurements of BlueZ 5.66 and its source. The names alone do not tell: most failures are
/// `org.bluez.Error.Failed`, and only the text differs.
enum CallVerdict: Hashable {
    /// What was asked for is so already, or is going on by our own earlier call.
    case alreadyDone
    /// Somebody's `Connect` to this device is going on; its outcome shows in `Connected`.
    case busy
    /// The object is gone.
    case gone
    /// The bus or bluetoothd denies us the call.
    case denied
    /// Anything else: try again later.
    ///
    /// The texts say little: `le-connection-abort-by-local` covers every failure to connect.
    case failed

    init(_ failure: CallFailure, of call: CentralCall) {
        self =
            switch failure.name {
            case "org.bluez.Error.InProgress":
                if case .connect = call { .busy } else { .alreadyDone }
            case "org.bluez.Error.Failed" where failure.message == "Operation already in progress":
                if case .connect = call { .busy } else { .failed }
            case "org.bluez.Error.AlreadyConnected":
                .alreadyDone
            case "org.freedesktop.DBus.Error.UnknownObject", "org.bluez.Error.DoesNotExist",
                "org.freedesktop.DBus.Error.UnknownMethod":
                .gone
            case "org.freedesktop.DBus.Error.AccessDenied", "org.bluez.Error.NotAuthorized":
                .denied
            default:
                .failed
            }
    }
}
