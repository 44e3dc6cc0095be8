import EventStoreLMDB
import Foundation
import Testing

@Suite("Recorder lock")
struct RecorderLockTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("names the process that holds it, until that gives it back")
    func refusal() throws {
        let lock = try RecorderLock(directory: directory.path, startText: "at\nnoon")
        let error = try #require(throws: RecorderLockError.self) {
            try RecorderLock(directory: directory.path, startText: "later")
        }
        #expect(error.code == .held(processID: getpid()))
        #expect(error.detail == "at noon")
        #expect(error.description.contains("process \(getpid()), started at noon"))
        lock.release()
        lock.release()
        _ = try RecorderLock(directory: directory.path, startText: "later")
    }

    @Test("keeps another process out, and is free once that has died")
    func otherProcess() async throws {
        let lock = try RecorderLock(directory: directory.path, startText: "first")
        await #expect(processExitsWith: .success) {
            [path = directory.path as String, holder = getpid() as Int32] in
            let error = try #require(throws: RecorderLockError.self) {
                try RecorderLock(directory: path, startText: "second")
            }
            #expect(error.code == .held(processID: holder))
        }
        lock.release()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let lock = try RecorderLock(directory: path, startText: "second")
            withExtendedLifetime(lock) { _ = kill(getpid(), SIGKILL) }
        }
        let next = try RecorderLock(directory: directory.path, startText: "third")
        let error = try #require(throws: RecorderLockError.self) {
            try RecorderLock(directory: directory.path, startText: "fourth")
        }
        #expect(error.code == .held(processID: getpid()))
        next.release()
    }

    @Test("says why it cannot be taken")
    func unavailable() throws {
        let error = try #require(throws: RecorderLockError.self) {
            try RecorderLock(directory: directory.path + "/missing", startText: "")
        }
        #expect(error.code == .unavailable)
        #expect(error.description.contains("No such file"))
    }
}
