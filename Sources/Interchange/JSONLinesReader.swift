internal import JSON

/// Reads events from a file of JSON Lines that arrives in chunks.
///
/// Give it a chunk, take what has become whole, repeat; say when the file is over.
///
/// ```swift
/// var reader = JSONLinesReader()
/// for chunk in chunks {
///     reader.push(chunk)
///     while let event = try reader.next() { … }
/// }
/// reader.finish()
/// while let event = try reader.next() { … }
/// ```
///
/// It holds the chunk under way and at most one line. A byte order mark at the beginning, CR LF
/// as the end of a line and blank lines are passed over.
package struct JSONLinesReader: Sendable {
    /// The number of the line that was read last, from 1; blank ones count, 0 before the first.
    package private(set) var lineNumber = 0
    /// The line of an export's frame that was read last; nil before the first.
    package private(set) var frame: ExportFrame?

    /// What was pushed; from `start` on it was not yet read.
    private var text: [UInt8] = []
    private var start = 0
    private var fields = JSONFieldReader()
    /// Up to where the text is known to hold no end of a line.
    private var searched = 0
    /// Whether the rest of a line that is too long is being passed over.
    private var isSkipping = false
    private var isFinished = false

    /// Makes a reader at the beginning of a file.
    package init() {}

    /// Adds the next bytes of the file.
    package mutating func push(_ chunk: [UInt8]) {
        precondition(!isFinished, "The file has already ended.")
        text.removeSubrange(..<start)
        searched -= start
        start = 0
        text.append(contentsOf: chunk)
    }

    /// Says that the file is over: what is left is its last line.
    package mutating func finish() {
        isFinished = true
    }

    /// Reads the next event, or gives nil if more bytes are needed for it.
    ///
    /// - Throws: ``JSONLinesError`` for a line that is not an event. The line has been passed over
    ///   then: the next call continues after it.
    package mutating func next() throws(JSONLinesError) -> EventLine? {
        while let (line, isEnded) = try nextLine() {
            if line.allSatisfy(\.isJSONSpace) { continue }
            do throws(JSONLinesError) {
                let members = try JSONLines.members(of: Array(line), number: lineNumber)
                if line.count <= ExportFrame.lineLimitBytes, let frame = ExportFrame(members),
                    frame != .beginning || lineNumber == 1
                {
                    self.frame = frame
                    continue
                }
                return try JSONLines.event(of: members, number: lineNumber, &fields)
            } catch {
                guard !isEnded, error.code == .invalidJSON else { throw error }
                throw JSONLinesError(
                    .truncatedLine, line: lineNumber,
                    reason: "The file ends inside this line. \(error.reason)")
            }
        }
        return nil
    }

    /// The next line that is not too long, and whether its end was there.
    private mutating func nextLine() throws(JSONLinesError) -> (ArraySlice<UInt8>, Bool)? {
        while true {
            let newline = text[searched...].firstIndex(of: UInt8(ascii: "\n"))
            searched = newline.map { $0 + 1 } ?? text.count
            guard newline != nil || isFinished && start < text.count else {
                try boundPartialLine()
                return nil
            }
            let line = content(start..<(newline ?? text.count))
            start = searched
            if isSkipping {
                isSkipping = false
                continue
            }
            lineNumber += 1
            guard line.count <= JSONLines.lineLimitBytes else { throw tooLong }
            return (line, newline != nil)
        }
    }

    /// A line without the byte order mark before it and the CR after it.
    private func content(_ range: Range<Int>) -> ArraySlice<UInt8> {
        var line = text[range]
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if lineNumber == 0, line.starts(with: mark) { line = line.dropFirst(mark.count) }
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        return line
    }

    /// Gives up the part of a line that is too long already, so that memory stays bounded.
    private mutating func boundPartialLine() throws(JSONLinesError) {
        let isTooLong = content(start..<text.count).count > JSONLines.lineLimitBytes
        guard isSkipping || isTooLong else { return }
        start = text.count
        guard !isSkipping else { return }
        isSkipping = true
        lineNumber += 1
        throw tooLong
    }

    private var tooLong: JSONLinesError {
        JSONLinesError(
            .lineTooLong, line: lineNumber,
            reason: "The line is longer than \(JSONLines.lineLimitBytes) bytes.")
    }
}
