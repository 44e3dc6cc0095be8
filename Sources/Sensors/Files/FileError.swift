internal import Files
internal import Glibc
internal import Text

/// Why a file gave nothing, or only a part of what it should have given.
package struct FileError: Error, Hashable, CustomStringConvertible {
    /// What kind of reason it is.
    package enum Code: Hashable, Sendable {
        /// There is no such file, or something else in its place.
        case notFound
        /// This user may not read it.
        case denied
        /// The system failed to read it.
        case unreadable
        /// It was read, and does not say what it should.
        case badContent
        /// Whoever read it was asked to stop.
        case stopped
    }

    /// For programs.
    package let code: Code
    /// For people: which file, what is wrong and what to do, harmless in a terminal.
    package let description: String

    /// Makes an error; the text may hold names of files and other words of strangers as they are.
    ///
    /// - Parameters:
    ///   - code: For programs.
    ///   - text: For people.
    init(_ code: Code, _ text: String) {
        self.code = code
        description = printable(text, limit: .max)
    }

    /// The reading was asked to stop.
    static let interrupted = FileError(.stopped, "Interrupted.")

    /// The failure of the last system call on a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - number: The number of the error.
    init(reading path: String, _ number: Int32 = errno) {
        let reason = String(cString: strerror(number))
        let code: Code =
            switch number {
            case ENOENT, ENOTDIR, EISDIR: .notFound
            case EACCES, EPERM: .denied
            default: .unreadable
            }
        self.init(code, "\(path) cannot be read: \(reason).")
    }

    /// Opens a file.
    ///
    /// - Throws: ``FileError`` of what `body` throws.
    static func opening(
        _ body: () throws(SystemCallError) -> OpenFile
    ) throws(FileError) -> OpenFile {
        do throws(SystemCallError) {
            return try body()
        } catch {
            throw FileError(reading: error.path, error.number)
        }
    }

    /// Works with what is in a file; what is wrong with it is said of the file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - body: Works with it.
    /// - Returns: What `body` returns.
    /// - Throws: ``FileError``.
    static func content<Value>(
        of path: String, _ body: () throws -> Value
    ) throws(FileError) -> Value {
        do {
            return try body()
        } catch let error as FileError {
            throw error
        } catch {
            throw FileError(.badContent, "\(path): \(error)")
        }
    }
}

/// Gives a file up unless something holds.
///
/// - Parameters:
///   - holds: Whether it does.
///   - code: For programs.
///   - text: For people, as of ``FileError/init(_:_:)``.
/// - Throws: ``FileError``.
func require(
    _ holds: Bool, _ code: FileError.Code, _ text: @autoclosure () -> String
) throws(FileError) {
    if !holds { throw FileError(code, text()) }
}
