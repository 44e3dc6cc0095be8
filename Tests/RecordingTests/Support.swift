import Clocks
import Deciding
import EventStore
import Events
import Projections
import TestSupport

let strap = DeviceID(address: 0xC4_0000_0000_01, space: .random)

/// A machine that never moves: one boot, UTC.
let machine = Machine(bootID: [UInt8](repeating: 7, count: 16)) { _ in (0, "UTC") }

/// The same machine after it was started again, in another zone.
let rebooted = Machine(bootID: [UInt8](repeating: 8, count: 16)) { _ in (60, "CET") }

/// A moment some milliseconds after 09:00 UTC on 2026-03-01.
func arrival(after milliseconds: UInt64, clockSetBy step: Int64 = 0) -> Arrival {
    Arrival(
        bootMilliseconds: 1_000_000 + milliseconds,
        wallMilliseconds: 1_772_355_600_000 + Int64(milliseconds) + step, isWallTrusted: true)
}

/// A heart-rate value that tells which one it is.
func value(_ number: UInt16) -> [UInt8] {
    [0x01, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
}

func reading(_ number: UInt16, clockSetBy step: Int64 = 0) -> Input {
    Input(
        .record(notified(value(number))),
        at: arrival(after: UInt64(number), clockSetBy: step))
}

/// An event that is to be recorded some milliseconds after the beginning.
func input(_ event: Event, after milliseconds: UInt64 = 0) -> Input {
    Input(.record(event), at: arrival(after: milliseconds))
}

/// A heart-rate value of the strap.
func notified(_ value: [UInt8]) -> Event {
    .characteristicNotified(CharacteristicNotified(device: strap, value: value))
}

/// What a pedometer has counted.
func counted(
    _ steps: UInt64, metres: UInt64? = nil,
    by device: DeviceID = DeviceID(address: 2, space: .kernel)
) -> Event {
    .counted(device, steps, distance: metres.map { $0 * 1_000 })
}

extension EventLog {
    /// Everything the log holds.
    var all: [Event] {
        get throws(EventLogError) { try events(in: 0..<next).map(\.event) }
    }

    /// The state after everything, or after what is before a position.
    func state(until end: Position? = nil) throws(EventLogError) -> LogState {
        var state = LogState()
        try fold(until: end, into: &state)
        return state
    }
}

/// The heart-rate values among events, as they came.
func values(_ events: [Event]) -> [[UInt8]] {
    events.compactMap { event in
        if case .characteristicNotified(let notified) = event { notified.value } else { nil }
    }
}
