internal import Events
internal import Projections

/// What sources of positions have reported to a recording.
struct Reception: Hashable, Sendable {
    /// Whether one ever spoke.
    private(set) var hasSpoken = false
    /// The satellites that one says it uses.
    private(set) var satellites: UInt64?
    /// The last durable fix.
    private(set) var last: ArrivedFix?

    /// A source speaks, or is gone.
    mutating func told(_ satellites: UInt64?) {
        hasSpoken = true
        self.satellites = satellites
    }

    /// A fix is durable.
    mutating func take(_ fix: PositionFixed, at stamp: Stamp) {
        hasSpoken = true
        last = ArrivedFix(fix: fix, stamp: stamp)
    }
}

extension RecordingLife {
    /// Whether positions are wanted: a pause is not a part of a session's route, and a recorder
    /// that waits for days until a walk begins does not keep a receiver awake.
    var arePositionsWanted: Bool {
        switch phase {
        case .settingUp: plan.begins != .wheneverWorn
        case .starting, .recording: !state.own.sessions.isAtRest
        case .ending, .failed, .ended: false
        }
    }

    /// The reception of positions now; nil if no source of them ever spoke.
    var position: PositionStatus? {
        guard reception.hasSpoken else { return nil }
        return PositionStatus(
            last: reception.last, satellites: reception.satellites, at: moment)
    }
}
