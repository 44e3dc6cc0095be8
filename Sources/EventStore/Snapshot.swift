public import Events

/// What was folded of a log up to a position, so that the next fold begins there.
///
/// It is a copy of what the log tells, never a source: whoever has one may lose it.
public struct Snapshot: Hashable, Sendable {
    /// What was folded, and how: of another projection, version or rules it is another snapshot.
    public var key: [UInt8]
    /// The first position that was not folded.
    public var next: Position
    /// The last event that was folded, as a line; a log that has another there is another log.
    public var lastLine: [UInt8]
    /// The folded state.
    public var state: [UInt8]

    /// Makes a snapshot.
    public init(key: [UInt8], next: Position, lastLine: [UInt8], state: [UInt8]) {
        self.key = key
        self.next = next
        self.lastLine = lastLine
        self.state = state
    }
}

/// Where the snapshot of a log is kept: one, the latest.
public protocol SnapshotStore: Sendable {
    /// The snapshot; nil if there is none, or none that is whole.
    func read() -> Snapshot?

    /// Keeps a snapshot in the place of the one before, or, if that cannot be done, the one before.
    func write(_ snapshot: Snapshot)
}
