internal import EventStoreLMDB
internal import Synchronization

/// The logs that a command has opened to write, and that tasks of it may still hold when it ends.
///
/// A commit that failed has to be mended before the process ends, or no other opens the log until
/// somebody writes.
package final class OpenedLogs: Sendable {
    /// Those of the command that runs; nil outside of one.
    @TaskLocal package static var ofCommand: OpenedLogs?

    private struct Opened: Sendable {
        weak let log: LMDBEventLog?
    }

    private let logs = Mutex<[Opened]>([])

    /// Begins with none.
    package init() {}

    func note(_ log: LMDBEventLog) {
        logs.withLock { $0.append(Opened(log: log)) }
    }

    /// Lets all writing end, as the command does.
    package func endWriting() {
        for opened in logs.withLock({ $0 }) { opened.log?.endWriting() }
    }
}
