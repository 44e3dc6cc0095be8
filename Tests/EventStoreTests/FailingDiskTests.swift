import EventStore
import Events
import Foundation
import TestSupport
import Testing

@testable import EventStoreLMDB
@testable import LMDB

@Suite("Failing disk")
struct FailingDiskTests {
    let directory = TemporaryDirectory.ofTest()

    @Test(
        "says that the disk is full, and goes on when there is room",
        .enabled(if: SmallDisk.isPossible))
    func fullDisk() async throws {
        let disk = try SmallDisk(on: directory.path)
        defer { disk.unmount() }
        let filler = directory.path + "/filler"
        try Data(count: 500_000).write(to: URL(filePath: filler))
        let log = try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
        defer { log.close() }
        var next: Position = 1
        var failures = 0
        for round in 0..<400 where failures < 3 {
            do throws(EventLogError) {
                next = try await log.append(Self.batch(round), expecting: next).upperBound
            } catch {
                #expect(error.code == .diskFull, "\(error)")
                failures += 1
            }
            #expect(try log.next == next)
        }
        #expect(failures == 3)
        try FileManager.default.removeItem(atPath: filler)
        let range = try await log.append(Self.batch(0), expecting: next)
        #expect(range.lowerBound == next)
        let found = try log.verify()
        #expect(found.damage == nil)
        #expect(found.next == range.upperBound)
    }

    @Test("takes a disk for full that was full when the commit failed, though it has room by now")
    func roomMeanwhile() {
        for (available, code) in [(0, EventLogError.Code.diskFull), (1 << 20, .storage)] {
            let error = LMDBError(
                result: EIO, call: "mdb_txn_commit", availableBytes: UInt64(available))
            #expect(EventLogError(error, in: directory.path).code == code)
        }
    }

    private static func batch(_ round: Int) -> EventBatch {
        do {
            return try heartbeats(round * 1_500..<round * 1_500 + 1_500)
        } catch {
            fatalError("\(error)")
        }
    }

