/// Whose walk an event is about: a fold keeps a state for each.
@frozen
public enum Provenance: Hashable, Sendable {
    /// The walker's own: recorded as it happened.
    case walked
    /// Simulated by a recorder, or a capture that it played as live.
    ///
    /// It is shown and marked, and enters no day, certificate or proof of the walker.
    case simulated
    /// Of the n-th import.
    case imported(UInt32)

    /// The number of a fold's state: 0 for the walker, n for the n-th import.
    ///
    /// No import has the greatest number.
    @inlinable
    @inline(__always)
    public var number: UInt32 {
        switch self {
        case .walked: 0
        case .simulated: .max
        case .imported(let number): number
        }
    }

    /// Reads the number of a fold's state.
    @inlinable
    @inline(__always)
    public init(number: UInt32) {
        self = number == 0 ? .walked : number == .max ? .simulated : .imported(number)
    }

    /// The source of its events: 0 of this machine's recorder, n of the n-th import.
    public var source: UInt32 { isLive ? 0 : number }

    /// Whether it is of this machine's recorder, which made it up or not.
    public var isLive: Bool { self == .walked || self == .simulated }
}

extension EventHeader {
    /// Whose walk the event is about: its source, and for source 0 whether it is simulated.
    @inlinable
    @inline(__always)
    public var provenance: Provenance {
        Provenance(number: source == 0 && flags.contains(.simulated) ? .max : source)
    }

    /// Whether it is about the walker's own walk; for folds, which ask it of each event.
    @inlinable
    @inline(__always)
    public var isWalked: Bool { source == 0 && flags.rawValue & EventFlags.simulated.rawValue == 0 }
}
