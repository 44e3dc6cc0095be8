import EventStore
import EventStoreLMDB
import Events
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Backup")
struct BackupTests {
    let directory = TemporaryDirectory.ofTest()

    /// What a reader looks at.
    private final class End: Sendable {
        let hasCome = Mutex(false)
    }

    var backup: String { directory.path + "/backup" }

    func makeLog(holding batch: EventBatch = EventBatch()) async throws -> LMDBEventLog {
        let log = try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
        _ = try await log.append(batch, expecting: 1)
        return log
    }

    func made<Made>(_ outcome: CopyOutcome<Made>) throws -> Made {
        guard case .made(let made) = outcome else { throw ProgramError("\(outcome)") }
        return made
    }

    /// What a restored log begins anew with.
    static let secondOrigin = makeOrigin(
        id: [UInt8](repeating: 7, count: 16), createdMilliseconds: 77,
        .originBegan(OriginBegan(cause: .restored, checkpoint: "known")), .bootBegan(BootBegan()),
        at: stamp(9_000_000, boot: 1))

    @Test("is the same log, to the byte and by its identity", arguments: [false, true])
    func same(compacting: Bool) async throws {
        let log = try await makeLog()
        for number in 0..<40 {
            _ = try await log.append(heartbeats(number * 90..<number * 90 + 90), expecting: nil)
        }
        let made = try made(try log.backUp(to: backup, compacting: compacting))
        #expect(made.copy.next == 3_601)
        #expect(made.copy.last?.position == 3_600)
        #expect(try names(in: directory.path) == ["backup", "store"])
        let copy = try LMDBEventLog.open(directory: backup, mode: .existing)
        #expect(copy.id == log.id && copy.createdMilliseconds == log.createdMilliseconds)
        #expect(try copy.blocks() == log.blocks())
        #expect(
            try String(contentsOfFile: backup + "/log.id", encoding: .utf8)
                == String(contentsOfFile: directory.store + "/log.id", encoding: .utf8))
        #expect((made.copy.fileBytes < made.storeBytes) == compacting)
        #expect(made.freePages > 0)
        _ = try await copy.append(notes(0..<1), expecting: 3_601)
    }

    @Test("is what the log began with, while another process appends all the time")
    func amongWriters() async throws {
        try await makeLog().close()
        let end = End()
        let writing = Task { [store = directory.store] in
            defer { end.hasCome.withLock { $0 = true } }
            await #expect(processExitsWith: .success) { [store = store as String] in
                let log = try LMDBEventLog.open(directory: store, mode: .existing)
                for number in 0..<100 {
                    _ = try await log.append(
                        heartbeats(number * 9..<number * 9 + 9), expecting: nil)
                }
            }
        }
        let log = try LMDBEventLog.open(directory: directory.store, mode: .readOnly)
        var counts: [Position] = []
        var isLast = false
        while !isLast {
            isLast = end.hasCome.withLock { $0 }
            let path = "\(backup)-\(counts.count)"
            let made = try made(try log.backUp(to: path, compacting: counts.count % 2 == 1))
            counts.append(made.copy.next)
            let copy = try LMDBEventLog.open(directory: path, mode: .readOnly)
            let (events, all) = (try copy.contents(), try log.contents())
            #expect(Position(events.count) == made.copy.next)
            #expect(all.starts(with: events))
            copy.close()
            try FileManager.default.removeItem(atPath: path)
        }
        _ = await writing.value
        #expect(counts == counts.sorted() && counts.last == 901)
    }

    @Test("leaves nothing behind when it is ended, at whatever step")
    func stopped() async throws {
        let log = try await makeLog(holding: heartbeats(0..<3_000))
        var steps: Set<CopyProgress.Step> = []
        for limit in 0..<100 {
            var count = 0
            let outcome = try log.backUp(to: backup, compacting: limit % 2 == 1) { progress in
                steps.insert(progress.step)
                count += 1
                return count <= limit
            }
            if case .made = outcome { break }
            guard case .stopped = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(try names(in: directory.path) == ["store"])
        }
        #expect(steps == [.copying, .verifying])
        #expect(try names(in: directory.path) == ["backup", "store"])
    }

    @Test("takes no name that something has, also one that is taken meanwhile")
    func nameTaken() async throws {
        let log = try await makeLog()
        var isFirst = true
        let outcome = try log.backUp(to: backup) { _ in
            if isFirst {
                isFirst = false
                #expect(throws: Never.self) { try log.backUp(to: backup) }
            }
            return true
        }
        guard case .nameTaken = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(try names(in: directory.path) == ["backup", "store"])
        try Data("mine".utf8).write(to: URL(filePath: directory.path + "/file"))
        guard case .nameTaken = try log.backUp(to: directory.path + "/file") else {
            return #expect(Bool(false))
        }
        #expect(try names(in: directory.path) == ["backup", "file", "store"])
    }

    @Test("is not made of a damaged log, and names the position")
    func damaged() async throws {
        let log = try await makeLog(holding: notes(0..<2_000, author: "unmistakable"))
        let blocks = try log.blocks()
        log.close()
        var file = try Data(contentsOf: URL(filePath: directory.dataFile))
        let place = try #require(file.range(of: Data(blocks[1])))
        file[place.lowerBound + 1_000] ^= 1
        try file.write(to: URL(filePath: directory.dataFile))
        let again = try LMDBEventLog.open(directory: directory.store, mode: .readOnly)
        for compacting in [false, true] {
            let error = try #require(throws: EventLogError.self) {
                try again.backUp(to: backup, compacting: compacting)
            }
            #expect(error.code == .damaged)
            #expect(try error.position == heads(of: blocks[0]).next)
        }
        #expect(try names(in: directory.path) == ["store"])
    }

    @Test("says that the disk is full, and leaves nothing", .enabled(if: SmallDisk.isPossible))
    func fullDisk() async throws {
        let small = try TemporaryDirectory()
        let disk = try SmallDisk(on: small.path)
        defer { disk.unmount() }
        let log = try await makeLog(holding: heartbeats(0..<300_000))
        for compacting in [false, true] {
            let error = try #require(throws: EventLogError.self) {
                try log.backUp(to: small.path + "/backup", compacting: compacting)
            }
            #expect(error.code == .diskFull, "\(error)")
        }
        #expect(try names(in: small.path).isEmpty)
    }

    // MARK: - Restoring

    func restore(
        progress: (CopyProgress) -> Bool = { _ in true }
    ) throws(LogCreationError<EventLogError>) -> CopyOutcome<LogCopy> {
        try LMDBEventLog.restore(
            from: backup, to: directory.path + "/a/restored",
            origin: { log throws(EventLogError) in
                #expect(try log.next == 3_001)
                return Self.secondOrigin
            }, progress: progress)
    }

    @Test("is restored to the byte, as another log with a new origin after it")
    func restored() async throws {
        let log = try await makeLog(holding: heartbeats(0..<3_000))
        _ = try log.backUp(to: backup)
        let before = try Data(contentsOf: URL(filePath: backup + "/data.mdb"))
        let copy = try made(try restore())
        #expect(copy.next == 3_003 && copy.last?.stamp == stamp(9_000_000, boot: 1))
        let restored = try LMDBEventLog.open(
            directory: directory.path + "/a/restored", mode: .existing)
        #expect(restored.id == Self.secondOrigin.id && restored.createdMilliseconds == 77)
        let blocks = try log.blocks()
        #expect(try restored.blocks().prefix(blocks.count) == blocks[...])
        #expect(
            try restored.events(in: 3_001..<3_003).map(\.event) == [
                .originBegan(OriginBegan(cause: .restored, checkpoint: "known")),
                .bootBegan(BootBegan()),
            ])
        #expect(try Data(contentsOf: URL(filePath: backup + "/data.mdb")) == before)
        _ = try await restored.append(notes(0..<1), expecting: 3_003)
        #expect(try restored.verify().damage == nil)
        guard case .nameTaken = try restore() else { return #expect(Bool(false)) }
    }

    @Test("is not restored if it is damaged, is none, or the restoring is ended")
    func notRestored() async throws {
        let none = try #require(throws: LogCreationError<EventLogError>.self) { try restore() }
        guard case .log(let error) = none, error.code == .notFound else { throw none }
        let log = try await makeLog(holding: heartbeats(0..<3_000))
        let blocks = try log.blocks()
        _ = try log.backUp(to: backup)
        for limit in 0..<3 {
            var count = 0
            let outcome = try restore { _ in
                count += 1
                return count <= limit
            }
            guard case .stopped = outcome else { return #expect(Bool(false)) }
        }
        let file = URL(filePath: backup + "/data.mdb")
        var bytes = try Data(contentsOf: file)
        let place = try #require(bytes.range(of: Data(blocks[1])))
        bytes[place.lowerBound + 500] ^= 1
        try bytes.write(to: file)
        let damage = try #require(throws: LogCreationError<EventLogError>.self) { try restore() }
        guard case .log(let found) = damage, found.code == .damaged else { throw damage }
        #expect(try found.position == heads(of: blocks[1]).first)
        #expect(try names(in: directory.path + "/a").isEmpty)
    }
}
