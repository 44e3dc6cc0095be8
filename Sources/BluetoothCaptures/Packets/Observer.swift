internal import Events

/// Who is told what a capture shows, packet by packet.
protocol Observer {
    /// A packet was captured at a time, UTC in microseconds since 1970; what follows is of it.
    mutating func packet(at microseconds: Int64?)
    /// The capture does not say when what follows was captured.
    mutating func assumedTime()
    /// Something of a time in a text is not given.
    mutating func unknown(_ gap: StatedTimes.Gap)
    /// A link to a device is up.
    mutating func linkUp(_ device: DeviceID)
    /// A link to a device ended; the reason is a number of Bluetooth Core 5.4, volume 1, part F,
    /// 1.3, or nil if it was not captured.
    mutating func linkLost(_ device: DeviceID, reason: UInt8?)
    /// Notifications of a characteristic were switched on.
    mutating func subscribed(_ device: DeviceID, _ characteristic: CharacteristicCode)
    /// A device sent a value, of which only these bytes were captured or are one.
    mutating func value(_ value: ObservedValue, _ bytes: Span<UInt8>)
    /// Packets are missing here that came too fast for the program that captured.
    mutating func dropped(_ count: UInt32)
    /// Something could not be used.
    mutating func loss(_ loss: PacketLoss)
}

/// A value that a device sent.
struct ObservedValue {
    let device: DeviceID
    let handle: UInt16
    /// What the value is of, if that is known.
    let characteristic: CharacteristicCode?
    /// Whether it came unasked.
    let isNotified: Bool
    /// Whether the machine that captured sent it, and did not receive it.
    let isSent: Bool
}

/// Why something of a capture could not be used.
enum PacketLoss: CaseIterable {
    /// A packet whose end was not captured, or that contradicts itself.
    case malformed
    /// The rest of a message that was sent in several packets is missing.
    case fragment
    /// A packet that was received with errors.
    case checksum
    /// A packet of an encrypted link.
    case encrypted
    /// A line of a text that holds a value in a form that is not read.
    case line
}
