/// What a refusal means for what comes next.
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

    /// Judges a refusal by what it means: see ``CallFailure/meaning``.
    init(_ failure: CallFailure, of call: CentralCall) {
        let (cause, isSoAlready) = failure.meaning
        self =
            switch (cause, call) {
            case (.denied, _): .denied
            case (.vanished, _): .gone
            case (.taken, .connect): .busy
            default: isSoAlready ? .alreadyDone : .failed
            }
    }
}
