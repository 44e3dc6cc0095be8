public import EventStore

/// Why a log was not sealed with a checkpoint.
///
/// Its events are not touched by that.
public struct CheckpointError: Error, Hashable, Sendable {
    /// What is the matter.
    public enum Code: Hashable, Sendable {
        /// A later checkpoint of this log is known: the store is an older state of it.
        case rollback(knownLeaves: UInt64, leaves: UInt64)
        /// Another history was signed under the same name.
        case fork(knownLeaves: UInt64)
        /// The log has checkpoints, and their key is not here.
        case keyMissing
        /// The key's file cannot be used.
        case keyUnusable
        /// The checkpoint's file cannot be read or written.
        case folder
        /// The log cannot be read or written, or is damaged.
        case log(EventLogError)
    }

    /// What is the matter.
    public let code: Code
    /// Which file or folder, and the system's words; empty if that is said by the code.
    public let detail: String

    init(_ code: Code, detail: String = "") {
        (self.code, self.detail) = (code, detail)
    }

    /// What any failure is for whoever seals the store in a directory.
    init(_ error: any Error, in directory: String) {
        self = error as? CheckpointError ?? CheckpointError(EventLogError(error, in: directory))
    }

    /// The failure of the log that a checkpoint was to be made of.
    public init(_ error: EventLogError) {
        self.init(.log(error))
    }
}

extension CheckpointError: CustomStringConvertible {
    /// What happened and what to do.
    public var description: String {
        switch code {
        case .rollback(let known, let leaves):
            "This store is an older state of its log: a checkpoint over \(known) blocks was "
                + "signed, and it seals \(leaves). Put the newer store back, or start over from "
                + "this one with `pulselog log restore`."
        case .fork(let known):
            "This store and the checkpoint known for it have diverged within the first \(known) "
                + "blocks. One of the two was altered."
        case .keyMissing:
            "The key that signs this log is not on this machine (\(detail)); copy it from where "
                + "the log was recorded, or start over with `pulselog log restore`."
        case .keyUnusable:
            "The key of this log cannot be used: \(detail)."
        case .folder:
            "The checkpoint's copy outside the store cannot be used: \(detail)."
        case .log(let error): error.description
        }
    }
}
