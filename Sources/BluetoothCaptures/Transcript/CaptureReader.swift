internal import Events

/// Reads a capture of any format, and lets a traffic see it.
struct CaptureReader {
    /// One of the two is there.
    private var packets: PacketReader?
    private var text: TextReader?

    init(_ format: CaptureFormat, _ times: StatedTimes) {
        if format.isText {
            text = TextReader(format, times)
        } else {
            packets = PacketReader(format)
        }
    }

    /// Reads the next bytes of the file.
    ///
    /// - Throws: ``CaptureError``; what comes before it was seen.
    mutating func read(
        _ chunk: Span<UInt8>, into traffic: inout Traffic<some Observer>
    ) throws(CaptureError) {
        try packets?.read(chunk) { traffic.take($0, $1) }
        try text?.read(chunk, into: &traffic)
    }

    /// Says that no bytes follow.
    ///
    /// - Throws: ``CaptureError`` if the file ends within a record, or had no packets of Bluetooth.
    mutating func finish(_ traffic: inout Traffic<some Observer>) throws(CaptureError) {
        try packets?.finish()
        try text?.finish(&traffic)
    }
}
