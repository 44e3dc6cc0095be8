public import Events

/// What was folded of a log up to a position, so that the next fold begins there.
///
/// It is a copy of what the log says, never a source: losing it costs time and no data.
public struct Snapshot: Hashable, Sendable {
    /// What it belongs to: by it a store is asked whether the snapshot is of use.
    public struct Head: Hashable, Sendable {
        /// What was folded, and how: of another projection, version or rules it is another
        /// snapshot.
        public var key: [UInt8]
        /// The first position that was not folded.
        public var next: Position
        /// The last event that was folded, header and payload; a log that has another there is
        /// another log.
        public var lastEvent: [UInt8]

        /// Makes a head.
        public init(key: [UInt8], next: Position, lastEvent: [UInt8]) {
            (self.key, self.next, self.lastEvent) = (key, next, lastEvent)
        }
    }

    /// What it belongs to.
    public var head: Head
    /// The folded state.
    public var state: [UInt8]

    /// Makes a snapshot.
    public init(_ head: Head, state: [UInt8]) {
        (self.head, self.state) = (head, state)
    }
}

/// Where the snapshot of a log is kept: one, the latest.
public protocol SnapshotStore: Sendable {
    /// Reads the snapshot.
    ///
    /// - Parameter isWanted: Whether one with this head is of use.
    /// - Returns: The snapshot; nil if there is none, none that is whole, or none that is wanted.
    func read(where isWanted: (Snapshot.Head) -> Bool) -> Snapshot?

    /// Keeps a snapshot in the place of the one before; if that cannot be done, the one before.
    ///
    /// It may take as long as the disk does: nobody who records calls it.
    func write(_ snapshot: Snapshot)

    /// Removes the snapshot, if there is one.
    func remove()

    /// Where something else is kept that was made of the same log; nil for nowhere.
    func beside(_ part: LookBack) -> (any SnapshotStore)?
}

/// What is made of a log and kept, so that looking back costs its answer.
public enum LookBack: String, CaseIterable, Sendable {
    /// The states at some positions.
    case earlier
    /// The outlines of its walks.
    case outlines
    /// What a second calculation of its days' counts goes on from.
    case certifiers
}

extension SnapshotStore {
    /// Nowhere.
    public func beside(_ part: LookBack) -> (any SnapshotStore)? { nil }
}
