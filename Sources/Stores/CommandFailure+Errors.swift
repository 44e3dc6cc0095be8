internal import EventStore
internal import EventStoreLMDB
internal import Sensors
internal import WalkService
package import Words

extension CommandFailure {
    /// The failure of a command that an error ends.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - store: What the errors of a log are about: a folder, or a file's name.
    package init(_ error: any Error, store: String = "") {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as FileError: self.init(error.exitCode, error.description)
        case let error as EventLogError:
            let words = error.description
            let isNamed = words.contains(store) || store.isEmpty
            self.init(error.exitCode, isNamed ? words : "\(store): \(words)")
        case let error as CheckpointError:
            if case .log(let cause) = error.code {
                self.init(cause, store: store)
            } else {
                self.init(error.exitCode, error.description)
            }
        case let error as RecorderLockError:
            let code: Code = if case .held = error.code { .tryAgain } else { .cannotCreate }
            self.init(code, "\(store): \(error.description)")
        case let refusal as WalkRefusal:
            switch refusal.kind {
            case .senseless, .unreadable:
                let code = Int32(refusal.code).flatMap { Code(rawValue: $0) } ?? .usage
                self.init(code, refusal.message)
            case .impossible: self.init(.unavailable, refusal.message)
            case .log(let error): self.init(error, store: store)
            case .late: self.init(.tryAgain, refusal.message)
            }
        case let error as LogCreationError<any Error>:
            switch error {
            case .log(let cause) where cause.code == .notFound:
                self.init(.noInput, "There is no log in \(store). Name the folder of one.")
            case .log(let cause) where cause.code == .unrecognized:
                self.init(
                    .badData,
                    "\(cause.detail): not a log that this version of Pulselog can read.")
            case .log(let cause): self.init(cause, store: store)
            case .source(let cause): self.init(cause, store: store)
            }
        // All others are ours to mend.
        default: self.init(.internalError, "\(error)")
        }
    }

    /// The failure with one sentence more.
    package func saying(_ consequence: String) -> CommandFailure {
        CommandFailure(exitCode, "\(message) \(consequence)")
    }
}

/// Does something whose errors are failures of a command.
///
/// - Parameters:
///   - store: What the errors of a log are about.
///   - body: Does it.
/// - Returns: What `body` returns.
/// - Throws: ``CommandFailure``.
package func failing<Value: ~Copyable>(
    in store: String = "", _ body: () throws -> Value
) throws(CommandFailure) -> Value {
    do {
        return try body()
    } catch {
        throw CommandFailure(error, store: store)
    }
}

extension FileError {
    fileprivate var exitCode: CommandFailure.Code {
        switch code {
        case .notFound: .noInput
        case .denied: .permission
        case .unreadable: .inputOutput
        case .badContent: .badData
        case .stopped: .tryAgain
        }
    }
}

extension EventLogError {
    fileprivate var exitCode: CommandFailure.Code {
        switch code {
        case .notFound: .noInput
        case .unrecognized, .damaged: .badData
        case .permission: .permission
        case .diskFull, .storage, .replaced: .inputOutput
        case .unsupportedFileSystem: .cannotCreate
        case .obstructed: .configuration
        case .wrongExpectedPosition, .cancelled, .busy: .tryAgain
        case .closed: .internalError
        }
    }
}

extension CheckpointError {
    fileprivate var exitCode: CommandFailure.Code {
        switch code {
        case .rollback, .fork: .finding
        case .keyMissing, .keyUnusable: .configuration
        case .folder, .log: .inputOutput
        }
    }
}
