public import EventStore
internal import Events
internal import Files
internal import Glibc
internal import LMDB

/// The snapshot of a log in a file next to its data; others with what looks back stand by it.
///
/// | Bytes | Hold |
/// |---|---|
/// | 8 | `PLOGSNP3` |
/// | 16 | the log's identity |
/// | 4 | the CRC-32C of all bytes after it, lowest first |
/// | | the first position that was not folded |
/// | | key and last event, each after its length |
/// | | state |
///
/// Position and lengths are written as those of events are. Whatever else is there is no snapshot.
public struct SnapshotFile: SnapshotStore {
    /// The name of the file with the state of the log.
    public static let name = "snapshot"
    private static let magic = Array("PLOGSNP3".utf8)
    /// A longer file is neither written nor read: that of a hundred years is shorter.
    private static let limitBytes = 256 << 20
    /// Where less of the disk is free, or less than ten times the file, it is left to the log.
    private static let leastFreeBytes: UInt64 = 64 << 20

    private let directory: String
    private let id: [UInt8]
    private let name: String

    /// Names a file of a log.
    public init(of log: LMDBEventLog, name: String = SnapshotFile.name) {
        directory = log.directory
        id = log.id
        self.name = name
    }

    private init(_ directory: String, _ id: [UInt8], _ name: String) {
        (self.directory, self.id, self.name) = (directory, id, name)
    }

    /// The file with something else that was made of the log, which has its name.
    public func beside(_ part: LookBack) -> (any SnapshotStore)? {
        SnapshotFile(directory, id, part.rawValue)
    }

    private var path: String { "\(directory)/\(name)" }
    /// Where it is written before it gets its name.
    private var unfinishedPath: String { path + ".new" }

    // MARK: - Reading

    /// Reads the snapshot.
    ///
    /// - Parameter isWanted: Whether a snapshot with this head is of use.
    /// - Returns: The snapshot; nil if there is none, if it is another log's or damaged, or if it
    ///   is not wanted.
    public func read(where isWanted: (Snapshot.Head) -> Bool) -> Snapshot? {
        do throws(SystemCallError) {
            let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW)
            guard let count = file.regularByteCount, count <= Self.limitBytes,
                let snapshot = snapshot(in: try file.read(count)), isWanted(snapshot.head)
            else { return nil }
            return snapshot
        } catch {
            return nil
        }
    }

    /// What bytes hold that are all of a file; nil if they are damaged or another log's.
    private func snapshot(in bytes: [UInt8]) -> Snapshot? {
        let content = bytes.span.extracting(droppingFirst: Self.magic.count + id.count + 4)
        var offset = 0
        guard bytes.starts(with: prefix(of: content)), let next = content.varint(at: &offset),
            let key = content.part(at: &offset), let lastEvent = content.part(at: &offset)
        else { return nil }
        return Snapshot(
            Snapshot.Head(key: key, next: next, lastEvent: lastEvent),
            state: [UInt8](copying: content.extracting(droppingFirst: offset)))
    }

    /// What stands before the content of a file of this log.
    private func prefix(of content: Span<UInt8>) -> [UInt8] {
        let checksum = CRC32C.checksum(content)
        return Self.magic + id + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
    }

    /// The size of the file in bytes; nil if there is none.
    public var sizeBytes: Int? {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    // MARK: - Writing

    /// Keeps a snapshot; if it cannot be written, everything stays as it was.
    ///
    /// Nobody is told of a failure, for nothing is lost: whoever opens the log folds more of it.
    /// Nothing is tried where the disk is almost full, or by a user whom the log does not belong
    /// to. The file gets its name once on disk. Whoever writes at the same time, in this process
    /// or another, gives way to the one that began; what a dead process left is written over.
    ///
    /// - Parameter snapshot: The snapshot.
    public func write(_ snapshot: Snapshot) {
        let bytes = bytes(of: snapshot)
        guard bytes.count <= Self.limitBytes, isOurs, hasRoom(for: bytes.count) else { return }
        do throws(SystemCallError) {
            let file = try OpenFile(unfinishedPath, O_WRONLY | O_CREAT | O_NOFOLLOW)
            // The process that had it locked may have finished it.
            guard file.lock(LOCK_EX), file.hasItsName, file.regularByteCount != nil,
                file.status?.st_nlink == 1
            else { return }
            do throws(SystemCallError) {
                try SystemCallError.check(fchmod(file.descriptor, 0o600), "fchmod")
                try file.replaceContent(bytes)
                try file.synchronize()
                try SystemCallError.check(rename(unfinishedPath, path), "rename")
            } catch {
                unlink(unfinishedPath)
            }
        } catch {
            return
        }
    }

    /// Removes the file, if it is there and can be removed.
    public func remove() {
        unlink(path)
    }

    private func bytes(of snapshot: Snapshot) -> [UInt8] {
        var content: [UInt8] = []
        content.appendVarint(snapshot.head.next)
        for part in [snapshot.head.key, snapshot.head.lastEvent] {
            content.appendVarint(UInt64(part.count))
            content += part
        }
        content += snapshot.state
        return prefix(of: content.span) + content
    }

    /// Whether the log belongs to whoever runs this: the owner could not read the file of another.
    private var isOurs: Bool {
        var status = stat()
        return stat("\(directory)/data.mdb", &status) == 0 && status.st_uid == geteuid()
    }

    private func hasRoom(for count: Int) -> Bool {
        let free = Environment.availableDiskBytes(of: directory) ?? 0
        return free >= Self.leastFreeBytes && free >= 10 * UInt64(count)
    }
}

extension Span<UInt8> {
    /// The bytes at an offset that follow their number; nil if there are not so many.
    fileprivate func part(at offset: inout Int) -> [UInt8]? {
        guard let length = varint(at: &offset), length <= UInt64(count - offset) else { return nil }
        defer { offset += Int(length) }
        return [UInt8](copying: extracting(offset..<offset + Int(length)))
    }
}
