import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EventStoreLMDB

@Suite("Commit watcher")
struct CommitWatcherTests {
    let directory = TemporaryDirectory.ofTest()

    /// What the watcher's looks find.
    private final class Looks: Sendable {
        let count = Atomic(0)
        let isPublished = Atomic(false)
        let seen = AsyncStream.makeStream(of: Void.self)

        func look() {
            count.add(1, ordering: .relaxed)
            if isPublished.load(ordering: .acquiring) { seen.continuation.yield() }
        }
    }

    /// LMDB publishes a commit in memory, after the write that the kernel tells of, and a writer
    /// can lose its processor in between for any time.
    @Test("sees a commit that is published long after its last write", .timeLimit(.minutes(5)))
    func latePublication() async throws {
        let file = directory.path + "/data.mdb"
        try Data([1]).write(to: URL(filePath: file))
        let looks = Looks()
        let watcher = try CommitWatcher(directory: directory.path) { looks.look() }
        defer { watcher.stop() }
        let descriptor = open(file, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(write(descriptor, [2], 1) == 1)
        // One look at the start, one at the write, one after each: the kernel says no more.
        while looks.count.load(ordering: .relaxed) < 4 { await Task.yield() }
        looks.isPublished.store(true, ordering: .releasing)
        for await _ in looks.seen.stream { return }
    }

    /// Nothing but the kernel's word makes it look within an hour.
    @Test("looks at once when somebody writes", .timeLimit(.minutes(5)))
    func writing() async throws {
        let file = directory.path + "/data.mdb"
        try Data([1]).write(to: URL(filePath: file))
        let looks = Looks()
        let watcher = try CommitWatcher(
            directory: directory.path, milliseconds: 3_600_000...3_600_000
        ) {
            if FileManager.default.contents(atPath: file) == Data([2]) {
                looks.isPublished.store(true, ordering: .releasing)
            }
            looks.look()
        }
        defer { watcher.stop() }
        // The look at the start comes by itself.
        while looks.count.load(ordering: .relaxed) < 1 { await Task.yield() }
        let descriptor = open(file, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(write(descriptor, [2], 1) == 1)
        for await _ in looks.seen.stream { return }
    }

    /// Nothing but the kernel's word makes it look within an hour.
    @Test("looks at once when a file is taken away", .timeLimit(.minutes(5)))
    func removal() async throws {
        let file = directory.path + "/data.mdb"
        try Data([1]).write(to: URL(filePath: file))
        let looks = Looks()
        let watcher = try CommitWatcher(
            directory: directory.path, milliseconds: 3_600_000...3_600_000
        ) {
            if !FileManager.default.fileExists(atPath: file) {
                looks.isPublished.store(true, ordering: .releasing)
            }
            looks.look()
        }
        defer { watcher.stop() }
        // The look at the start comes by itself.
        while looks.count.load(ordering: .relaxed) < 1 { await Task.yield() }
        try FileManager.default.removeItem(atPath: file)
        for await _ in looks.seen.stream { return }
    }
}
