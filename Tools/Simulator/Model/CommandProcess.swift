import EventStore
import Projections
import Recording
import Synchronization
import TestSupport

/// A process that appends once, beside the recorder: a command in another terminal.
final class CommandProcess: Sendable {
    /// What it was told.
    enum Answer: Sendable {
        case decided([Outcome])
        case health(HealthOutcome)
        case failed(EventLogError)
    }

    /// What it asks for.
    enum Request: Sendable {
        case command(Command)
        case health(HealthReport)
    }

    /// When it began.
    let startedAt: UInt64
    /// What it asks for.
    private let request: Request
    private let log: StoredLog
    private let appender: Appender
    private let answer = Mutex<Answer?>(nil)

    init(
        _ number: Int, _ request: Request, _ computer: Computer, _ disk: Disk, _ timeline: Timeline
    ) {
        self.request = request
        startedAt = timeline.now
        log = StoredLog(disk, timeline, process: number)
        appender = Appender(log, machine: computer.machine) { disk.isRecorderAlive }
    }

    func start(_ computer: Computer, _ timeline: Timeline) {
        let arrival = computer.arrival()
        Task(executorPreference: timeline) { @concurrent [self] in
            let result: Answer
            do throws(EventLogError) {
                try await appender.catchUp()
                switch request {
                case .command(let command):
                    result = .decided(try await appender.record([Input(command, at: arrival)]))
                case .health(let report):
                    let days = try await appender.record(
                        report.totals, origin: report.origin, at: arrival)
                    result = .health(HealthOutcome(days: days))
                }
            } catch {
                result = .failed(error)
            }
            answer.withLock { $0 = result }
        }
    }

    /// What it was told; nil before.
    func takeAnswer() -> Answer? {
        answer.withLock { $0.take() }
    }

    func close(_ generator: inout SeededGenerator) {
        log.close(&generator)
    }
}
