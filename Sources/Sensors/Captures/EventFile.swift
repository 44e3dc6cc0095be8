public import Events
internal import Interchange

/// A file of JSON Lines, read a piece at a time: its events, checked to stand in the order of their
/// positions, from 0 and without a gap.
public struct EventFile: ~Copyable {
    /// How many events were read.
    public private(set) var count: UInt64 = 0
    /// What is wrong with the end of the file: its last line is cut off.
    public private(set) var damage: String?

    private let path: String
    private let input: InputFile
    /// What was read of the file before.
    private var start: [UInt8]?
    private var reader = JSONLinesReader()
    private var line = EventLine(header: .blank, payload: [])
    private var isAtEnd = false

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: ``FileError`` if it cannot be opened.
    public init(_ path: String) throws(FileError) {
        self.path = path
        input = try InputFile(path)
    }

    /// Takes a file that was opened already.
    ///
    /// - Parameter input: The file, which is no Bluetooth capture.
    public init(_ input: consuming CaptureInput) {
        path = input.path
        start = input.start
        self.input = input.file
    }

    /// Adds the events of the next 64 KiB to a batch.
    ///
    /// - Parameters:
    ///   - batch: Where they go.
    ///   - isStopped: Waits for input, and tells whether to stop instead; see
    ///     ``InputFile/next(unless:)``.
    /// - Returns: false at the end of the file; look at ``damage`` then.
    /// - Throws: ``FileError`` naming the line, the reason and what to do.
    public mutating func read(
        into batch: inout EventBatch, unless isStopped: ((_ descriptor: Int32) -> Bool)? = nil
    ) throws(FileError) -> Bool {
        guard !isAtEnd else { return false }
        if let chunk = start {
            reader.push(chunk)
            start = nil
        } else if let chunk = try input.next(unless: isStopped) {
            reader.push(chunk)
        } else {
            reader.finish()
            isAtEnd = true
        }
        while try readLine() { try add(to: &batch) }
        return !isAtEnd
    }

    /// Reads the next event; false at the end of what was pushed, or of what is readable.
    private mutating func readLine() throws(FileError) -> Bool {
        do throws(JSONLinesError) {
            return try reader.next(into: &line)
        } catch {
            guard error.code == .truncatedLine else {
                throw FileError(.badContent, "\(path): \(error.description)")
            }
            damage = error.description
            return false
        }
    }

    private mutating func add(to batch: inout EventBatch) throws(FileError) {
        guard line.header.position == count else {
            throw FileError(
                .badContent,
                "\(path): line \(reader.lineNumber) has the position \(line.header.position), not "
                    + "\(count): an event is missing or out of order.")
        }
        do throws(FieldError) {
            try batch.append(line.header, payload: line.payload.span)
        } catch {
            throw FileError(
                .badContent, "\(path): line \(reader.lineNumber): \(error.description)")
        }
        count += 1
    }
}
