internal import CSQLite

/// Why a database could not be read.
public struct SQLiteError: Error, Hashable, Sendable {
    /// What went wrong, as a program sees it.
    public enum Code: Hashable, Sendable {
        /// The file is no SQLite database.
        case notADatabase
        /// It is one, but damaged, or it changed while it was read.
        case damaged
        /// It cannot be opened.
        case cannotOpen
        /// The operating system failed to read it.
        case inputOutput
        /// A text or row is longer than a mebibyte.
        case tooLong
        /// The query took more steps than it may.
        case tooManySteps
        /// Any other primary result code of SQLite.
        case other(Int32)

        init(result: Int32) {
            switch result & 0xFF {
            case SQLITE_NOTADB: self = .notADatabase
            case SQLITE_CORRUPT: self = .damaged
            case SQLITE_CANTOPEN: self = .cannotOpen
            case SQLITE_IOERR: self = .inputOutput
            case SQLITE_TOOBIG: self = .tooLong
            case SQLITE_INTERRUPT: self = .tooManySteps
            default: self = .other(result & 0xFF)
            }
        }
    }

    /// What went wrong.
    public let code: Code
    /// The function that failed, such as `sqlite3_step`.
    public let call: String
    /// SQLite's own words.
    public let libraryText: String
}

extension SQLiteError {
    init(result: Int32, call: String) {
        self.init(
            code: Code(result: result), call: call,
            libraryText: unsafe String(cString: sqlite3_errstr(result)))
    }
}

extension SQLiteError: CustomStringConvertible {
    /// What happened and what to do, in one or two sentences.
    public var description: String {
        let failure = "\(libraryText.prefix(1).uppercased())\(libraryText.dropFirst())."
        return switch code {
        case .notADatabase: "This is not an SQLite database. \(failure)"
        case .damaged:
            "The database is damaged, or it changed while it was read: export it again. \(failure)"
        case .tooManySteps:
            "The database takes too long to answer: rebuild it, with an index. \(failure)"
        case .tooLong: "A value of the database has more than a mebibyte. \(failure)"
        case .cannotOpen, .inputOutput, .other: failure
        }
    }
}
