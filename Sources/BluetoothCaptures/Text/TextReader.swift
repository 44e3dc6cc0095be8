internal import Events

/// What devices sent in a text, line by line.
struct TextReader {
    /// A longer line is not believed.
    private static let lineLimit = 64 * 1_024
    /// Texts tell of one device, and mostly not its address.
    static let device = DeviceID(address: 1, space: .other)

    private let format: CaptureFormat
    /// The bytes before `line`.
    private var offset: UInt64 = 0
    private var number = 1
    private var line: [UInt8] = []
    private var block = BtmonBlock()
    /// The time of the value before, for texts without times.
    private var time: Int64 = 0

    init(_ format: CaptureFormat) {
        self.format = format
    }

    /// Reads the next bytes of the text.
    ///
    /// - Throws: ``CaptureError`` for a line that is none of the format's.
    mutating func read(
        _ chunk: Span<UInt8>, into traffic: inout Traffic<some Observer>
    ) throws(CaptureError) {
        for index in chunk.indices {
            guard chunk[index] == UInt8(ascii: "\n") else {
                line.append(chunk[index])
                guard line.count <= Self.lineLimit else {
                    throw CaptureError(.badRecord, at: offset, "line \(number) is too long.")
                }
                continue
            }
            try takeLine(&traffic)
        }
    }

    /// Says that no bytes follow: the last line needs no end.
    mutating func finish(_ traffic: inout Traffic<some Observer>) throws(CaptureError) {
        if !line.isEmpty { try takeLine(&traffic) }
    }

    private mutating func takeLine(
        _ traffic: inout Traffic<some Observer>
    ) throws(CaptureError) {
        let text = String(decoding: line, as: UTF8.self)
        switch format {
        case .btmon: block.take(text, &traffic)
        case .notifications:
            if let value = LoggedValue(text) { take(value, &traffic) }
        case .lines:
            let trimmed = line.trimmed
            if !trimmed.isEmpty, trimmed.first != UInt8(ascii: "#") {
                guard let value = ValueText(text) else {
                    throw CaptureError(
                        .badRecord, at: offset,
                        "line \(number) is no value; write one on each line, as 1653b402 or "
                            + "[22, 83, 180, 2].")
                }
                take(LoggedValue(bytes: value.bytes), &traffic)
            }
        case .btsnoop, .pcap, .pcapng: break
        }
        offset += UInt64(line.count) + 1
        number += 1
        line.removeAll(keepingCapacity: true)
    }

    private mutating func take(
        _ value: LoggedValue, _ traffic: inout Traffic<some Observer>
    ) {
        // Without times a value each second is assumed, as straps send them.
        time = value.microseconds ?? (time + 1_000_000)
        traffic.observer.packet(at: time)
        if value.microseconds == nil { traffic.observer.assumedTime() }
        traffic.takeLogged(value)
    }

    // MARK: - Recognition

    /// Recognizes a text by its first lines.
    static func format(of start: Span<UInt8>) -> CaptureFormat? {
        let bytes = [UInt8](copying: start.extracting(0..<min(start.count, lineLimit)))
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        for line in lines {
            if line.hasPrefix("{") { return nil }
            if line.hasPrefix("Bluetooth monitor ver") || BtmonBlock.isHeading(line) {
                return .btmon
            }
            if LoggedValue(String(line)) != nil { return .notifications }
        }
        return nil
    }
}

extension [UInt8] {
    /// Copies bytes.
    fileprivate init(copying bytes: Span<UInt8>) {
        self = []
        reserveCapacity(bytes.count)
        for index in bytes.indices { append(bytes[index]) }
    }
}
