import EventStore
import Events
import Synchronization
import TestSupport

/// A snapshot in memory.
final class MemorySnapshots: SnapshotStore {
    /// What is kept besides.
    let parts: [LookBack: MemorySnapshots]
    private let snapshot = Mutex<Snapshot?>(nil)
    private let reads = Atomic(0)

    init(_ parts: [LookBack: MemorySnapshots] = [:]) { self.parts = parts }

    func beside(_ part: LookBack) -> (any SnapshotStore)? { parts[part] }

    /// What is kept now.
    var kept: Snapshot? { snapshot.withLock { $0 } }
    /// How often it was looked at.
    var readCount: Int { reads.load(ordering: .relaxed) }

    func read(where isWanted: (Snapshot.Head) -> Bool) -> Snapshot? {
        reads.add(1, ordering: .relaxed)
        return kept.flatMap { isWanted($0.head) ? $0 : nil }
    }

    func write(_ snapshot: Snapshot) { self.snapshot.withLock { $0 = snapshot } }

    func remove() { snapshot.withLock { $0 = nil } }

    /// Changes what is kept.
    func change(_ body: (inout Snapshot) -> Void) {
        snapshot.withLock { snapshot in
            guard var changed = snapshot else { return }
            body(&changed)
            snapshot = changed
        }
    }
}

/// A log whose first block cannot be read any more.
final class DamagedBeginning: RelayingLog {
    let log: InMemoryEventLog

    init(_ log: InMemoryEventLog) {
        self.log = log
    }

    func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        var isDamaged = false
        try log.readBlocks(from: start) { block in
            isDamaged = isFirst(block)
            return !isDamaged && body(block)
        }
        if isDamaged { throw EventLogError(.damaged, position: 0) }
    }

    private func isFirst(_ block: Span<UInt8>) -> Bool {
        do throws(DamagedBlock) {
            return try BlockReader.heads(of: block).next == Position(BlockReader.count(of: block))
        } catch {
            return true
        }
    }
}
