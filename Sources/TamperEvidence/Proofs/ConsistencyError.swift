/// Why a log is not shown to continue from an older checkpoint.
public struct ConsistencyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why.
    public enum Code: Hashable, Sendable {
        /// The log has fewer blocks than it had.
        case shrank(from: UInt64, to: UInt64)
        /// The proof does not say how the log continues from there.
        case untold(since: UInt64)
        /// The log's first blocks are not what they were.
        case rewritten(within: UInt64)
    }

    /// Why.
    public let code: Code

    /// What is wrong and what to do, for whoever received the proof.
    public var description: String {
        switch code {
        case .shrank(let old, let new):
            "It covers \(new) blocks and the older one \(old): it is of an older state of "
                + "the log, or the two files are the wrong way round."
        case .untold(let old):
            "It does not say what became of the \(old) blocks of the older one; request one made "
                + "with `pulselog audit prove --since` and the older one."
        case .rewritten(let old):
            "The log was rewritten since the older one: the first \(old) blocks are not those "
                + "that were signed then."
        }
    }
}
