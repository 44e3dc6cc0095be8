public import EventStore
internal import Events
internal import Files
internal import Glibc
internal import LMDB

/// The snapshot of a log in a file next to its data; others with what looks back stand by it.
///
/// | Bytes | Hold |
/// |---|---|
/// | 8 | `PLOGSNP2` |
/// | 16 | the log's identity |
/// | 8 | the first position that was not folded |
/// | 4, 4, 8 | the lengths of key, last event and state |
/// | 4 | the CRC-32C of the state |
/// | 4 | the CRC-32C of all bytes before it, and of key and last event |
/// | | key, last event, state |
///
/// Numbers are little-endian. Whatever else is there is no snapshot, and of one that is not wanted
/// the state is not read.
public struct SnapshotFile: SnapshotStore {
    /// The name of the file with the state of the log.
    public static let name = "snapshot"
    private static let magic = Array("PLOGSNP2".utf8)
    /// The bytes before key and last event.
    private static let fixedBytes = 56
    /// A key and a last event that are longer are not ours.
    private static let headLimitBytes = 1 << 16
    /// A state that is longer is neither written nor read: that of a hundred years is shorter.
    private static let stateLimitBytes = 256 << 20
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
    /// - Parameter isWanted: Whether it is to be read beyond its head.
    /// - Returns: The snapshot; nil if there is none, if it is another log's or damaged, or if it
    ///   is not wanted.
    public func read(where isWanted: (Snapshot.Head) -> Bool) -> Snapshot? {
        do throws(SystemCallError) {
            let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW)
            let fixed = try file.read(Self.fixedBytes)
            guard fixed.count == Self.fixedBytes, let lengths = Lengths(fixed),
                lengths.fileBytes == file.regularByteCount,
                fixed.starts(with: Self.magic), Array(fixed[8..<24]) == id
            else { return nil }
            let named = try file.read(lengths.key + lengths.lastEvent)
            guard fixed.number(at: 52, bytes: 4) == Self.checksum(Array(fixed.prefix(52)) + named)
            else { return nil }
            let head = Snapshot.Head(
                key: Array(named.prefix(lengths.key)), next: fixed.number(at: 24, bytes: 8),
                lastEvent: Array(named.dropFirst(lengths.key)))
            guard isWanted(head) else { return nil }
            let state = try file.read(lengths.state)
            guard fixed.number(at: 48, bytes: 4) == Self.checksum(state) else { return nil }
            return Snapshot(head, state: state)
        } catch {
            return nil
        }
    }

    /// The size of the file in bytes; nil if there is none.
    public var sizeBytes: Int? {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// The lengths of the parts, none of which is longer than it may be.
    private struct Lengths {
        let key: Int
        let lastEvent: Int
        let state: Int

        var fileBytes: Int { SnapshotFile.fixedBytes + key + lastEvent + state }

        init?(_ fixed: [UInt8]) {
            let (key, lastEvent) = (fixed.number(at: 32, bytes: 4), fixed.number(at: 36, bytes: 4))
            let state = fixed.number(at: 40, bytes: 8)
            guard key + lastEvent <= headLimitBytes, state <= stateLimitBytes else { return nil }
            (self.key, self.lastEvent, self.state) = (Int(key), Int(lastEvent), Int(state))
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt64 {
        UInt64(CRC32C.checksum(bytes.span))
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
        guard let bytes = bytes(of: snapshot), isOurs, hasRoom(for: bytes.count) else { return }
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

    private func bytes(of snapshot: Snapshot) -> [UInt8]? {
        let (head, state) = (snapshot.head, snapshot.state)
        guard head.key.count + head.lastEvent.count <= Self.headLimitBytes,
            state.count <= Self.stateLimitBytes
        else { return nil }
        var bytes = Self.magic + id
        bytes.append(head.next, bytes: 8)
        bytes.append(UInt64(head.key.count), bytes: 4)
        bytes.append(UInt64(head.lastEvent.count), bytes: 4)
        bytes.append(UInt64(state.count), bytes: 8)
        bytes.append(Self.checksum(state), bytes: 4)
        bytes.append(Self.checksum(bytes + head.key + head.lastEvent), bytes: 4)
        return bytes + head.key + head.lastEvent + state
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

extension [UInt8] {
    fileprivate mutating func append(_ number: UInt64, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }

    fileprivate func number(at offset: Int, bytes: Int) -> UInt64 {
        self[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
