import EventStoreLMDB
import Foundation
import TestSupport
import Testing

@Suite("Recorder lock")
struct RecorderLockTests {
    let directory = TemporaryDirectory.ofTest()

    /// Why the lock of a store cannot be taken.
    private static func refusal(in path: String) throws -> RecorderLockError {
        try #require(throws: RecorderLockError.self) {
            try RecorderLock(directory: path, startText: "later")
        }
    }

    @Test("names the process that holds it, until that gives it back")
    func refusal() throws {
        let lock = try RecorderLock(directory: directory.path, startText: "at\nnoon")
        let error = try Self.refusal(in: directory.path)
        #expect(
            error.description.contains(
                "`pulselog record` (process \(getpid()), started at noon)"))
        lock.release()
        lock.release()
        _ = try RecorderLock(directory: directory.path, startText: "later")
    }

    @Test("keeps another process out, and is free once that has died")
    func otherProcess() async throws {
        let lock = try RecorderLock(directory: directory.path, startText: "first")
        await #expect(processExitsWith: .success) {
            [path = directory.path as String, holder = getpid() as Int32] in
            let error = try Self.refusal(in: path)
            #expect(error.description.contains("process \(holder), started first"))
        }
        lock.release()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let lock = try RecorderLock(directory: path, startText: "second")
            withExtendedLifetime(lock) { _ = kill(getpid(), SIGKILL) }
        }
        let next = try RecorderLock(directory: directory.path, startText: "third")
        let error = try Self.refusal(in: directory.path)
        #expect(error.description.contains("process \(getpid()), started third"))
        next.release()
    }

    @Test("is asked for by one process at a time, as long as that wants it")
    func requests() throws {
        let lock = try RecorderLock(directory: directory.path, startText: "now", command: .serve)
        #expect(RecorderLock.holder(in: directory.path)?.command == .serve)
        #expect(!RecorderLock.isRequested(in: directory.path))
        withExtendedLifetime(RecorderLock.request(in: directory.path)) { request in
            #expect(request != nil && RecorderLock.isRequested(in: directory.path))
            #expect(RecorderLock.request(in: directory.path) == nil)
        }
        #expect(!RecorderLock.isRequested(in: directory.path))
        lock.release()
        #expect(RecorderLock.holder(in: directory.path) == nil)
    }

    @Test("says why it cannot be taken")
    func unavailable() throws {
        let error = try Self.refusal(in: directory.path + "/missing")
        #expect(error.description.contains("cannot be taken (No such file"))
    }

    private var file: String { directory.path + "/recorder.lock" }

    @Test("is known by the kernel, whatever the text in its file says")
    func isHeld() throws {
        #expect(!RecorderLock.isHeld(in: directory.path))
        // What a recorder that was killed leaves, and somebody else has its number now.
        try Data("\(getpid())\nnoon\n".utf8).write(to: URL(filePath: file))
        #expect(!RecorderLock.isHeld(in: directory.path))
        let lock = try RecorderLock(directory: directory.path, startText: "now")
        #expect(RecorderLock.isHeld(in: directory.path))
        #expect(truncate(file, 0) == 0)
        #expect(RecorderLock.isHeld(in: directory.path))
        lock.release()
        #expect(!RecorderLock.isHeld(in: directory.path))
    }

    /// What may lie where the lock's file should be.
    enum Thing: CaseIterable {
        case pipe, folder, link, danglingLink, socket, device

        func make(_ path: String) {
            let result =
                switch self {
                case .pipe: mkfifo(path, 0o600)
                case .folder: mkdir(path, 0o700)
                case .link: symlink("/etc/hostname", path)
                case .danglingLink: symlink("/nowhere", path)
                case .socket: mknod(path, S_IFSOCK | 0o600, 0)
                case .device: mknod(path, S_IFCHR | 0o600, Thing.zero)
                }
            #expect(result == 0)
        }

        /// The device of `/dev/zero`, 1 and 5, which can be read for ever.
        private static let zero: dev_t = 1 << 8 | 5

        /// Those that this process may make: a device takes privileges.
        static let possible: [Thing] = {
            do {
                let directory = try TemporaryDirectory()
                let isFree = mknod(directory.path + "/zero", S_IFCHR | 0o600, zero) == 0
                return allCases.filter { isFree || $0 != .device }
            } catch {
                return []
            }
        }()
    }

    @Test(
        "waits for nothing that lies there under its name, and says so", arguments: Thing.possible)
    func otherThings(thing: Thing) throws {
        thing.make(file)
        #expect(!RecorderLock.isHeld(in: directory.path))
        let error = try Self.refusal(in: directory.path)
        #expect(error.description.contains("The lock \(file) cannot be taken"))
    }

    @Test("is of the file that has the name now, and not of one that it had to wait for")
    func replaced() async throws {
        let path = directory.path
        var locks = 0
        for moment in 0..<20 {
            let before = open(file, O_RDWR | O_CREAT, 0o600)
            #expect(flock(before, LOCK_SH) == 0)
            let waiting = Task.detached { try RecorderLock(directory: path, startText: "now") }
            // Most of them have the file open by then, and cannot lock it yet.
            try await Task.sleep(for: .milliseconds(moment))
            #expect(unlink(file) == 0 && close(before) == 0)
            // One that came to no turn for a second has given up.
            guard let lock = try? await waiting.value else { continue }
            #expect(!lock.isLost)
            lock.release()
            locks += 1
        }
        #expect(locks > 0)
    }

    @Test("is lost when its file is removed or replaced")
    func lost() throws {
        let lock = try RecorderLock(directory: directory.path, startText: "now")
        #expect(!lock.isLost)
        try FileManager.default.removeItem(atPath: file)
        #expect(lock.isLost)
        let other = try RecorderLock(directory: directory.path, startText: "later")
        #expect(lock.isLost && !other.isLost)
        lock.release()
        #expect(!lock.isLost, "What was given back cannot be lost.")
        #expect(RecorderLock.isHeld(in: directory.path))
        other.release()
    }
}
