internal import Files
internal import Glibc
internal import Words

/// Small files of text.
enum TextFile {
    private static let mostBytes = 1 << 24

    /// Reads a file.
    ///
    /// - Throws: `CommandFailure` in the system's words.
    static func read(_ path: String) throws(CommandFailure) -> String {
        do throws(SystemCallError) {
            let file = try readFile(path, limit: mostBytes)
            guard let file else { throw SystemCallError("open", path, number: ENOENT) }
            guard file.bytes.count < mostBytes else {
                throw SystemCallError("read", path, number: EFBIG)
            }
            return String(decoding: file.bytes, as: UTF8.self)
        } catch {
            throw CommandFailure(.noInput, "\(error).")
        }
    }

    /// Writes a file whole, or leaves the one that was there.
    ///
    /// - Parameters:
    ///   - path: Where.
    ///   - text: What.
    ///   - isSecret: Whether nobody but its owner may read it.
    /// - Throws: `CommandFailure` in the system's words.
    static func write(
        _ path: String, _ text: String, isSecret: Bool = false
    ) throws(CommandFailure) {
        do throws(SystemCallError) {
            try writeFile(Array(text.utf8), to: path)
            if !isSecret { try SystemCallError.check(chmod(path, 0o644), "chmod", path) }
        } catch {
            throw CommandFailure(.cannotCreate, "\(error).")
        }
    }

    /// Makes a folder, unless it is there.
    ///
    /// - Throws: `CommandFailure` in the system's words.
    static func makeFolder(_ path: String) throws(CommandFailure) {
        do throws(SystemCallError) {
            try FilePath.makeDirectory(path)
        } catch {
            throw CommandFailure(.cannotCreate, "\(error).")
        }
    }
}
