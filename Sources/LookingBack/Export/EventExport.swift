package import EventStore
package import Interchange
internal import TamperEvidence

/// Writes events of a log as JSON Lines, their positions counted from 0.
package struct EventExport {
    /// What was written.
    package struct Result {
        /// How many events.
        package let events: UInt64
        /// How many were left out so that nothing shows whose they are.
        package let omissions: Anonymity.Omissions
    }

    private let excerpt: SessionExcerpt?
    private let anonymity: Anonymity.Track?

    /// How many bytes of lines are written at once.
    private static let portionBytes = 64 * 1_024

    /// Says what is to be written.
    ///
    /// - Parameters:
    ///   - excerpt: The part of the log; nil for all of it.
    ///   - anonymity: What becomes of positions if nothing is to tell whose the events are; nil if
    ///     that may be told.
    package init(excerpt: SessionExcerpt?, anonymity: Anonymity.Track?) {
        self.excerpt = excerpt
        self.anonymity = anonymity
    }

    /// Writes the events, in constant memory.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - write: Takes whole lines.
    /// - Returns: What was written.
    /// - Throws: ``CommandFailure``: the log's, or that of `write`.
    package func run(
        _ log: any EventLog, _ write: ([UInt8]) throws -> Void
    ) throws -> Result {
        var (lines, digest) = (JSONLinesWriter(), FileDigest())
        func writeOn(_ bytes: [UInt8]) throws {
            digest.take(bytes.span)
            try write(bytes)
        }
        var leaving = try LeavingEvents(of: log, excerpt, anonymity)
        try writeOn(ExportFrame.beginning.line)
        do {
            try leaving.read(log) { event in
                try lines.append(event)
                guard lines.bytes.count >= Self.portionBytes else { return true }
                try writeOn(lines.bytes)
                lines.removeAll()
                return true
            }
        } catch {
            // What comes before a damage leaves.
            try writeOn(lines.bytes)
            throw error
        }
        try writeOn(lines.bytes)
        try write(ExportFrame.end(events: leaving.next, digest).line)
        return Result(events: leaving.next, omissions: leaving.omissions)
    }
}

extension ExportFrame {
    /// The end of an export.
    ///
    /// - Parameters:
    ///   - events: How many events it has.
    ///   - digest: What was written so far.
    /// - Returns: The end.
    static func end(events: UInt64, _ digest: FileDigest) -> ExportFrame {
        .end(events: events, sha256: digest.digits)
    }
}
