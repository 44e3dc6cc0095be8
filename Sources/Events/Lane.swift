/// One of the seven groups of event kinds.
///
/// A lane is the part of a block that a fold or a proof can open by itself, so heart rate and steps
/// never share one. The number is the three high bits of an event kind.
@frozen
public enum Lane: UInt8, CaseIterable, Sendable {
    /// The recorder, its clocks and zone, the profile, imports.
    case control = 0
    /// Adapter, devices, connections.
    case link = 1
    /// Values of a strap's characteristics.
    case heart = 2
    /// Pedometers, health totals, reconciliation.
    case steps = 3
    /// What the walker did: start, pause, resume, end, mark.
    case session = 4
    /// Positions.
    case place = 5
    /// Closed days.
    case day = 6
}
