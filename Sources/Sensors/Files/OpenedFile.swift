/// A file that was opened, with its beginning, which tells what it is.
package struct OpenedFile: ~Copyable {
    /// The file's name; `-` is standard input.
    package let path: String
    /// The first bytes: of a file up to 64 KiB, of a pipe at least those that tell most kinds.
    package let start: [UInt8]
    let file: InputFile

    /// Opens a file; `-` is standard input.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - count: How many bytes of a pipe are waited for.
    ///   - isStopped: Whether to stop waiting.
    /// - Throws: ``FileError`` if it cannot be opened or read.
    package init(
        _ path: String, start count: Int? = nil, unless isStopped: ByteStream.StopCheck? = nil
    ) throws(FileError) {
        let opened = try InputFile(path)
        // A pipe may give a byte at a time.
        var bytes: [UInt8] = []
        while bytes.count < count ?? FileKind.signatureBytes,
            let chunk = try opened.next(unless: isStopped)
        {
            bytes += chunk
        }
        self.path = path
        start = bytes
        file = opened
    }
}
