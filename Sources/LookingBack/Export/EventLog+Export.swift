package import EventStore
package import Interchange
internal import TamperEvidence

extension EventLog {
    /// Writes events as JSON Lines, their positions counted from 0, in constant memory.
    ///
    /// - Parameters:
    ///   - excerpt: The part of the log; nil for all of it.
    ///   - anonymity: What becomes of positions if nothing is to tell whose the events are; nil if
    ///     that may be told.
    ///   - write: Takes whole lines, some 64 KiB at once.
    /// - Returns: How many events were written, and how many were left out so that nothing shows
    ///   whose they are.
    /// - Throws: ``CommandFailure``: the log's, or that of `write`.
    package func export(
        _ excerpt: SessionExcerpt?, _ anonymity: Anonymity.Track?,
        _ write: ([UInt8]) throws -> Void
    ) throws -> (events: UInt64, omissions: Anonymity.Omissions) {
        var (lines, digest) = (JSONLinesWriter(), FileDigest())
        func writeOn(_ bytes: [UInt8]) throws {
            digest.take(bytes.span)
            try write(bytes)
        }
        var leaving = try LeavingEvents(of: self, excerpt, anonymity)
        try writeOn(ExportFrame.beginning.line)
        do {
            try leaving.read(self) { event in
                try lines.append(event)
                guard lines.bytes.count >= 64 * 1_024 else { return true }
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
        try write(ExportFrame.end(events: leaving.next, sha256: digest.digits).line)
        return (leaving.next, leaving.omissions)
    }
}
