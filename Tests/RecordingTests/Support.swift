import Clocks
import Deciding
import EventStore
import Events
import Projections
import Recording

let strap = DeviceID(address: 0xC4_0000_0000_01, space: .random)

/// A machine that never moves: one boot, UTC.
let machine = Machine(bootID: [UInt8](repeating: 7, count: 16)) { _ in (0, "UTC") }

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
        .record(
            .characteristicNotified(CharacteristicNotified(device: strap, value: value(number)))),
        at: arrival(after: UInt64(number), clockSetBy: step))
}

extension EventLog {
    /// Everything the log holds.
    var all: [Event] {
        get throws(EventLogError) { try events(in: 0..<next).map(\.event) }
    }
}

/// The heart-rate values among events, as they came.
func values(_ events: [Event]) -> [[UInt8]] {
    events.compactMap { event in
        if case .characteristicNotified(let notified) = event { notified.value } else { nil }
    }
}
