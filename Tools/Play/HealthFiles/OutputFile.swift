import Foundation

/// A file that is written from its beginning to its end.
struct OutputFile {
    private let handle: FileHandle
    private var buffer = Data()
    /// How many bytes were written.
    private(set) var byteCount = 0

    /// Creates the file, or empties it.
    init(_ path: String) throws {
        let url = URL(filePath: path)
        try Data().write(to: url)
        handle = try FileHandle(forWritingTo: url)
    }

    /// Writes text.
    mutating func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        byteCount += text.utf8.count
        if buffer.count > 1 << 20 { try flush() }
    }

    /// Ends the file.
    mutating func close() throws {
        try flush()
        try handle.close()
    }

    private mutating func flush() throws {
        try handle.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
