import EventStore
import EventStoreLMDB
import Events
import Foundation
import LMDB
import TestSupport
import Testing

@Suite("Store")
struct StoreTests {
    let directory = TemporaryDirectory.ofTest()

    func open(_ mode: LogMode = .create(origin)) throws(EventLogError) -> LMDBEventLog {
        try LMDBEventLog.open(directory: directory.store, mode: mode)
    }

    func open(
        _ mode: LogMode = .create(origin), appending batch: EventBatch
    ) async throws -> LMDBEventLog {
        let log = try open(mode)
        _ = try await log.append(batch, expecting: nil)
        return log
    }

    @Test("begins with the origin's identity and events")
    func creation() throws {
        let log = try open()
        #expect(log.id == origin.id)
        #expect(log.createdMilliseconds == origin.createdMilliseconds)
        #expect(try log.events(in: 0..<1).map(\.event) == [.originBegan(OriginBegan())])
        #expect(try names(in: directory.path) == ["store"])
    }

    @Test("tells what its own commits took, and how much it takes")
    func figures() async throws {
        let log = try open()
        #expect(log.figures(in: nil).commits == CommitFigures())
        for round in 0..<3 {
            _ = try await log.append(heartbeats(round * 40..<round * 40 + 40), expecting: nil)
        }
        let figures = log.figures(in: CheckpointFolder("\(directory.path)/state"))
        let commits = try #require(figures.commits)
        #expect(commits.durable.counts.reduce(0, +) == 3)
        #expect(commits.durable.totalMicroseconds > 0)
        #expect(commits.failed == CommitFigures().failed)
        #expect(commits.waiting == 0)
        #expect(try figures.sizeBytes == log.statistics().fileBytes)
        #expect(figures.checkpointAtMilliseconds == nil)
        #expect(figures.signedEvents == 0)
        log.close()
        #expect(try open(.readOnly).figures(in: nil).commits == nil)
    }

    @Test("a copy that two processes let begin anew is the log of the faster one")
    func twiceAnew() throws {
        let copy = try open()
        let (id, end) = (copy.id, try copy.next)
        copy.close()
        for number in 1...2 as ClosedRange<UInt8> {
            let anew = LogOrigin(
                id: Array(repeating: number, count: 16), createdMilliseconds: 0,
                events: origin.events)
            try LMDBEventLog.beginAnew(in: directory.store, insteadOf: id, at: end, anew)
            let log = try open(.existing)
            #expect(log.id == Array(repeating: 1, count: 16))
            #expect(try log.next == end + 1)
            log.close()
        }
    }

    @Test("gives the same bytes when it is opened again")
    func reopening() async throws {
        let log = try await open(appending: heartbeats(0..<3_000))
        let blocks = try log.blocks()
        log.close()
        for mode in [LogMode.existing, .readOnly, .create(origin)] {
            let again = try open(mode)
            #expect(try again.blocks() == blocks)
            #expect(try again.next == 3_001)
            #expect(again.id == origin.id)
            again.close()
        }
    }

    @Test("extends the open block when it is opened again, and keeps the full ones")
    func extendsOpenBlock() async throws {
        var blocks: [[UInt8]] = []
        for round in 0..<40 {
            let log = try await open(appending: heartbeats(round * 40..<round * 40 + 40))
            let now = try log.blocks()
            #expect(now.dropLast().starts(with: blocks.dropLast()))
            blocks = now
            log.close()
        }
        #expect(blocks.count < 6)
        let log = try open(.readOnly)
        #expect(try log.contents().count == 1_601)
    }

