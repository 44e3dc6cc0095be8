import EventStore
import Events
import Foundation
import TestSupport
import Testing

@testable import EventStoreLMDB

/// Appends that wait because somebody else, who may never end, is in the middle of a write.
@Suite("A write that does not end", .timeLimit(.minutes(5)))
struct StoppedWriterTests {
    let directory: TemporaryDirectory
    let log: LMDBEventLog

    init() throws {
        directory = try TemporaryDirectory()
        log = try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
    }

    /// Lets a thread begin a write and stay in the middle of it, until `body` has ended.
    ///
    /// It has LMDB's lock, and no other process the turn to write, as with a program of strangers.
    ///
    /// - Throws: What `body` throws.
    private func withOtherWriter(_ body: () async throws -> Void) async throws {
        try await withOther { [store = log.store] stay in
            try store.write { _, _ in stay() }
        } during: {
            try await body()
        }
    }

    /// Lets a thread begin something and stay in the middle of it, until `body` has ended.
    ///
    /// - Throws: What `body` throws.
    private func withOther(
        _ begins: @escaping @Sendable (_ stay: () -> Void) throws -> Void,
        during body: () async throws -> Void
    ) async throws {
        let done = DispatchSemaphore(value: 0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
            do {
                try begins {
                    begin.yield()
                    done.wait()
                }
            } catch {
                Issue.record("Nothing was begun: \(error)")
            }
            begin.finish()
            end.finish()
        }
        for await _ in begun { break }
        let result = await outcome(of: body)
        done.signal()
        for await _ in ended {}
        try result.get()
    }

    /// Whether a thread of this process watches a directory, as inotify(7) shows it.
    private func isWatched(_ path: String) throws -> Bool {
        var status = stat()
        #expect(stat(path, &status) == 0)
        let line = "ino:" + String(status.st_ino, radix: 16) + " "
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").contains {
            FileManager.default.contents(atPath: "/proc/self/fdinfo/" + $0)
                .map { String(decoding: $0, as: UTF8.self).contains(line) } ?? false
        }
    }

    @Test("waits for readers that keep the map from growing, however long they take")
    func longReader() async throws {
        log.close()
        let log = try LMDBEventLog.open(
            directory: directory.store, mode: .existing, mapSizeBytes: 128 << 10)
        var append: Task<Range<Position>, any Error>?
        try await withOther { [store = log.store] stay in
            try store.read { _, _ in stay() }
        } during: {
            append = Task { try await log.append(heartbeats(0..<40_000), expecting: 1) }
            // Longer than what the map waits at a time.
            while log.wait?.duration ?? .zero < .seconds(6) { await Task.yield() }
        }
        #expect(try await append?.value == 1..<40_001)
        log.close()
    }

    /// Begins an append, and returns when it waits.
    private func appendWaiting(
        _ numbers: Range<Int>
    ) async throws -> Task<Range<Position>, any Error> {
        let append = Task { [log] in try await log.append(notes(numbers), expecting: nil) }
        while log.wait == nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        return append
    }

    @Test("is told of while an append waits, and holds up nobody who reads")
    func telling() async throws {
        var append: Task<Range<Position>, any Error>?
        try await withOtherWriter {
            #expect(log.wait == nil, "Nobody waits yet.")
            append = try await appendWaiting(0..<1)
            let wait = try #require(log.wait)
            #expect(wait.processID == nil && !wait.isStopped)
            #expect(wait.description.contains("another program is in the middle of a write"))
            #expect(try #require(log.wait).duration > wait.duration)
            #expect(try log.contents().count == 1)
            #expect(try log.verify().damage == nil)
        }
        #expect(try await append?.value == 1..<2)
        #expect(log.wait == nil)
        let busy = WriterWait(duration: .seconds(3), processID: getpid()).description
        #expect(busy.contains("it is not stopped") && !busy.contains("kill"), "\(busy)")
    }

    @Test("lets go who calls an append off; nothing of that is ever appended")
    func callingOff() async throws {
        var patient: Task<Range<Position>, any Error>?
        try await withOtherWriter {
            let first = try await appendWaiting(0..<1)
            patient = Task { [log] in try await log.append(notes(1..<3), expecting: 1) }
            first.cancel()
            let error = try await #require(throws: EventLogError.self) { try await first.value }
            #expect(error.code == .cancelled)
            #expect(error.description.contains("is not in the log"))
            #expect(error.description.contains("in the middle of a write"))
        }
        #expect(try await patient?.value == 1..<3)
        #expect(try log.contents().count == 3)
    }

    @Test("does not keep a log from closing that has nothing to write any more")
    func closing() async throws {
        try await withOtherWriter {
            let append = try await appendWaiting(0..<1)
            append.cancel()
            await #expect(throws: EventLogError.self) { try await append.value }
            log.close()
            await #expect(throws: EventLogError(.closed)) {
                try await log.append(notes(0..<1), expecting: nil)
            }
            // Nobody would ever end the watching of others.
            await #expect(throws: EventLogError(.closed)) { try await log.waitForEvent(at: 1) }
            #expect(try !isWatched(directory.store))
        }
        // The files are let go as soon as the other write is done.
        var again: LMDBEventLog?
        while again == nil {
            do throws(EventLogError) {
                again = try LMDBEventLog.open(directory: directory.store, mode: .existing)
            } catch {
                guard error.code == .storage else { throw error }
                await Task.yield()
            }
        }
        #expect(try await again?.append(notes(0..<1), expecting: 1) == 1..<2)
    }
}
