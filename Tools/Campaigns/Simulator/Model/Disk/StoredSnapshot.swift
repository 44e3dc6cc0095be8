import Deciding
import EventStore
import Synchronization

/// The snapshot on a disk: every process begins with it, and leaves one of its own.
///
/// Beside a recorder nobody keeps one in fact; here everybody does, so that one that is older or
/// newer than what a process knows is met often. A lost file is like one that was never written.
final class StoredSnapshot: SnapshotStore {
    private let snapshot = Mutex<Snapshot?>(nil)

    func read(where isWanted: (Snapshot.Head) -> Bool) -> Snapshot? {
        snapshot.withLock { $0 }.flatMap { isWanted($0.head) ? $0 : nil }
    }

    func write(_ snapshot: Snapshot) { self.snapshot.withLock { $0 = snapshot } }

    func remove() { snapshot.withLock { $0 = nil } }

    /// Keeps what a process has folded, if it is a single event more.
    func keep(_ folded: FoldedState, of log: StoredLog) {
        if folded.isFar(1) { log.keepSnapshot(of: folded, in: self) }
    }
}
