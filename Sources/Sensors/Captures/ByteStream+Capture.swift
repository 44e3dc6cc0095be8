package import BluetoothCaptures
internal import Interchange

/// What a capture is opened for, and so what is said of a file that is nothing of the kind.
package enum CaptureUse: Sendable {
    /// To be replayed, or read as a log.
    case replay
    /// To be imported, after all formats of walks were tried.
    case importing

    fileprivate var aboutOthers: String {
        switch self {
        case .replay:
            "byte 0: this is neither JSON Lines nor btsnoop, pcap, pcapng or logs of btmon, "
                + "gatttool, bluetoothctl, hcidump, bleak or nRF Connect. If each line is a "
                + "value, add --as lines. Walks are for `pulselog import` as FIT, GPX, TCX, or "
                + "CSV whose heads are known."
        case .importing:
            "this is nothing that can be imported. Walks come as FIT, GPX, TCX, CSV with heads "
                + "such as `time` and `bpm`, or lists of RR intervals, one number on each line, "
                + "or a head that names the column `rr`; days as an export of Apple Health or "
                + "Gadgetbridge; captures from btmon and the like. If each line is a value of a "
                + "strap, add --as lines."
        }
    }
}

extension ByteStream {
    /// Recognizes a capture by its beginning, of which a mark of UTF-8 is passed over.
    ///
    /// - Parameters:
    ///   - given: The format of a Bluetooth capture; nil to recognize it.
    ///   - use: What for.
    /// - Returns: The format of a Bluetooth capture; nil for anything else.
    /// - Throws: ``FileError`` if it cannot be read, or is of a kind that is known not to be a
    ///   capture.
    package func captureFormat(
        as given: CaptureFormat? = nil, for use: CaptureUse = .replay
    ) throws(FileError) -> CaptureFormat? {
        // A mark of UTF-8 is no sign of anything else.
        try skipMark()
        let bytes = try start(FileKind.signatureBytes)
        let found = given ?? CaptureFormat(recognizing: bytes.span)
        // Of what still comes no more is waited for than must be.
        let head = use == .importing ? try start(WalkFileFormat.startBytes) : bytes
        // Logs of Bluetooth are read in UTF-16 as well.
        if let kind = FileKind(recognizing: head), !kind.isText || found == nil {
            throw FileError(.badContent, "\(name): this is \(kind.sentences)")
        }
        guard found != nil && found != .lines || WalkFileFormat(recognizing: bytes) != .rr else {
            throw FileError(
                .badContent,
                "\(name): these are intervals between heart beats. `pulselog import` reads them.")
        }
        try require(
            found != nil || bytes.characters(2) != Array("[{".utf8), .badContent,
            "\(name): this is a JSON array. JSON Lines have one object on each line: "
                + "`jq -c '.[]'` makes them.")
        guard !bytes.isEmpty else { throw FileError(.badContent, "\(name) is empty.") }
        try require(
            found != nil || bytes.characters(1) == Array("{".utf8), .badContent,
            "\(name): \(use.aboutOthers)")
        return found
    }
}

extension [UInt8] {
    /// The first characters that are not blank.
    func characters(_ count: Int) -> [UInt8] {
        Array(lazy.filter { !" \t\r\n".utf8.contains($0) }.prefix(count))
    }
}
