internal import EventStore
internal import Files
internal import Glibc

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
        guard let id = Self.id(of: found.bytes[...]) else {
            throw EventLogError(
                .damaged,
                detail: "\(path) does not hold the id of a log: delete it, and the next "
                    + "append to the log writes it again")
        }
        return id
    }

    /// Writes the file durably.
    ///
    /// - Throws: ``EventLogError`` with the system's error.
    func write(_ id: [UInt8]) throws(EventLogError) {
        try mapErrors(in: directory) {
            try writeFile(Array("\(Self.text(of: id))\n".utf8), to: path)
        }
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

    /// An identity in hexadecimal digits.
    static func text(of id: [UInt8]) -> String {
        id.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0\(digits)" : digits
        }.joined()
    }

    private static func id(of line: ArraySlice<UInt8>) -> [UInt8]? {
        let text = String(decoding: line, as: UTF8.self)
        guard line.count == 2 * LogOrigin.idBytes + 1 else { return nil }
        var id: [UInt8] = []
        var rest = text.dropLast()
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            id.append(byte)
            rest = rest.dropFirst(2)
        }
        return Self.text(of: id) + "\n" == text ? id : nil
    }
}
