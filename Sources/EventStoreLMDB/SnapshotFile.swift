public import EventStore
internal import Events
internal import Glibc
internal import LMDB

/// The snapshot of a log in a file beside its data.
///
/// The file: `PLOGSNP1`, the CRC-32C of all that follows, the log's identity, and the snapshot's
/// fields; numbers are little-endian, a list begins with its length in 4 bytes. Whatever else is
/// there is no snapshot.
public struct SnapshotFile: SnapshotStore {
    /// The name of the file.
    public static let name = "snapshot"
    private static let magic = Array("PLOGSNP1".utf8)
    /// A file that is longer is not read: a state of a hundred years is shorter.
    private static let limitBytes = 256 << 20

    private let directory: String
    private let id: [UInt8]

    /// Names the file of a log.
    public init(of log: LMDBEventLog) {
        directory = log.directory
        id = log.id
    }

    /// The snapshot; nil if there is none, or it is another log's, or damaged.
    public func read() -> Snapshot? {
        guard let bytes = contents(), bytes.starts(with: Self.magic) else { return nil }
        var rest = bytes[Self.magic.count...]
        guard let checksum = rest.takeNumber(of: 4),
            checksum == UInt64(CRC32C.checksum(Array(rest).span)),
            rest.take(id.count).map(Array.init) == id,
            let next = rest.takeNumber(of: 8), let key = rest.takeList(),
            let lastLine = rest.takeList(), let state = rest.takeList(), rest.isEmpty
        else { return nil }
        return Snapshot(key: key, next: next, lastLine: lastLine, state: state)
    }

    /// Keeps a snapshot; if it cannot be written, everything stays as it was.
    public func write(_ snapshot: Snapshot) {
        var body = id
        body.append(snapshot.next, bytes: 8)
        for list in [snapshot.key, snapshot.lastLine, snapshot.state] {
            body.append(UInt64(list.count), bytes: 4)
            body += list
        }
        var bytes = Self.magic
        bytes.append(UInt64(CRC32C.checksum(body.span)), bytes: 4)
        bytes += body
        guard bytes.count <= Self.limitBytes else { return }
        do throws(LMDBError) {
            try CompanionFile(name: Self.name, content: bytes).write(to: directory)
        } catch {
            // On a full disk, or one that cannot be written: whoever opens the log folds more.
        }
    }

    private func contents() -> [UInt8]? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
        let descriptor = open("\(directory)/\(Self.name)", flags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size > 0, status.st_size <= Self.limitBytes
        else { return nil }
        // At once: what is shorter than it says is not whole.
        var bytes = [UInt8](repeating: 0, count: status.st_size)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count == bytes.count ? bytes : nil
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: UInt64, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func take(_ count: Int) -> ArraySlice? {
        guard count <= self.count else { return nil }
        defer { self = dropFirst(count) }
        return prefix(count)
    }

    fileprivate mutating func takeNumber(of bytes: Int) -> UInt64? {
        take(bytes)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    fileprivate mutating func takeList() -> [UInt8]? {
        takeNumber(of: 4).flatMap { take(Int($0)) }.map(Array.init)
    }
}
