import Deciding
import EventStore
import Recording
import WalkService

/// The store as one process has it open.
final class SimulatedStore: WalkStore {
    let log: StoredLog
    let machine: Machine
    private let runtime: Runtime
    private let disk: Disk

    init(_ disk: Disk, of process: Int, on computer: Computer, _ timeline: Timeline) {
        log = StoredLog(disk, timeline, process: process)
        (machine, runtime, self.disk) = (computer.machine, computer.runtime, disk)
    }

    /// Opens a service on it.
    func service() async throws(EventLogError) -> WalkService {
        try await WalkService(
            self, machine: machine, runtime: runtime,
            equip: { Equipment(SessionPlan(begins: $0, programVersion: "simulated"), []) })
    }

    var walks: any EventLog { log }
    var savedWalks: (any SnapshotStore)? { disk.snapshots }
    var isRecorderAlive: Bool { disk.isRecorderAlive }
    var isRecorderRequested: Bool { disk.isRecorderRequested }
    /// The world tells the recorder, with its ticks.
    var awaitedWriter: String? { nil }

    /// A page's recorder needs it; that of a terminal has it before it begins.
    func lockRecorder() throws(WalkRefusal) -> (@Sendable () -> Void)? {
        let process = log.process
        guard !isRecorderRequested, disk.lockRecorder(process) else { return nil }
        return { [disk] in disk.unlockRecorder(process) }
    }

    /// There is no key.
    func seal(_ appender: Appender) async -> String? { nil }

    /// Keeps what a process has folded, as a command does at its end.
    func keep(_ folded: FoldedState) { disk.snapshots.keep(folded, of: log) }
}
