import EventStore
import EventStoreLMDB
import Foundation
import TestSupport
import Testing

@Suite("The file of a snapshot")
final class SnapshotFileTests {
    private let directory: TemporaryDirectory
    private let log: LMDBEventLog
    private let file: SnapshotFile
    private let snapshot = Snapshot(
        Snapshot.Head(
            key: [1, 2, 3], next: 0x0102_0304_0506_0708, lastEvent: Array("event".utf8)),
        state: (0..<200).map { UInt8($0) })

    init() throws {
        directory = try TemporaryDirectory()
        log = try Self.open("log", in: directory)
        file = SnapshotFile(of: log)
    }

    deinit { log.close() }

    private var url: URL { URL(filePath: "\(log.directory)/\(SnapshotFile.name)") }

    /// A new log in a folder of its own.
    private static func open(
        _ name: String, in directory: TemporaryDirectory
    ) throws -> LMDBEventLog {
        try LMDBEventLog.open(
            directory: "\(directory.path)/\(name)",
            mode: .create(
                LogOrigin(
                    id: origin.id.map { $0 ^ UInt8(name.utf8.count) },
                    createdMilliseconds: origin.createdMilliseconds, events: origin.events)))
    }

    @Test("gives back what was kept, and only the latest")
    func kept() throws {
        #expect(file.read { _ in true } == nil)
        var later = snapshot
        later.state = []
        file.write(later)
        file.write(snapshot)
        #expect(file.read { _ in true } == snapshot)
    }

    @Test("is none if any of its bytes is another one, or missing, or one is too many")
    func damaged() throws {
        file.write(snapshot)
        let bytes = try Data(contentsOf: url)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= UInt8(1 << (index % 8))
            try changed.write(to: url)
            #expect(file.read { _ in true } == nil, "byte \(index)")
            try bytes.prefix(index).write(to: url)
            #expect(file.read { _ in true } == nil, "cut at \(index)")
        }
        try (bytes + [0]).write(to: url)
        #expect(file.read { _ in true } == nil)
        try bytes.write(to: url)
        #expect(file.read { _ in true } == snapshot)
    }

    @Test("is none if it is another log's, or no file")
    func foreign() throws {
        let other = try Self.open("other", in: directory)
        defer { other.close() }
        file.write(snapshot)
        let paths = [log, other].map { "\($0.directory)/\(SnapshotFile.name)" }
        try FileManager.default.copyItem(atPath: paths[0], toPath: paths[1])
        #expect(SnapshotFile(of: other).read { _ in true } == nil)
        try FileManager.default.removeItem(atPath: paths[1])
        try FileManager.default.createSymbolicLink(
            atPath: paths[1], withDestinationPath: "/dev/zero")
        #expect(SnapshotFile(of: other).read { _ in true } == nil)
        try FileManager.default.removeItem(atPath: paths[1])
        try makeFolder(paths[1])
        #expect(SnapshotFile(of: other).read { _ in true } == nil)
        // It cannot be written either, and that harms nobody.
        SnapshotFile(of: other).write(snapshot)
        #expect(SnapshotFile(of: other).read { _ in true } == nil)
        #expect(try names(in: other.directory) == ["data.mdb", "lock.mdb", "log.id", "snapshot"])
    }

    @Test("is given only if it is wanted")
    func unwanted() throws {
        file.write(snapshot)
        var heads: [Snapshot.Head] = []
        let read = file.read { head in
            heads.append(head)
            return false
        }
        #expect(read == nil && heads == [snapshot.head])
    }

    @Test("is written over what a dead process left, and leaves nothing unfinished")
    func leftovers() throws {
        let unfinished = "\(log.directory)/\(SnapshotFile.name).new"
        try Data(repeating: 7, count: 1_000).write(to: URL(filePath: unfinished))
        #expect(chmod(unfinished, 0o644) == 0)
        file.write(snapshot)
        #expect(file.read { _ in true } == snapshot)
        #expect(try names(in: log.directory) == ["data.mdb", "lock.mdb", "log.id", "snapshot"])
        #expect(try permissions(of: url.path) == 0o600)
        // Another name of the data is no leftover: it would be cut.
        #expect(link("\(log.directory)/data.mdb", unfinished) == 0)
        let data = try Data(contentsOf: URL(filePath: "\(log.directory)/data.mdb"))
        file.write(Snapshot(snapshot.head, state: []))
        #expect(try Data(contentsOf: URL(filePath: "\(log.directory)/data.mdb")) == data)
        #expect(file.read { _ in true } == snapshot)
    }

    @Test("is whole and one of theirs, whoever writes and reads at the same time")
    func together() async throws {
        let (file, head) = (file, snapshot.head)
        file.write(snapshot)
        await withTaskGroup(of: Void.self) { group in
            for writer in UInt8(0)..<4 {
                group.addTask {
                    for round in UInt8(0)..<25 {
                        let state = [UInt8](repeating: writer, count: 10_000 + Int(round))
                        file.write(Snapshot(head, state: state))
                        let read = file.read { _ in true }
                        #expect(read != nil && Set(read?.state.dropFirst(200) ?? []).count <= 1)
                    }
                }
            }
        }
        #expect(try names(in: log.directory) == ["data.mdb", "lock.mdb", "log.id", "snapshot"])
    }

    @Test("is left alone on a disk that is almost full", .enabled(if: SmallDisk.isPossible))
    func fullDisk() throws {
        let directory = try TemporaryDirectory()
        let disk = try SmallDisk(on: directory.path, megabytes: 32)
        defer { disk.unmount() }
        let log = try LMDBEventLog.open(
            directory: directory.store, mode: .create(origin), mapSizeBytes: 1 << 20)
        defer { log.close() }
        let file = SnapshotFile(of: log)
        file.write(snapshot)
        #expect(try names(in: log.directory) == ["data.mdb", "lock.mdb", "log.id"])
    }

    @Test("can be removed")
    func removed() throws {
        file.write(snapshot)
        #expect(file.sizeBytes == 28 + 9 + 1 + 3 + 1 + 5 + 200)
        file.remove()
        file.remove()
        #expect(file.read { _ in true } == nil && file.sizeBytes == nil)
    }
}
