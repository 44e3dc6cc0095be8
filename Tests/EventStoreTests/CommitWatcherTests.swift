import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EventStoreLMDB

@Suite("Commit watcher")
struct CommitWatcherTests {
    private let directory = TemporaryDirectory.ofTest()
    private let looks = Looks()
    private var file: String { directory.path + "/data.mdb" }

    init() throws {
        try Data([1]).write(to: URL(filePath: file))
    }

    private func overwrite() {
        let descriptor = open(file, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(write(descriptor, [2], 1) == 1)
    }

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
        let watcher = try CommitWatcher(directory: directory.path) { [looks] in looks.look() }
        defer { watcher.stop() }
        overwrite()
        // One look at the start, one at the write, one after each: the kernel says no more.
        while looks.count.load(ordering: .relaxed) < 4 { await Task.yield() }
        looks.isPublished.store(true, ordering: .releasing)
        for await _ in looks.seen.stream { return }
    }

    /// Nothing but the kernel's word makes it look within an hour.
    @Test(
        "looks at once when somebody writes, or takes a file away", .timeLimit(.minutes(5)),
        arguments: [false, true])
    func change(isRemoval: Bool) async throws {
        let watcher = try CommitWatcher(
            directory: directory.path, milliseconds: 3_600_000...3_600_000
        ) { [looks, file] in
            if FileManager.default.contents(atPath: file) == (isRemoval ? nil : Data([2])) {
                looks.isPublished.store(true, ordering: .releasing)
            }
            looks.look()
        }
        defer { watcher.stop() }
        // The look at the start comes by itself.
        while looks.count.load(ordering: .relaxed) < 1 { await Task.yield() }
        if isRemoval { try FileManager.default.removeItem(atPath: file) } else { overwrite() }
        for await _ in looks.seen.stream { return }
    }
}
