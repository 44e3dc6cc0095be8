internal import Text

/// Why a command ends without success: a sentence for people and a code for scripts.
package struct CommandFailure: Error {
    /// What to do where a process may open too few files.
    package static let moreFiles =
        "ask root to raise the hard limit to 256 (`ulimit -Hn`, or LimitNOFILE= of a unit)."

    /// Exit codes as sysexits(3) names them.
    package enum Code: Int32 {
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
    package let exitCode: Code
    /// For people: what happened and what to do, in one line that is harmless in a terminal.
    package let message: String
    /// The same without what to write on a command line.
    package let fact: String

    /// Makes a failure; the fact may hold names of files and other words of strangers as they
    /// are.
    ///
    /// - Parameters:
    ///   - exitCode: For scripts.
    ///   - fact: What happened, in whole sentences.
    ///   - example: What to write on a command line instead, if that is known.
    package init(_ exitCode: Code, _ fact: String, write example: String? = nil) {
        self.exitCode = exitCode
        self.fact = printable(fact, limit: .max)
        message = self.fact + (example.map { " Write \($0)." } ?? "")
    }
}

/// Ends a command unless something holds.
///
/// - Parameters:
///   - holds: Whether it does.
///   - exitCode: For scripts.
///   - fact: What is wrong, as of ``CommandFailure/init(_:_:write:)``.
/// - Throws: ``CommandFailure``.
package func require(
    _ holds: Bool, _ exitCode: CommandFailure.Code, _ fact: @autoclosure () -> String
) throws(CommandFailure) {
    if !holds { throw CommandFailure(exitCode, fact()) }
}
