package import BluetoothCaptures

/// A capture that was opened, with its beginning, which tells what it is.
package struct CaptureInput: ~Copyable {
    /// What a file is opened for, and so what is said of one that is nothing of the kind.
    package enum Use: Sendable {
        /// To be replayed, or read as a log.
        case replay
        /// To be imported, after all formats of walks were tried.
        case importing

        fileprivate var aboutIntervals: String {
            switch self {
            case .replay: "Such lists are for `pulselog import`."
            case .importing:
                "A list has one number on each line, or a head that names the column `rr`."
            }
        }

        fileprivate var aboutOthers: String {
            switch self {
            case .replay:
                "byte 0: this is neither JSON Lines nor btsnoop, pcap, pcapng or logs of btmon, "
                    + "gatttool, bluetoothctl, hcidump, bleak or nRF Connect. If each line is a "
                    + "value, add --as lines. Walks are for `pulselog import` as FIT, GPX, TCX, or "
                    + "CSV whose heads are known."
            case .importing:
                "this is nothing that can be imported. Walks come as FIT, GPX, TCX, lists of RR "
                    + "intervals, or CSV with heads such as `time` and `bpm`; days as an export of "
                    + "Apple Health or Gadgetbridge; captures from btmon and the like. If each "
                    + "line is a value of a strap, add --as lines."
            }
        }
    }

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
    ///   - use: What for.
    /// - Throws: ``FileError`` if it cannot be opened or read, or is of a kind that is known not to
    ///   be a capture.
    package init(
        _ path: String, as given: CaptureFormat? = nil, for use: Use = .replay
    ) throws(FileError) {
        try self.init(OpenedFile(path), as: given, for: use)
    }

    /// Takes a file that was opened.
    ///
    /// - Throws: ``FileError`` as ``init(_:as:)``.
    package init(
        _ opened: consuming OpenedFile, as given: CaptureFormat? = nil, for use: Use = .replay
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
                "\(path): these look like intervals between heart beats. " + use.aboutIntervals)
        }
        guard found != nil || bytes.characters(2) != Array("[{".utf8) else {
            throw FileError(
                .badContent,
                "\(path): this is a JSON array. JSON Lines have one object on each line: "
                    + "`jq -c '.[]'` makes them.")
        }
        guard !bytes.isEmpty else { throw FileError(.badContent, "\(path) is empty.") }
        guard found != nil || bytes.characters(1) == Array("{".utf8) else {
            throw FileError(.badContent, "\(path): \(use.aboutOthers)")
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
