internal import Events

/// The packets of a capture, cut out of its bytes as they come.
///
/// It keeps no more than one record, of at most 320 KiB.
struct PacketReader {
    private enum Framing {
        case btsnoop(BtsnoopFraming)
        case pcap(PcapFraming)
        case pcapng(PcapngFraming)
    }

    private let format: CaptureFormat
    /// How many bytes of the file stand before `rest`.
    private(set) var offset: UInt64 = 0
    /// What was pushed and is not a whole record yet.
    private var rest: [UInt8] = []
    /// How many of the bytes that come belong to a block without packets.
    private var passing: UInt64 = 0
    private var framing: Framing?

    init(_ format: CaptureFormat) {
        self.format = format
    }

    /// Reads the next bytes of the file.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - body: Called with each packet and its bytes, valid during the call.
    /// - Throws: ``CaptureError``; the packets before it were handed over.
    mutating func read(
        _ chunk: Span<UInt8>, _ body: (Packet, Span<UInt8>) -> Void
    ) throws(CaptureError) {
        if rest.isEmpty {
            let used = try readRecords(of: chunk, body)
            rest.append(copying: chunk.extracting(droppingFirst: used))
            return
        }
        var bytes: [UInt8] = []
        swap(&bytes, &rest)
        bytes.append(copying: chunk)
        bytes.removeFirst(try readRecords(of: bytes.span, body))
        swap(&bytes, &rest)
    }

    /// Says that no bytes follow.
    ///
    /// - Throws: ``CaptureError`` if the file ends within a record, or had no packets of Bluetooth.
    func finish() throws(CaptureError) {
        guard let framing else {
            throw CaptureError(.truncated, at: 0, "the file ends within its header.")
        }
        guard rest.isEmpty, passing == 0 else {
            throw CaptureError(.truncated, at: offset, "the file ends within a record.")
        }
        if case .pcapng(let framing) = framing, let refusal = framing.refusal { throw refusal }
    }

    // MARK: - Private

    /// Reads whole records, and returns how many bytes they took.
    private mutating func readRecords(
        of bytes: Span<UInt8>, _ body: (Packet, Span<UInt8>) -> Void
    ) throws(CaptureError) -> Int {
        var used = 0
        while true {
            if passing > 0 {
                let count = Int(min(passing, UInt64(bytes.count - used)))
                passing -= UInt64(count)
                used += count
                offset += UInt64(count)
            }
            guard used < bytes.count else { return used }
            let left = bytes.extracting(used..<bytes.count)
            switch try nextFrame(in: left) {
            case .incomplete: return used
            case .passed(let count): passing = count
            case .packet(let packet, let place, let end):
                body(packet, left.extracting(place))
                used += end
                offset += UInt64(end)
            }
        }
    }

    private mutating func nextFrame(in bytes: Span<UInt8>) throws(CaptureError) -> Frame {
        switch framing {
        case .btsnoop(let framing): return try framing.next(in: bytes, at: offset)
        case .pcap(let framing): return try framing.next(in: bytes, at: offset)
        case .pcapng(var framing):
            self.framing = nil
            defer { self.framing = .pcapng(framing) }
            return try framing.next(in: bytes, at: offset)
        case nil: return try readHeader(of: bytes)
        }
    }

    private mutating func readHeader(of bytes: Span<UInt8>) throws(CaptureError) -> Frame {
        guard bytes.count >= CaptureFormat.signatureBytes else { return .incomplete }
        switch format {
        case .btsnoop:
            guard bytes.count >= BtsnoopFraming.headerBytes else { return .incomplete }
            framing = .btsnoop(try BtsnoopFraming(header: bytes))
            return .passed(UInt64(BtsnoopFraming.headerBytes))
        case .pcap:
            guard bytes.count >= PcapFraming.headerBytes else { return .incomplete }
            framing = .pcap(try PcapFraming(header: bytes))
            return .passed(UInt64(PcapFraming.headerBytes))
        case .pcapng:
            guard bytes.bigEndian32(at: 0) == PcapngFraming.sectionType else {
                throw CaptureError(.unknownFormat, at: 0, "not a pcapng file.")
            }
            framing = .pcapng(PcapngFraming())
            return .passed(0)
        case .btmon, .notifications, .lines: return .passed(UInt64(bytes.count))
        }
    }
}
