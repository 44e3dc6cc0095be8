import EventStore
import EventStoreLMDB
import Events
import Foundation
import TestSupport
import Testing

@Suite("The file of a snapshot")
struct SnapshotFileTests {
    private let snapshot = Snapshot(
        key: [1, 2, 3], next: 0x0102_0304_0506_0708, lastLine: Array("{}\n".utf8),
        state: (0..<200).map { UInt8($0) })

    /// A new log in a folder of its own.
    private func open(_ directory: TemporaryDirectory, _ name: String) throws -> LMDBEventLog {
        try LMDBEventLog.open(
            directory: "\(directory.path)/\(name)",
            mode: .create(
                LogOrigin(
                    id: origin.id.map { $0 ^ UInt8(name.utf8.count) },
                    createdMilliseconds: origin.createdMilliseconds, events: origin.events)))
    }

    @Test("gives back what was kept, and only the latest")
    func kept() throws {
        let directory = try TemporaryDirectory()
        let log = try open(directory, "log")
        let file = SnapshotFile(of: log)
        #expect(file.read() == nil)
        var later = snapshot
        later.state = []
        file.write(later)
        file.write(snapshot)
        #expect(file.read() == snapshot)
        log.close()
    }

    @Test("is none if any of its bytes is another one, or missing, or one is too many")
    func damaged() throws {
        let directory = try TemporaryDirectory()
        let log = try open(directory, "log")
        let file = SnapshotFile(of: log)
        file.write(snapshot)
        let url = URL(filePath: "\(log.directory)/\(SnapshotFile.name)")
        let bytes = try Data(contentsOf: url)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= UInt8(1 << (index % 8))
            try changed.write(to: url)
            #expect(file.read() == nil, "byte \(index)")
            try bytes.prefix(index).write(to: url)
            #expect(file.read() == nil, "cut at \(index)")
        }
        try (bytes + [0]).write(to: url)
        #expect(file.read() == nil)
        try bytes.write(to: url)
        #expect(file.read() == snapshot)
        log.close()
    }

    @Test("is none if it is another log's, or no file")
    func foreign() throws {
        let directory = try TemporaryDirectory()
        let (log, other) = (try open(directory, "log"), try open(directory, "other"))
        SnapshotFile(of: log).write(snapshot)
        let paths = [log, other].map { "\($0.directory)/\(SnapshotFile.name)" }
        try FileManager.default.copyItem(atPath: paths[0], toPath: paths[1])
        #expect(SnapshotFile(of: other).read() == nil)
        try FileManager.default.removeItem(atPath: paths[1])
        try FileManager.default.createSymbolicLink(
            atPath: paths[1], withDestinationPath: "/dev/zero")
        #expect(SnapshotFile(of: other).read() == nil)
        try FileManager.default.removeItem(atPath: paths[1])
        try FileManager.default.createDirectory(
            atPath: paths[1], withIntermediateDirectories: false)
        #expect(SnapshotFile(of: other).read() == nil)
        // It cannot be written either, and that harms nobody.
        SnapshotFile(of: other).write(snapshot)
        #expect(SnapshotFile(of: other).read() == nil)
        log.close()
        other.close()
    }
}
