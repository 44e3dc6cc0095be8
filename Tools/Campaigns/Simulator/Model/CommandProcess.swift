import Clocks
import Deciding
import EventStore
import Events
import Interchange
import Projections
import Recording
import Synchronization
import TestSupport
import WalkService

/// A process that appends once, beside the recorder: a command in another terminal.
final class CommandProcess: Sendable {
    /// What it was told.
    enum Answer: Sendable {
        case recorded(Range<Position>)
        case refused
        case late
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

    /// The longest time that a phone waits.
    static let limitMilliseconds: UInt64 = 20_000

    let number: Int
    /// When it began.
    let startedAt: UInt64
    /// What it asks for.
    private let request: Request
    private let arrival: Arrival
    private let store: SimulatedStore
    private let answer = Mutex<Answer?>(nil)

    init(
        _ number: Int, _ request: Request, _ computer: Computer, _ disk: Disk, _ timeline: Timeline
    ) {
        (self.number, self.request) = (number, request)
        startedAt = timeline.now
        arrival = computer.arrival()
        store = SimulatedStore(disk, of: number, on: computer, timeline)
    }

    var log: StoredLog { store.log }

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
    var isClockUnset: Bool { arrival.wallMilliseconds < Arrival.earliestTrustedMilliseconds }

    func start(_ timeline: Timeline) {
        Task(executorPreference: timeline) { @concurrent [self] in
            let result: Answer
            do throws(EventLogError) {
                if case .file(let report) = request {
                    result = try await importFile(report)
                } else {
                    let service = try await store.service()
                    result = await perform(service)
                    store.keep(await service.folded)
                }
            } catch {
                result = .failed(error)
            }
            answer.withLock { $0 = result }
        }
    }

    private func perform(_ service: WalkService) async -> Answer {
        do throws(WalkRefusal) {
            switch request {
            case .command(let command):
                let reply = try await service.perform(.decide { _ in command }, within: nil)
                return .recorded(reply.events)
            case .post(let report), .file(let report):
                let reply = try await service.perform(
                    .report(report) { HealthTotal.totals(of: $0, offsetMinutes: $1) },
                    within: .milliseconds(Self.limitMilliseconds))
                return .health(reply.health?.days ?? [])
            }
        } catch {
            switch error.kind {
            case .senseless, .unreadable: return .refused
            case .late: return .late
            case .log(let failure): return .failed(failure)
            case .impossible:
                if error.code == "clockNotSet" { return .clockNotSet }
                return .failed(
                    log.failure ?? EventLogError(.storage, detail: " (\(error.message))"))
            }
        }
    }

    /// An import has an appender of its own.
    private func importFile(_ report: HealthReport) async throws(EventLogError) -> Answer {
        let appender = Appender(
            log, machine: store.machine, snapshots: store.savedWalks,
            isRecorderAlive: { [store] in store.isRecorderAlive })
        try await appender.catchUp()
        let days = try await appender.record(
            report.totals, origin: Reporter(report.origin), at: arrival)
        store.keep(await appender.folded)
        return .health(days)
    }

    /// What it was told; nil before.
    func takeAnswer() -> Answer? {
        answer.withLock { $0.take() }
    }

    func close(_ generator: inout SeededGenerator) { log.close(&generator) }
}
