import Clocks
import Deciding
import EventStore
import Interchange
import Projections
import Recording
import Synchronization
import TestSupport

/// A process that appends once, beside the recorder: a command in another terminal.
final class CommandProcess: Sendable {
    /// What it was told.
    enum Answer: Sendable {
        case decided([Outcome])
        case health([HealthReceipt])
        case clockNotSet
        case failed(EventLogError)
    }

    /// What it asks for.
    enum Request: Sendable {
        case command(Command)
        /// A phone posts it to the recorder's port.
        case post(HealthReport)
        /// It is imported from a file.
        case file(HealthReport)
    }

    let number: Int
    /// When it began.
    let startedAt: UInt64
    let log: StoredLog
    /// What it asks for.
    private let request: Request
    private let arrival: Arrival
    private let appender: Appender
    private let snapshots: StoredSnapshot
    private let answer = Mutex<Answer?>(nil)

    init(
        _ number: Int, _ request: Request, _ computer: Computer, _ disk: Disk, _ timeline: Timeline
    ) {
        self.number = number
        self.request = request
        startedAt = timeline.now
        arrival = computer.arrival()
        log = StoredLog(disk, timeline, process: number)
        snapshots = disk.snapshots
        appender = Appender(log, machine: computer.machine, snapshots: snapshots) {
            disk.isRecorderAlive
        }
    }

    /// Whether it ends the session.
    var asksForEnd: Bool {
        if case .command(.end) = request { true } else { false }
    }

    /// What it tells of dates, one total for each.
    var totals: [HealthTotal] {
        switch request {
        case .command: []
        case .post(let report), .file(let report): report.totals
        }
    }

    /// Whether the machine did not know what day it was.
    var isClockUnset: Bool {
        arrival.wallMilliseconds < Arrival.earliestTrustedMilliseconds
    }

    func start(_ timeline: Timeline) {
        Task(executorPreference: timeline) { @concurrent [self] in
            let result: Answer
            do {
                try await appender.catchUp()
                result = try await append(request)
            } catch let error as EventLogError {
                result = .failed(error)
            } catch is ClockNotSet {
                result = .clockNotSet
            } catch {
                result = .failed(EventLogError(.storage, detail: " (\(error))"))
            }
            answer.withLock { $0 = result }
            snapshots.keep(await appender.folded, of: log)
        }
    }

    private func append(_ request: Request) async throws -> Answer {
        switch request {
        case .command(let command):
            .decided(try await appender.record([Input(command, at: arrival)]))
        case .post(let report):
            .health(
                try await appender.record(report, at: arrival) {
                    HealthTotal.totals(of: $0, offsetMinutes: $1)
                }.days)
        case .file(let report):
            .health(try await appender.record(report.totals, origin: report.origin, at: arrival))
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
