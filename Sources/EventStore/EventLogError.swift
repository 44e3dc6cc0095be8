public import Events

/// Why a log refused or failed.
public struct EventLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public enum Code: Hashable, Sendable {
        /// The log ends at another position than the caller expected.
        case wrongExpectedPosition(actual: Position)
        /// There is no log at that place.
        case notFound
        /// The place exists and is not a log of ours, or of a newer format.
        case unrecognized
        /// The bytes of the log contradict themselves.
        case damaged
        /// The process may not write, or not read, there.
        case permission
        /// The disk is full.
        case diskFull
        /// The file system cannot hold a log: it is remote.
        case unsupportedFileSystem
        /// Something around the store is in the way; the detail says what, and what to do.
        case obstructed
        /// The log's files were removed or replaced while it was open.
        case replaced
        /// Others write to the log, so that what was read of its files does not fit together.
        case busy
        /// Another failure of the storage; nothing more is appended until the log is opened again.
        case storage
        /// The task was cancelled before its append began; nothing of it is in the log.
        case cancelled
        /// The log has been closed.
        case closed
    }

    /// What happened.
    public let code: Code
    /// The position concerned, if there is one.
    public let position: Position?
    /// The storage's own words, or more about the place.
    public let detail: String

    /// Makes an error.
    public init(_ code: Code, position: Position? = nil, detail: String = "") {
        (self.code, self.position, self.detail) = (code, position, detail)
    }

    /// Makes the error of a damaged block.
    public init(_ damage: DamagedBlock) {
        self.init(
            damage.code == .format ? .unrecognized : .damaged, position: damage.position,
            detail: damage.description)
    }

    /// What happened and what to do.
    public var description: String {
        // In parentheses a sentence has no full stop of its own.
        let words = detail.hasSuffix(".") ? detail.dropLast() : detail[...]
        let detail = words.isEmpty ? "" : " (\(words))"
        return switch code {
        case .wrongExpectedPosition(let actual):
            "Another process appended first: the log now ends before position \(actual). Try again."
        case .notFound: "There is no log here\(detail). `pulselog record` creates one."
        case .unrecognized:
            "This is not a log that this version of Pulselog can read\(detail). Choose another "
                + "folder with --store."
        case .damaged:
            // Without a position nothing of it can be read, and the detail says what to do.
            "The log is damaged\(position.map { " at position \($0)" } ?? "")\(detail). "
                + "Nothing more is appended to it." + salvage
        case .permission: "The store cannot be used\(detail). Check its owner and its permissions."
        case .diskFull: "The disk is full\(detail). Make room; what was recorded is safe."
        case .unsupportedFileSystem:
            "The store is on a remote file system\(detail). Choose a local folder with --store."
        case .obstructed: "The store cannot be used\(detail)."
        case .replaced:
            "The store's files were removed or replaced while it was open\(detail). Stop "
                + "this command, then restore them or start over."
        case .busy: "The log is being written to\(detail). Try again when nothing writes to it."
        case .storage:
            "The storage failed\(detail). What was acknowledged is safe; check the disk, then try "
                + "again."
        case .cancelled:
            "The last append was cancelled\(detail) and is not in the log. Try again."
        case .closed: "The log has been closed."
        }
    }

    /// How far the log is good, and how to keep what comes before the damage.
    private var salvage: String {
        guard let position else { return "" }
        let verify = " `pulselog log verify` shows how much of it is sound"
        guard position > 0 else { return verify + "." }
        return verify + "; `pulselog log recover --out DIR` saves in a new store what comes before "
            + "the damage."
    }
}
