package import Events

/// What of a log leaves the machine.
///
/// Of an event that stays, its lane and its place in the log are told, and nothing else: no time,
/// no kind, no byte of what it says.
package enum Sharing: String, CaseIterable, Sendable {
    /// All of it.
    case everything
    /// Steps, the records of days, and what a fold of steps needs to know of the machine.
    case steps
    /// All but where the walker was.
    case noPosition = "no-position"

    /// Whether an event is sent.
    package func includes(_ kind: EventKind) -> Bool {
        switch self {
        case .everything: return true
        case .noPosition:
            // The walker's words for a session may name a place.
            return kind.lane != .place && kind != .sessionDescribed && kind != .noted
        case .steps:
            return kind.lane == .steps || kind.lane == .day || Self.ofMachine.contains(kind)
        }
    }

    private static let ofMachine: [EventKind] = [
        .recorderStarted, .recorderStopped, .zoneOffsetChanged, .clockStepped, .bootBegan,
        .originBegan,
    ]

    /// What stands for an event that stays: an event of no known kind, at the time of the last one
    /// that was sent.
    func standIn(for header: EventHeader, after last: EventHeader?) -> EventHeader {
        let lane = header.kind.rawValue & 0xE0
        return EventHeader(
            position: header.position, source: last?.source ?? 0,
            stamp: last?.stamp ?? Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0),
            flags: last?.flags ?? [], kind: EventKind(rawValue: lane | 0x1F), version: 1)
    }
}
