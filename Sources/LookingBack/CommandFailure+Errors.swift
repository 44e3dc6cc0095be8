package import EventStore
package import Sensors
package import Words

extension CommandFailure {
    /// The failure of a file.
    package init(_ error: FileError) {
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
    package init(_ error: EventLogError, store: String) {
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
package func reading<Value: ~Copyable>(
    _ body: () throws(FileError) -> Value
) throws(CommandFailure) -> Value {
    do throws(FileError) {
        return try body()
    } catch {
        throw CommandFailure(error)
    }
}