    @Test("lets pages be used again while the body of a reading takes its time")
    func slowBody() async throws {
        let log = try await open(appending: heartbeats(0..<3_000))
        let (entries, entry) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            do {
                try log.readBlocks(from: 0) { _ in
                    entry.yield()
                    release.wait()
                    return false
                }
            } catch {
                Issue.record(error)
            }
            entry.finish()
        }
        for await _ in entries {
            let before = try directory.dataFileBytes
            for number in 0..<100 {
                _ = try await log.append(heartbeats(number..<number + 1), expecting: nil)
            }
            // Each commit writes three pages and more; the file has room for a few commits.
            #expect(try directory.dataFileBytes - before < 20 * 4_096)
            release.signal()
        }
        log.close()
    }

    @Test("is not there before it is made")
    func notFound() throws {
        for mode in [LogMode.existing, .readOnly] {
            let error = try #require(throws: EventLogError.self) { try open(mode) }
            #expect(error.code == .notFound)
            #expect(error.description.contains(directory.store))
        }
        #expect(!FileManager.default.fileExists(atPath: directory.store))
    }

    @Test("is made in an empty directory, and where directories are missing")
    func makesDirectories() throws {
        try directory.makeStore()
        try open().close()
        let deep = try LMDBEventLog.open(
            directory: directory.path + "/a/b/c/store/", mode: .create(origin))
        #expect(try deep.next == 1)
    }

    @Test("leaves what is not a log alone", arguments: ["note.txt", "data.mdb"])
    func alienDirectory(name: String) throws {
        try directory.makeStore()
        for content in ["", "not a database, but long enough to be looked at as one"] {
            let file = URL(filePath: directory.store + "/" + name)
            try Data(content.utf8).write(to: file)
            let error = try #require(throws: EventLogError.self) { try open() }
            #expect(error.code == .unrecognized)
            #expect(try Data(contentsOf: file) == Data(content.utf8))
            #expect(try names(in: directory.store) == [name])
        }
    }

    @Test("adds nothing to another program's environment")
    func alienEnvironment() throws {
        try directory.makeStore()
        func others() throws(LMDBError) -> Environment {
            try Environment(
                directory: directory.store, mapSizeBytes: 1 << 20, databases: ["log", "other"])
        }
        func put(_ name: String) throws {
            let environment = try others()
            try environment.write { transaction in
                try transaction.put(
                    Array("x".utf8).span, at: Array("format".utf8),
                    in: environment.database(name))
            }
        }
        try put("other")
        for mode in [LogMode.create(origin), .existing, .readOnly] {
            let error = try #require(throws: EventLogError.self) { try open(mode) }
            #expect(error.code == .unrecognized)
        }
    }

    private var identityFile: String { directory.store + "/log.id" }
    private static let identityText = origin.id.map { String(format: "%02x", $0) }.joined()

    @Test("names its log in a file beside the data, which an older store gets when it is written")
    func identityFileIsWritten() throws {
        try open().close()
        #expect(
            try String(contentsOfFile: identityFile, encoding: .utf8) == Self.identityText + "\n")
        try FileManager.default.removeItem(atPath: identityFile)
        try open(.readOnly).close()
        #expect(!FileManager.default.fileExists(atPath: identityFile))
        try open(.existing).close()
        #expect(
            try String(contentsOfFile: identityFile, encoding: .utf8) == Self.identityText + "\n")
        #expect(try names(in: directory.store) == ["data.mdb", "lock.mdb", "log.id"])
    }

    @Test("refuses the data of another log, and names both")
    func otherLog() throws {
        try open().close()
        let other = LogOrigin(
            id: [UInt8](repeating: 0xAB, count: 16), createdMilliseconds: 0, events: origin.events)
        try LMDBEventLog.open(directory: directory.path + "/other", mode: .create(other)).close()
        try FileManager.default.removeItem(atPath: directory.dataFile)
        try FileManager.default.copyItem(
            atPath: directory.path + "/other/data.mdb", toPath: directory.dataFile)
        for mode in [LogMode.existing, .readOnly, .create(origin)] {
            let error = try #require(throws: EventLogError.self) { try open(mode) }
            #expect(error.code == .damaged)
            #expect(error.description.contains(Self.identityText))
            #expect(error.description.contains(String(repeating: "ab", count: 16)))
        }
        try FileManager.default.removeItem(atPath: identityFile)
        #expect(try open(.existing).id == other.id)
    }

    @Test("says what to do if the file beside the data names no log", arguments: ["", "x", "\n"])
    func oddIdentityFile(content: String) throws {
        try open().close()
        try Data((Self.identityText.dropLast(2) + content).utf8).write(
            to: URL(filePath: identityFile))
        let error = try #require(throws: EventLogError.self) { try open(.readOnly) }
        #expect(error.code == .damaged)
        #expect(error.description.contains("delete it"))
    }

    @Test("can be copied as a folder, and is the same log there")
    func copiedFolder() async throws {
        let log = try await open(appending: notes(0..<5))
        log.close()
        let copy = directory.path + "/copy"
        try FileManager.default.copyItem(atPath: directory.store, toPath: copy)
        let again = try LMDBEventLog.open(directory: copy, mode: .existing)
        #expect(again.id == origin.id)
        #expect(try again.contents().count == 6)
    }

    @Test("is opened once in a process")
    func openedTwice() throws {
        let log = try open()
        let error = try #require(throws: EventLogError.self) { try open() }
        #expect(error.code == .storage)
        #expect(try log.next == 1)
    }

    @Test("refuses to append when it is open for reading")
    func readOnly() async throws {
        try open().close()
        let log = try open(.readOnly)
        let error = try await #require(throws: EventLogError.self) {
            try await log.append(notes(0..<1), expecting: nil)
        }
        #expect(error.code == .permission)
        #expect(try log.next == 1)
    }

    @Test("answers everyone with closed once it is closed")
    func closing() async throws {
        let log = try open()
        let waiting = Task { try await log.waitForEvent(at: 50) }
        let appended = Task { try await log.append(notes(0..<3), expecting: nil) }
        try await log.waitForEvent(at: 3)
        log.close()
        log.close()
        #expect(try await appended.value == 1..<4)
        await #expect(throws: EventLogError(.closed)) { try await waiting.value }
        await #expect(throws: EventLogError(.closed)) { try await log.waitForEvent(at: 0) }
        await #expect(throws: EventLogError(.closed)) {
            try await log.append(notes(0..<1), expecting: nil)
        }
        #expect(throws: EventLogError(.closed)) { try log.next }
        #expect(throws: EventLogError(.closed)) { try log.contents() }
    }

    @Test("grows its map as far as an append needs")
    func mapGrowth() async throws {
        let log = try LMDBEventLog.open(
            directory: directory.store, mode: .create(origin), mapSizeBytes: 1 << 20)
        let before = try log.statistics()
        #expect(before.mapSizeBytes == 1 << 20)
        _ = try await log.append(heartbeats(0..<240_000), expecting: nil)
        #expect(try log.statistics().mapSizeBytes >= 2 << 20)
        for _ in 0..<6 { _ = try await log.append(heartbeats(0..<10_000), expecting: nil) }
        let found = try log.verify()
        #expect(found.damage == nil)
        #expect(found.next == 300_001)
        #expect(found.events(in: .heart) == 300_000)
    }

    @Test("counts what it holds")
    func statistics() async throws {
        let log = try await open(appending: heartbeats(0..<5_000))
        _ = try await log.append(notes(0..<500), expecting: nil)
        let figures = try log.statistics()
        let found = try log.verify()
        #expect(figures.events == 5_501)
        #expect(figures.blocks == found.blocks)
        for lane in Lane.allCases { #expect(figures.events(in: lane) == found.events(in: lane)) }
        #expect(figures.events(in: .control) == 501)
        #expect(figures.fileBytes > found.bytes)
        #expect(found.bytes == (try log.blocks().map(\.count).reduce(0, +)))
    }

    @Test("stops appending when its files are taken away", arguments: ["data.mdb", "lock.mdb"])
    func replacedFiles(name: String) async throws {
        let log = try await open(appending: notes(0..<5))
        try FileManager.default.removeItem(atPath: directory.store + "/" + name)
        for _ in 0..<2 {
            let error = try await #require(throws: EventLogError.self) {
                try await log.append(notes(5..<6), expecting: nil)
            }
            #expect(error.code == .replaced)
        }
        #expect(try log.contents().count == 6)
    }
}
