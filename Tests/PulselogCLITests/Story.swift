import Events
import Projections
import Words

/// A log that a test makes up, and the state and the moment after it.
struct Story {
    static let strap = DeviceID(address: 0xC400_0000_0001, space: .random)

    private(set) var state = LogState()
    private(set) var events: [RecordedEvent] = []
    /// The boot clock of the next event.
    var now: UInt64 = 100_000

    /// The moment of the next event.
    var moment: Moment { Moment(stamp, .wallTrusted) }

    private var stamp: Stamp {
        Stamp(
            bootMilliseconds: now, wallMilliseconds: 1_770_000_000_000 + Int64(now), bootNumber: 0)
    }

    /// Appends an event; the clock stands still.
    mutating func add(_ event: Event) throws {
        let header = EventHeader(
            position: Position(events.count), source: 0, stamp: stamp, flags: .wallTrusted,
            kind: event.kind, version: event.version)
        let recorded = RecordedEvent(header: header, event: event)
        try state.evolve(recorded)
        events.append(recorded)
    }

    /// Pairs a strap and makes it primary.
    mutating func pair(_ name: String?) throws {
        try add(.devicePaired(DevicePaired(device: Self.strap, name: name, roles: .heart)))
        try add(.primaryChosen(PrimaryChosen(role: .heart, device: Self.strap)))
    }

    /// A value of the strap.
    mutating func notify(_ characteristic: CharacteristicCode, _ value: [UInt8]) throws {
        try add(
            .characteristicNotified(
                CharacteristicNotified(
                    device: Self.strap, characteristic: characteristic, value: value)))
    }

    /// The events since a position, told as the lines of `log tail`.
    func lines() -> [String] { events.map { $0.text(offsetMinutes: 0) } }
}
