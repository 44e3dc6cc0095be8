internal import CLMDB

/// A view that a process has open, and whose pages nobody reuses until it ends.
public struct OpenView: Equatable, Sendable {
    /// The process; it may have died, until ``Environment/checkReaders()`` looks.
    public let processID: Int32
    /// The number of the commit that it is of; nil if it has only just begun.
    public let transactionID: UInt64?

    /// Reads a line of LMDB's table: process, thread, commit; nil if it is a heading.
    init?(line: String) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, let processID = Int32(words[0]) else { return nil }
        self.processID = processID
        transactionID = UInt64(words[2])
    }
}

extension Environment {
    /// The views that are open now, of this process and others: each takes a reader slot.
    ///
    /// - Throws: ``LMDBError`` if LMDB refuses.
    public func openViews() throws(LMDBError) -> [OpenView] {
        var lines: [String] = []
        let result = unsafe withUnsafeMutablePointer(to: &lines) { lines in
            unsafe mdb_reader_list(
                handle.pointer,
                { text, context in
                    guard let text = unsafe text, let context = unsafe context else { return 0 }
                    let lines = unsafe context.assumingMemoryBound(to: [String].self)
                    unsafe lines.pointee.append(String(cString: text))
                    return 0
                }, lines)
        }
        guard result >= 0 else { throw LMDBError(result: result, call: "mdb_reader_list") }
        return lines.compactMap { OpenView(line: $0) }
    }
}
