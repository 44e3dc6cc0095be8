package import Interchange
internal import Stores
package import Terminal
internal import Words

extension WalkFile {
    /// Writes a file that is there whole or not at all, and next to intervals between beats one of
    /// their gaps: Kubios takes every line for an interval.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - rows: What the rows are of CSV.
    ///   - path: Where.
    ///   - store: The store, in which no file is written.
    ///   - replaces: Whether it may replace another file.
    ///   - stop: What ends it, by an error.
    /// - Returns: What of the walk the format does not hold.
    /// - Throws: ``CommandFailure``.
    @discardableResult
    package func write(
        _ format: WalkFormat, rows: Rows = .seconds, to path: String, besides store: String,
        replaces: Bool = false, orUntil stop: StopRequest? = nil
    ) throws -> [(what: String, count: UInt64)] {
        let file = try OutputFile(path, besides: store, replaces: replaces)
        let losses = try write(format, rows: rows) { bytes in
            try stop?.check()
            try file.write(bytes)
        }
        if format == .rr {
            let ending = ".\(format.fileExtension)"
            let stem = path.hasSuffix(ending) ? path.dropLast(ending.count) : path[...]
            let gaps = "\(stem).\(WalkFormat.gaps.fileExtension)"
            try write(.gaps, to: gaps, besides: store, replaces: replaces)
        }
        try file.finish()
        return losses
    }
}

extension StopRequest {
    /// Ends what goes on if a signal has come.
    package func check() throws {
        if hasCome { throw CommandFailure(.tryAgain, "Interrupted.") }
    }
}
