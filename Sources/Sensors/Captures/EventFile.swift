package import Events
internal import Interchange
internal import TamperEvidence

/// A file of JSON Lines, read a piece at a time: its events, checked to stand in the order of their
/// positions, from 0 and without a gap.
package struct EventFile: ~Copyable {
    /// How many events were read.
    package private(set) var count: UInt64 = 0
    /// What is wrong with the end of the file: its last line is cut off, or its end is missing.
    package private(set) var damage: String?

    private let input: ByteStream
    private var path: String { input.name }
    private var reader = JSONLinesReader()
    private var body = ExportBody()
    private var isAtEnd = false

    /// Takes a file that was opened already.
    ///
    /// - Parameter input: The file, which is no Bluetooth capture.
    package init(_ input: ByteStream) {
        self.input = input
    }

    /// Adds the events of the next 64 KiB to a batch.
    ///
    /// - Parameters:
    ///   - batch: Where they go.
    ///   - isStopped: Waits for input, and returns whether to stop instead; see
    ///     ``ByteStream/next(unless:)``.
    /// - Returns: false at the end of the file; look at ``damage`` then.
    /// - Throws: ``FileError`` naming the line, the reason and what to do.
    package mutating func read(
        into batch: inout EventBatch, unless isStopped: ByteStream.StopCheck? = nil
    ) throws(FileError) -> Bool {
        guard !isAtEnd else { return false }
        if let chunk = try input.next(unless: isStopped) {
            body.take(chunk)
            reader.push(chunk)
        } else {
            reader.finish()
            isAtEnd = true
        }
        while let line = try readLine() { try add(line, to: &batch) }
        if isAtEnd, damage == nil { try checkEnd() }
        return !isAtEnd
    }

    /// Compares what was read with what the end of an export says.
    private mutating func checkEnd() throws(FileError) {
        switch reader.frame {
        case nil: return
        case .beginning:
            damage =
                "The file was cut off between two lines: an export ends with a line that says how "
                + "many events there are. Fetch the file again."
        case .end(let events, let sha256):
            try require(
                events == count && sha256 == body.digits(), .badContent,
                "\(path): its end says \(events) events, and they are not the \(count) that "
                    + "were read: the file was changed. Fetch it again.")
        }
    }

    /// Reads the next event; nil at the end of what was pushed, or of what is readable.
    private mutating func readLine() throws(FileError) -> EventLine? {
        do throws(JSONLinesError) {
            return try reader.next()
        } catch {
            try require(error.code == .truncatedLine, .badContent, "\(path): \(error.description)")
            damage = error.description
            return nil
        }
    }

    private mutating func add(
        _ line: EventLine, to batch: inout EventBatch
    ) throws(FileError) {
        if case .end = reader.frame {
            throw FileError(
                .badContent, "\(path): line \(reader.lineNumber) stands after the export's end.")
        }
        try require(
            line.header.position == count, .badContent,
            "\(path): line \(reader.lineNumber) has the position \(line.header.position), not "
                + "\(count): an event is missing or out of order.")
        try FileError.content(of: "\(path): line \(reader.lineNumber)") {
            try batch.append(line.header, payload: line.payload.span)
        }
        count += 1
    }
}

/// The bytes of an export before its last line, and what their SHA-256 comes to.
///
/// Other ends of lines than those that are written change nothing.
private struct ExportBody {
    private var digest = FileDigest()
    /// The bytes that may belong to the last line.
    private var rest: [UInt8] = []

    mutating func take(_ chunk: [UInt8]) {
        rest += chunk.contains(0x0D) ? chunk.filter { $0 != 0x0D } : chunk
        let known = rest.count - ExportFrame.lineLimitBytes
        guard known > 0 else { return }
        let bytes = rest
        digest.take(bytes.span.extracting(0..<known))
        rest.removeFirst(known)
    }

    /// The hash in hexadecimal digits.
    mutating func digits() -> String {
        while rest.last == 0x0A { rest.removeLast() }
        let end = rest.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let bytes = rest
        digest.take(bytes.span.extracting(0..<end))
        return digest.digits
    }
}
