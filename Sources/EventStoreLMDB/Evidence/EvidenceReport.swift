public import Events

/// What vouches for a log, as far as a walk over it has found it good.
public struct EvidenceReport: Sendable {
    /// The blocks that are sealed: leaves of the tree.
    public internal(set) var sealedBlocks: UInt64 = 0
    /// The events that the last good checkpoint vouches for: those before this position.
    public internal(set) var signedEvents: Position = 0
    /// The signed checkpoints in the store.
    public internal(set) var checkpoints: UInt64 = 0
    /// The public key that signs the log; nil if it was never sealed.
    public internal(set) var vkey: String?
    /// Whether the last checkpoint was compared with the copy outside of the store.
    public internal(set) var isComparedOutside = false
}
