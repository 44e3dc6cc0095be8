internal import Events

/// A device that is wanted, or that is being left.
struct Link: Sendable {
    /// A change of `Connected` that must come by itself; until then, or until it is overdue,
    /// nothing is called for.
    struct Settling: Sendable {
        let isConnected: Bool
        let until: UInt64
    }

    /// Nil: it is to be left.
    var wanted: WantedDevice?

    // MARK: - Connecting

    /// The `Connect` without an answer.
    var connectCall: CallID?
    /// The `Disconnect` without an answer.
    var disconnectCall: CallID?
    /// Whether an answer is still to come: until then the link is not done with.
    var isWaiting: Bool { connectCall != nil || disconnectCall != nil }
    var settling: Settling?
    /// No `Connect` before this time.
    var notBefore: UInt64 = 0
    /// Whether it was reported that BlueZ refuses the device.
    var isBlocked = false
    /// Attempts since the last good link.
    var attempts = 0
    /// Attempts that failed at once, and links that were of no use, since the last good link.
    var quickFailures = 0
    /// How often another attempt was going on when we wanted to connect, since the last link.
    var busyAnswers = 0
    /// How often the object was gone when the scan had ended, since the last link.
    var vanishings = 0
    /// Whether the device is forgotten as soon as a scan ends, and must be connected during one.
    var needsScan: Bool { vanishings >= 2 && !isUp }
    /// How often `Disconnect` was called in vain while leaving.
    var futileDisconnects = 0

    // MARK: - Connected

    var isUp = false
    var upSince: UInt64 = 0
    var resolvedSince: UInt64?
    /// Whether it was reported on this link that its services do not come.
    var isUnresolvedTold = false
    /// Whether this program's `Connect` made it: what others have made is left to them.
    var isOurs = false
    /// Whether a value came on this link.
    var hasDelivered = false
    /// The services that were reported on this link.
    var offered: Set<BluetoothUUID>?
    /// Wanted measurements that the device does not offer on this link.
    var missing: Set<BluetoothUUID> = []
    /// Why the link ends, or has ended, as far as that is known.
    var loss: LinkLoss?
    /// When the link ended, while that is still to be reported: why may follow.
    var lostAt: UInt64?
    var channels: [BluetoothUUID: Channel] = [:]
}

/// A characteristic of a link.
struct Channel: Sendable {
    /// Whether `StartNotify` was sent in this life of bluetoothd: values are passed on since.
    var isOpen = false
    /// Whether bluetoothd keeps a subscription of ours, and renews it on later links by itself.
    ///
    /// From `StartNotify` until `StopNotify` has succeeded.
    var isKept = false

    // MARK: - On this link

    /// Whether `StartNotify` has succeeded, and no `StopNotify` was answered after it.
    var isOn = false
    /// The call without an answer: StartNotify, StopNotify or ReadValue.
    var call: CallID?
    var isReading = false
    /// Whether it was read, or cannot be.
    var isRead = false
    /// Whether there is no point in trying again on this link.
    var hasGivenUp = false
    /// No `StartNotify` and no `StopNotify` before this time.
    var notBefore: UInt64 = 0
    var failures = 0
    /// Whether a value came.
    var hasDelivered = false
    /// Since when no value came: the subscription, or the last value.
    var quietSince: UInt64 = 0
    /// How often it was switched off and on since the last value.
    var silentRounds = 0

    /// A new link: only what outlives links stays.
    mutating func reset() {
        self = Channel(isOpen: isOpen, isKept: isKept)
    }
}

extension LinkLoss {
    /// What `org.bluez.Device1.Disconnected` says: BlueZ 5.83, org.bluez.Device.
    ///
    /// What this program ends it knows itself.
    init(bluezName name: String, message: String) {
        let cause: LinkLossCause =
            switch name {
            case "org.bluez.Reason.Timeout": .timeout
            case "org.bluez.Reason.Remote": .remote
            case "org.bluez.Reason.Authentication": .authentication
            case "org.bluez.Reason.Suspend": .suspended
            default: .unknown
            }
        let words = message.isEmpty ? name : "\(name): \(message)"
        self.init(cause, reason: words)
    }

    /// Whether another program on this machine ended it, or the adapter: some do so when a device
    /// went away.
    public var isLocal: Bool { reason?.hasPrefix("org.bluez.Reason.Local") == true }
}
