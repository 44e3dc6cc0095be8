internal import EventStore
internal import Sensors
internal import Text
internal import Words

/// Why a command ends without success: a sentence for people and a code for scripts.
struct CommandFailure: Error {
    /// Exit codes as sysexits(3) names them.
    enum Code: Int32 {
        /// A check found something.
        case finding = 1
        case usage = 64
        case badData = 65
        case noInput = 66
        case unavailable = 69
        case internalError = 70
        case cannotCreate = 73
        case inputOutput = 74
        case tryAgain = 75
        case permission = 77
        case configuration = 78
    }

    /// For scripts.
    let exitCode: Code
    /// For people: what happened and what to do, in one line that is harmless in a terminal.
    let message: String

    /// Makes a failure; the message may hold names of files and other words of strangers as they
    /// are.
    init(_ exitCode: Code, _ message: String) {
        self.exitCode = exitCode
        self.message = printable(message, limit: .max)
    }

    /// The failure of a file.
    init(_ error: FileError) {
        let code: Code =
            switch error.code {
            case .notFound: .noInput
            case .denied: .permission
            case .unreadable: .inputOutput
            case .badContent: .badData
            case .stopped: .tryAgain
            }
        self.init(code, error.description)
    }

    /// The failure of a log.
    init(_ error: EventLogError, store: String) {
        let code: Code =
            switch error.code {
            case .notFound: .noInput
            case .unrecognized, .damaged: .badData
            case .permission: .permission
            case .diskFull, .storage, .replaced: .inputOutput
            case .unsupportedFileSystem: .cannotCreate
            case .wrongExpectedPosition, .cancelled, .busy: .tryAgain
            case .closed: .internalError
            }
        let words = error.description
        self.init(code, words.contains(store) ? words : "\(store): \(words)")
    }
}

/// Reads files; what they do not give is a failure of the command.
///
/// - Parameter body: Reads them.
/// - Returns: What `body` returns.
/// - Throws: ``CommandFailure`` in the words of the error.
func reading<Value: ~Copyable>(
    _ body: () throws(FileError) -> Value
) throws(CommandFailure) -> Value {
    do throws(FileError) {
        return try body()
    } catch {
        throw CommandFailure(error)
    }
}
