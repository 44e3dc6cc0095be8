import Deciding
import EventStore
import Recording
import WalkService

/// The store as one process has it open.
final class SimulatedStore: WalkStore {
    let log: StoredLog
    private let disk: Disk

    init(_ log: StoredLog, on disk: Disk) {
        self.log = log
        self.disk = disk
    }

    var walks: any EventLog { log }
    var savedWalks: (any SnapshotStore)? { disk.snapshots }
    var isRecorderAlive: Bool { disk.isRecorderAlive }
    /// The world tells the recorder, with its ticks.
    var awaitedWriter: String? { nil }

    /// A recorder here is a terminal's, which had the lock before.
    func lockRecorder() throws(WalkRefusal) -> (@Sendable () -> Void)? { nil }

    /// There is no key.
    func seal(_ appender: Appender) async -> String? { nil }

    /// Keeps what a process has folded, as a command does at its end.
    func keep(_ folded: FoldedState) {
        disk.snapshots.keep(folded, of: log)
    }
}
