package import Events
package import Projections

/// A log that a test makes up, and the state and the moment after it.
package struct Story {
    /// The strap of ``pair(_:)`` and ``notify(_:_:)``.
    package static let strap = DeviceID(address: 0xC400_0000_0001, space: .random)
    /// A foot pod.
    package static let pod = DeviceID(address: 0xC400_0000_0002, space: .random)

    /// The state after the last event.
    package private(set) var state = LogState()
    /// The events, in order.
    package private(set) var events: [RecordedEvent] = []
    /// The boot clock of the next event, in milliseconds.
    package var now: UInt64 = 100_000

    /// Makes a log without events.
    package init() {}

    /// The moment of the next event.
    package var moment: Moment { Moment(stamp, .wallTrusted) }

    private var stamp: Stamp {
        Stamp(boot: now, wall: 1_770_000_000_000 + Int64(now))
    }

    /// Appends an event; the clock stands still.
    ///
    /// - Parameter event: The event.
    /// - Throws: `FieldError` if it cannot be encoded.
    package mutating func add(_ event: Event) throws {
        let recorded = RecordedEvent(event, at: Position(events.count), stamp, flags: .wallTrusted)
        try state.evolve(recorded)
        events.append(recorded)
    }

    /// Pairs a strap and makes it primary.
    ///
    /// - Parameter name: What it calls itself.
    /// - Throws: `FieldError` if that is too long.
    package mutating func pair(_ name: String?) throws {
        try add(.devicePaired(DevicePaired(device: Self.strap, name: name, roles: .heart)))
        try add(.primaryChosen(PrimaryChosen(role: .heart, device: Self.strap)))
    }

    /// A value of the strap.
    ///
    /// - Parameters:
    ///   - characteristic: Whose value.
    ///   - value: Its bytes.
    /// - Throws: `FieldError` if they are too many.
    package mutating func notify(_ characteristic: CharacteristicCode, _ value: [UInt8]) throws {
        try add(.notified(Self.strap, value, of: characteristic))
    }
}
