internal import EventStore
internal import Events
internal import Files
internal import Glibc
internal import TamperEvidence

/// The file next to the data that says which log belongs here: 32 hexadecimal digits and a newline.
///
/// With it a `data.mdb` of another log is noticed. It is neither secret nor proof.
struct IdentityFile {
    static let name = "log.id"

    private let directory: String

    /// Names the file of a store.
    init(in directory: String) {
        self.directory = directory
    }

    private var path: String { "\(directory)/\(Self.name)" }

    /// The identity of the log that belongs here; nil if there is no such file.
    ///
    /// - Throws: ``EventLogError``: `damaged` if the file does not hold an identity, or the
    ///   system's.
    func id() throws(EventLogError) -> [UInt8]? {
        let found = try mapErrors(in: directory) { try readFile(path, limit: 64) }
        guard let found else { return nil }
        guard let id = Self.id(of: found.bytes) else {
            throw .damaged(
                "\(path) does not hold the id of a log: delete it, and the next "
                    + "append to the log writes it again")
        }
        return id
    }

    /// Writes the file durably.
    ///
    /// - Throws: ``EventLogError`` with the system's error.
    func write(_ id: [UInt8]) throws(EventLogError) {
        try mapErrors(in: directory) { try writeFile(Self.line(of: id), to: path) }
    }

    /// Removes the file durably.
    ///
    /// - Throws: ``EventLogError`` with the system's error.
    func remove() throws(EventLogError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw EventLogError(SystemCallError("unlink", path))
        }
        try mapErrors(in: directory) { try FilePath.synchronize(directory) }
    }

    private static func id(of line: [UInt8]) -> [UInt8]? {
        let digits = line.compactMap(\.hexadecimalDigit)
        guard digits.count == 2 * LogOrigin.idBytes else { return nil }
        let id = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return Self.line(of: id) == line ? id : nil
    }

    private static func line(of id: [UInt8]) -> [UInt8] {
        Array("\(Hexadecimal.text(of: id))\n".utf8)
    }
}
