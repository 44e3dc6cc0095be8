package import BluetoothCaptures

/// A capture that was opened, with its beginning, which tells what it is.
package struct CaptureInput: ~Copyable {
    /// The file's name; `-` is standard input.
    package let path: String
    /// The format of a Bluetooth capture; nil for anything else.
    package let format: CaptureFormat?
    /// The first bytes, up to 64 KiB.
    let start: [UInt8]
    let file: InputFile

    /// Opens a capture; `-` is standard input.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - given: Its format; nil to recognize it.
    /// - Throws: ``FileError`` if it cannot be opened or read, or is of a kind that is known not to
    ///   be a capture.
    package init(_ path: String, as given: CaptureFormat? = nil) throws(FileError) {
        try self.init(OpenedFile(path), as: given)
    }

    /// Takes a file that was opened.
    ///
    /// - Throws: ``FileError`` as ``init(_:as:)``.
    package init(
        _ opened: consuming OpenedFile, as given: CaptureFormat? = nil
    ) throws(FileError) {
        let path = opened.path
        var bytes = opened.start
        // A mark of UTF-8 is no sign of anything else.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let found = given ?? CaptureFormat(recognizing: bytes.span)
        // Logs of Bluetooth are read in UTF-16 as well.
        if let kind = FileKind(recognizing: bytes), !kind.isText || found == nil {
            throw FileError(.badContent, "\(path): this is \(kind.name). \(kind.advice)")
        }
        guard found != nil && found != .lines || !CaptureFormat.isIntervals(bytes.span) else {
            throw FileError(
                .badContent,
                "\(path): these look like intervals between heart beats, a number on each line. "
                    + "Such lists are for `pulselog import`.")
        }
        guard found != nil || bytes.characters(2) != Array("[{".utf8) else {
            throw FileError(
                .badContent,
                "\(path): this is a JSON array. JSON Lines have one object on each line: "
                    + "`jq -c '.[]'` makes them.")
        }
        guard found != nil || bytes.isEmpty || bytes.characters(1) == Array("{".utf8) else {
            throw FileError(
                .badContent,
                "\(path): byte 0: this is neither JSON Lines nor btsnoop, pcap, pcapng or logs of "
                    + "btmon, gatttool, bluetoothctl, hcidump, bleak or nRF Connect. "
                    + "If each line is a value, add --as lines. Walks are for `pulselog import` as "
                    + "FIT, GPX, TCX, or CSV whose heads are known.")
        }
        self.path = path
        format = found
        start = bytes
        file = opened.file
    }
}

extension [UInt8] {
    /// The first characters that are not blank.
    fileprivate func characters(_ count: Int) -> [UInt8] {
        Array(lazy.filter { !" \t\r\n".utf8.contains($0) }.prefix(count))
    }
}