    /// Limits the size of files that this process writes; nil for as much as it may.
    private static func limitFileSize(to bytes: rlim_t?) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(1), &limit) == 0)
        limit.rlim_cur = bytes ?? limit.rlim_max
        #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)
    }

    /// A limit on the size of files makes a commit's write fail, whoever runs the test.
    @Test("fails the appends of a commit that fails, reopens, and goes on")
    func failedCommit() async throws {
        try LMDBEventLog.open(directory: directory.store, mode: .create(origin)).close()
        await #expect(processExitsWith: .success) { [store = directory.store as String] in
            let log = try LMDBEventLog.open(directory: store, mode: .existing)
            _ = try await log.append(heartbeats(0..<100), expecting: 1)
            Self.limitFileSize(to: 64 * 1_024)

            for _ in 0..<2 {
                let error = try await #require(throws: EventLogError.self) {
                    try await log.append(heartbeats(0..<20_000), expecting: 101)
                }
                #expect(error.code == .storage)
                #expect(try log.contents().count == 101)
            }
            #expect(log.figures(in: nil).commits?.failed.counts.reduce(0, +) == 2)
            _ = try await log.append(notes(0..<2), expecting: 101)

            Self.limitFileSize(to: nil)
            _ = try await log.append(heartbeats(0..<20_000), expecting: 103)
            let found = try log.verify()
            #expect(found.damage == nil)
            #expect(found.next == 20_103)
        }
    }

    /// Whoever appends nothing more would keep all others from opening the store.
    @Test("mends a store once there is room, also if nobody appends any more")
    func mendedLater() async throws {
        try LMDBEventLog.open(directory: directory.store, mode: .create(origin)).close()
        await #expect(processExitsWith: .success) { [directory = directory.store as String] in
            let log = try LMDBEventLog.open(directory: directory, mode: .existing)
            let file = URL(filePath: directory + "/data.mdb")
            Self.limitFileSize(to: 4_096)
            await #expect(throws: EventLogError.self) {
                try await log.append(heartbeats(0..<20_000), expecting: 1)
            }
            // The writer has failed to mend it when it takes the next request.
            await #expect(throws: EventLogError.self) {
                try await log.append(heartbeats(0..<1), expecting: 1)
            }
            let before = try Data(contentsOf: file)
            Self.limitFileSize(to: nil)
            for _ in 0..<600 where try Data(contentsOf: file) == before {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try Data(contentsOf: file) != before)
            #expect(try log.verify().damage == nil)
        }
    }

    /// The pages that lead to all others: each commit changes one of them, and so does what mends.
    private static func metaPages(of store: String) throws -> Data {
        try Data(contentsOf: URL(filePath: store + "/data.mdb")).prefix(8_192)
    }

    private static func failCommit(of log: LMDBEventLog) async {
        await #expect(throws: EventLogError.self) {
            try await log.append(heartbeats(0..<20_000), expecting: nil)
        }
    }

    /// Opens a store again and again, lets commits of it fail, and expects it to be mended then.
    private static func expectMending(
        of store: String, rounds: Int, after fail: (LMDBEventLog, Int) async throws -> Void,
        by end: (LMDBEventLog) async throws -> Void
    ) async throws {
        for round in 0..<rounds {
            let log = try LMDBEventLog.open(directory: store, mode: .existing)
            let before = try Self.metaPages(of: store)
            Self.limitFileSize(to: 64 * 1_024)
            try await fail(log, round)
            Self.limitFileSize(to: nil)
            try await end(log)
            #expect(try Self.metaPages(of: store) != before)
            log.close()
        }
    }

    /// Until it is mended, the store is one that no other process opens.
    @Test(
        "mends a store before it is closed, and when writing ends while the log is still read",
        arguments: [false, true])
    func mendedAtTheEnd(isRead: Bool) async throws {
        try LMDBEventLog.open(directory: directory.store, mode: .create(origin)).close()
        await #expect(processExitsWith: .success) {
            [store = directory.store as String, isRead = isRead as Bool] in
            try await Self.expectMending(of: store, rounds: isRead ? 20 : 200) { log, _ in
                await Self.failCommit(of: log)
            } by: { (log) async throws in
                guard isRead else { return log.close() }
                log.endWriting()
                #expect(try log.contents().count == 1)
                await #expect(throws: EventLogError(.closed)) {
                    try await log.append(notes(0..<1), expecting: nil)
                }
            }
        }
    }

    /// An append that is refused writes nothing, although its commit does not fail.
    @Test("mends a store also if what came after the failure was refused")
    func mendedAfterRefusal() async throws {
        try LMDBEventLog.open(directory: directory.store, mode: .create(origin)).close()
        await #expect(processExitsWith: .success) { [store = directory.store as String] in
            let (large, small) = (try heartbeats(0..<20_000), try notes(0..<1))
            try await Self.expectMending(of: store, rounds: 100) { log, round in
                let failing = Task { try await log.append(large, expecting: nil) }
                // Sooner or later it waits while the other fails, and is the next to be written.
                try await Task.sleep(for: .microseconds(100 * round))
                await #expect(throws: EventLogError.self) {
                    try await log.append(small, expecting: 1_000)
                }
                await #expect(throws: EventLogError.self) { try await failing.value }
            } by: { log in
                log.close()
            }
        }
    }

    @Test("leaves a store as it is that holds another log when it is reopened")
    func exchangedMeanwhile() throws {
        try LMDBEventLog.open(directory: directory.store, mode: .create(origin)).close()
        try FileManager.default.removeItem(atPath: directory.store + "/log.id")
        let before = try Data(contentsOf: URL(filePath: directory.dataFile))
        let settings = StoreSettings(
            isReadOnly: false, mapSizeBytes: 1 << 30, allowsRemoteFileSystem: false)
        let other = LogIdentity(
            of: LogOrigin(
                id: Array(16..<32), createdMilliseconds: origin.createdMilliseconds,
                events: origin.events))
        let error = try #require(throws: EventLogError.self) {
            try settings.open(directory.store, afterFailedCommitOf: other)
        }
        #expect(error.code == .replaced)
        #expect(try Data(contentsOf: URL(filePath: directory.dataFile)) == before)
        #expect(!FileManager.default.fileExists(atPath: directory.store + "/log.id"))
        let store = try OpenStore(directory: directory.store, settings: settings)
        try store.mend {}
        #expect(try Data(contentsOf: URL(filePath: directory.dataFile)) != before)
    }

    @Test("reopens after a failed commit while another process writes for ever, and is read")
    func stoppedWriterMeanwhile() async throws {
        try LMDBEventLog.open(directory: directory.store, mode: .create(origin)).close()
        await #expect(processExitsWith: .success) { [store = directory.store as String] in
            let log = try LMDBEventLog.open(directory: store, mode: .existing)
            Self.limitFileSize(to: 64 * 1_024)
            #expect(throws: (any Error).self) {
                try log.store.write { transaction, environment in
                    let value = [UInt8](repeating: 1, count: 1 << 20)
                    try transaction.put(value.span, at: [1], in: environment.meta)
                }
            }
            // The turn to write (`WriterTurn`), which a process that is stopped never gives back.
            let (other, output) = (Process(), Pipe())
            other.executableURL = URL(filePath: "/usr/bin/perl")
            other.arguments = [
                "-e",
                #"open F, "+<", $ARGV[0]; $lock = pack "ssx4qqix4", 1, 0, 1 << 62, 1, 0; "#
                    + #"fcntl F, 6, $lock or die; syswrite STDOUT, "x"; sleep"#,
                store + "/data.mdb",
            ]
            other.standardOutput = output
            try other.run()
            defer { other.terminate() }
            #expect(try output.fileHandleForReading.read(upToCount: 1) == Data("x".utf8))
            #expect(log.store.reopenIfNeeded())
            #expect(try log.contents().count == 1)
        }
    }
}
