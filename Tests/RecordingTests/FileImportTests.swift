import Deciding
import EventStore
import Events
import Synchronization
import TestSupport
import Testing

@Suite("The import of a file")
struct FileImportTests {
    private let log = InMemoryEventLog()

    /// A file of one session of three heart rates, so much later.
    private static func file(later delay: Int64 = 0) throws -> EventBatch {
        var events = EventBatch()
        func add(_ event: Event, _ milliseconds: UInt64) throws {
            let stamp = Stamp(
                boot: milliseconds, wall: 1_772_442_000_000 + delay + Int64(milliseconds))
            try events.append(event, source: 1, stamp: stamp, flags: .wallTrusted)
        }
        try add(.importBegan(ImportBegan(fileName: "a", format: "btsnoop", sha256: hash)), 0)
        try add(.sessionStarted(SessionStarted()), 0)
        for number in 0..<3 { try add(notified([0, UInt8(60 + number)]), UInt64(number) * 1_000) }
        try add(.sessionEnded(SessionEnded(reason: .inputEnded)), 2_000)
        try add(.importEnded(ImportEnded(importedEvents: 5)), 2_000)
        return events
    }

    private static let hash = [UInt8](repeating: 3, count: 32)

    @Test("tells an observer of another process where it begins and ends, and no more")
    func observed() async throws {
        let told = Mutex<[EventKind]>([])
        let recorder = Appender(log, machine: machine)
        await recorder.observe { _, events in
            told.withLock { $0 += events.map(\.event.kind) }
        }
        let other = Appender(log, machine: machine)
        _ = try await other.record(
            imported: other.draft(imported: Self.file()), ofSHA256: Self.hash)
        _ = try await other.record([reading(0)])
        try await recorder.catchUp()
        let kinds = told.withLock(\.self)
        #expect(kinds == [.importBegan, .importEnded, .bootBegan, .characteristicNotified])
        #expect(await recorder.next == 9)
    }

    @Test("is taken again if the log holds only its beginning")
    func cutOff() async throws {
        var batch = EventBatch()
        let stamp = Stamp(boot: 0, wall: 0)
        try batch.append(
            .importBegan(ImportBegan(fileName: "a", format: "btsnoop", sha256: Self.hash)),
            source: 1, stamp: stamp, flags: [])
        _ = try await log.append(batch, expecting: 0)
        let appender = Appender(log, machine: machine)
        let again = try await appender.record(
            imported: appender.draft(imported: Self.file()), ofSHA256: Self.hash)
        #expect(again == .recorded(1..<8, source: 2))
        let known = try await appender.record(
            imported: appender.draft(imported: Self.file()), ofSHA256: Self.hash)
        #expect(known == .known(1, source: 2))
    }

    @Test("is compared with walks of the same heart rates only that began with it")
    func sameHeartRates() async throws {
        _ = try await log.append(Self.file(), expecting: 0)
        var index = ImportIndex()
        try index.catchUp(with: log)
        let unreadable = DamagedBeginning(log)
        for (delay, isRead) in [(-1_001, false), (-1_000, true), (1_000, true), (1_001, false)] {
            let file = try Self.file(later: Int64(delay))
            if isRead {
                #expect(throws: EventLogError(.damaged, position: 0)) {
                    try index.known(byHeartRatesOf: file, in: unreadable)
                }
            } else {
                #expect(try index.known(byHeartRatesOf: file, in: unreadable) == nil)
            }
        }
    }

    @Test("is recorded beyond a part of it that is there, by one of two that saw the same part")
    func parts() async throws {
        let appender = Appender(log, machine: machine)
        let first = try await appender.record(
            imported: appender.draft(imported: Self.file()), ofSHA256: Self.hash)
        var walk = EventBatch()
        for (index, header) in try Self.file().headers.enumerated() {
            var event = try Self.file().event(at: index)
            if case .characteristicNotified(let sent) = event {
                event = notified([0, sent.value[1] + 10])
            }
            try walk.append(event, source: 1, stamp: header.stamp, flags: header.flags)
        }
        let second = try await appender.record(
            imported: appender.draft(imported: walk), ofSHA256: Self.hash, beyond: first.place)
        guard case .recorded(_, source: 2) = second else { throw ProgramError("\(second)") }
        let late = try await Appender(log, machine: machine).record(
            imported: appender.draft(imported: walk), ofSHA256: Self.hash, beyond: first.place)
        #expect(late == .known(second.place, source: 2))
    }
}
