import Foundation
import LMDB
import Testing

@Suite("Read-only environment")
struct ReadOnlyTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Whether this process may mount a file system of its own.
    static let canMount: Bool = {
        do {
            let directory = try TemporaryDirectory()
            guard mount("tmpfs", directory.path, "tmpfs", 0, "size=8m") == 0 else { return false }
            return umount(directory.path) == 0
        } catch {
            return false
        }
    }()

    @Test("changes no byte of the data file, and does not open it for writing")
    func untouched() throws {
        try openEnvironment(directory.path).append(0..<500)
        let before = try Data(contentsOf: URL(filePath: directory.dataFile))
        let environment = try openEnvironment(directory.path, mode: .readOnly)
        #expect(try environment.numbers() == Array(0..<500))
        for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            var path = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/fd/\(entry)", &path, path.count)
            guard count > 0, let descriptor = Int32(entry),
                path[..<count].elementsEqual(directory.dataFile.utf8CString.dropLast())
            else { continue }
            #expect(fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY)
        }
        #expect(try Data(contentsOf: URL(filePath: directory.dataFile)) == before)
    }

    @Test("is read on a medium that cannot be written", .enabled(if: canMount))
    func readOnlyMedium() throws {
        #expect(mount("tmpfs", directory.path, "tmpfs", 0, "size=8m") == 0)
        defer { #expect(umount2(directory.path, Int32(MNT_DETACH)) == 0) }
        try openEnvironment(directory.path).append(0..<500)
        for hasLockFile in [true, false] {
            if !hasLockFile { try FileManager.default.removeItem(atPath: directory.lockFile) }
            #expect(mount("", directory.path, "", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
            #expect(
                try openEnvironment(directory.path, mode: .readOnly).numbers() == Array(0..<500))
            let error = try #require(throws: LMDBError.self) {
                try openEnvironment(directory.path, mode: .existing)
            }
            #expect(error.code == .system(EROFS))
            #expect(mount("", directory.path, "", UInt(MS_REMOUNT), nil) == 0)
        }
    }

    /// As a user whom the permissions bind, in a process of its own.
    @Test("is read in a directory that cannot be written, unless somebody has it open")
    func readOnlyDirectory() async throws {
        var environment: LMDB.Environment? = try openEnvironment(directory.path)
        try environment?.append(0..<500)
        #expect(chmod(directory.dataFile, 0o444) == 0)
        #expect(chmod(directory.lockFile, 0o444) == 0)
        #expect(chmod(directory.path, 0o555) == 0)
        defer { #expect(chmod(directory.path, 0o700) == 0) }
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            if getuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
            let error = try #require(throws: LMDBError.self) {
                try openEnvironment(path, mode: .readOnly)
            }
            #expect(error.code == .system(EACCES))
            #expect(error.description.contains("has the environment open"))
        }
        environment = nil
        for _ in 0..<2 {
            await #expect(processExitsWith: .success) { [path = directory.path as String] in
                if getuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
                let environment = try openEnvironment(path, mode: .readOnly)
                #expect(try environment.numbers() == Array(0..<500))
            }
            // Once more without a lock file.
            #expect(chmod(directory.path, 0o700) == 0)
            unlink(directory.lockFile)
            #expect(chmod(directory.path, 0o555) == 0)
        }
    }
}
