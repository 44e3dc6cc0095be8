import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing

@Suite("Read-only environment")
struct ReadOnlyTests {
    let directory = TemporaryDirectory.ofTest()

    @Test("changes no byte of the data file, and does not open it for writing")
    func untouched() throws {
        try openEnvironment(directory.path).append(0..<500)
        let before = try directory.data
        let environment = try openEnvironment(directory.path, mode: .readOnly)
        #expect(try environment.numbers() == Array(0..<500))
        var file = stat()
        #expect(stat(directory.dataFile, &file) == 0)
        var openCount = 0
        for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            var status = stat()
            guard let descriptor = Int32(entry), fstat(descriptor, &status) == 0,
                status.st_dev == file.st_dev, status.st_ino == file.st_ino
            else { continue }
            openCount += 1
            #expect(fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY)
        }
        #expect(openCount > 0)
        #expect(try directory.data == before)
    }

    @Test("is read on a medium that cannot be written", .enabled(if: SmallDisk.isPossible))
    func readOnlyMedium() throws {
        let disk = try SmallDisk(on: directory.path, megabytes: 8)
        defer { disk.unmount() }
        try openEnvironment(directory.path).append(0..<500)
        for hasLockFile in [true, false] {
            if !hasLockFile { try FileManager.default.removeItem(atPath: directory.lockFile) }
            #expect(mount("", directory.path, "", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
            #expect(
                try openEnvironment(directory.path, mode: .readOnly).numbers() == Array(0..<500))
            let code = try errorCode { try openEnvironment(directory.path, mode: .existing) }
            #expect(code == .system(EROFS))
            #expect(mount("", directory.path, "", UInt(MS_REMOUNT), nil) == 0)
        }
    }

    @Test(
        "says that the disk is full where its lock file has no room",
        .enabled(if: SmallDisk.isPossible))
    func noRoomForLock() throws {
        let disk = try SmallDisk(on: directory.path)
        defer { disk.unmount() }
        try openEnvironment(directory.path).append(0..<500)
        try FileManager.default.removeItem(atPath: directory.lockFile)
        try disk.fill("filler")
        for mode in [Environment.Mode.readOnly, .existing] {
            let code = try errorCode { try openEnvironment(directory.path, mode: mode) }
            #expect(code == .system(ENOSPC))
        }
        try FileManager.default.removeItem(atPath: directory.path + "/filler")
        #expect(try openEnvironment(directory.path, mode: .readOnly).numbers() == Array(0..<500))
    }

    private func forbidWriting() {
        #expect(chmod(directory.dataFile, 0o444) == 0)
        #expect(chmod(directory.lockFile, 0o444) == 0)
        #expect(chmod(directory.path, 0o555) == 0)
    }

    /// Makes this process that of a user whom the permissions bind.
    private static func dropPrivileges() {
        if getuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
    }

    /// As a user whom the permissions bind, in a process of its own.
    @Test("is read in a directory that cannot be written, unless somebody has it open")
    func readOnlyDirectory() async throws {
        var environment: LMDB.Environment? = try openEnvironment(directory.path)
        try environment?.append(0..<500)
        forbidWriting()
        defer { #expect(chmod(directory.path, 0o700) == 0) }
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            Self.dropPrivileges()
            let error = try #require(throws: LMDBError.self) {
                try openEnvironment(path, mode: .readOnly)
            }
            #expect(error.code == .system(EACCES))
            #expect(error.description.contains("has the environment open"))
        }
        environment = nil
        for _ in 0..<2 {
            await #expect(processExitsWith: .success) { [path = directory.path as String] in
                Self.dropPrivileges()
                let environment = try openEnvironment(path, mode: .readOnly)
                #expect(try environment.numbers() == Array(0..<500))
            }
            // Once more without a lock file.
            #expect(chmod(directory.path, 0o700) == 0)
            unlink(directory.lockFile)
            #expect(chmod(directory.path, 0o555) == 0)
        }
    }

    /// The writer begins inside of the read: the reader waits for it to be there.
    @Test("in a directory that cannot be written, hands out nothing that a writer may have changed")
    func companyWhileReading() async throws {
        try openEnvironment(directory.path).append(0..<500)
        let pipe = try TemporaryDirectory()
        #expect(mkfifo(pipe.path + "/pipe", 0o666) == 0)
        #expect(chmod(pipe.path, 0o755) == 0)
        forbidWriting()
        let writer = Writer(directory: directory.path, pipe: pipe.path + "/pipe")
        let thread = Thread { writer.run() }
        thread.start()
        await #expect(processExitsWith: .success) {
            [path = directory.path as String, pipe = pipe.path as String] in
            Self.dropPrivileges()
            let environment = try openEnvironment(path, mode: .readOnly)
            let code = try errorCode {
                try environment.read { _ in
                    // Opened when the writer is ready to, and at its end when it has written.
                    let descriptor = open(pipe + "/pipe", O_RDONLY)
                    var byte: UInt8 = 0
                    #expect(read(descriptor, &byte, 1) == 1)
                }
            }
            #expect(code == .system(EACCES))
        }
        // A reader that never came has left the writer waiting.
        close(open(pipe.path + "/pipe", O_RDONLY | O_NONBLOCK))
        writer.end()
        #expect(chmod(directory.path, 0o700) == 0)
    }

    /// Writes when a pipe has a reader, says so, and keeps the environment open.
    private final class Writer: Sendable {
        private let directory: String
        private let pipe: String
        private let environment = Mutex<LMDB.Environment?>(nil)

        init(directory: String, pipe: String) {
            (self.directory, self.pipe) = (directory, pipe)
        }

        func run() {
            let descriptor = open(pipe, O_WRONLY)
            defer { close(descriptor) }
            for (path, mode) in [("", 0o700), ("/data.mdb", 0o600), ("/lock.mdb", 0o600)] {
                #expect(chmod(directory + path, mode_t(mode)) == 0)
            }
            do {
                let opened = try openEnvironment(directory)
                try opened.append(500..<600)
                environment.withLock { $0 = opened }
                #expect(write(descriptor, [1], 1) == 1)
            } catch {
                Issue.record(error)
            }
        }

        func end() {
            environment.withLock { $0 = nil }
        }
    }
}
