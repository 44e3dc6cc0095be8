internal import Events

/// What devices sent in a text, line by line.
struct TextReader {
    /// A longer line is not believed.
    private static let lineLimit = 64 * 1_024
    /// Texts are about one device, and mostly not its address.
    static let device = DeviceID(address: 1, space: .other)

    private let format: CaptureFormat
    /// The bytes before `line`.
    private var offset: UInt64 = 0
    private var number = 1
    private var line: [UInt8] = []
    private var cleaner = TextCleaner()
    private var block: BtmonBlock
    private var log = LogReader()
    private var times: TimeLine
    /// The time of the value before, for texts without times.
    private var time: Int64

    init(_ format: CaptureFormat, _ times: StatedTimes) {
        self.format = format
        self.times = TimeLine(times)
        block = BtmonBlock(times)
        time = self.times.beginning
    }

    /// Reads the next bytes of the text.
    ///
    /// - Throws: ``CaptureError`` for a line that is none of the format's.
    mutating func read(
        _ chunk: Span<UInt8>, into traffic: inout Traffic<some Observer>
    ) throws(CaptureError) {
        for index in chunk.indices {
            for byte in cleaner.take(chunk[index]) {
                guard byte == UInt8(ascii: "\n") else {
                    line.append(byte)
                    guard line.count <= Self.lineLimit else {
                        throw CaptureError(.badRecord, at: offset, "line \(number) is too long.")
                    }
                    continue
                }
                try takeLine(&traffic)
            }
        }
    }

    /// Says that no bytes follow: the last line needs no end.
    mutating func finish(_ traffic: inout Traffic<some Observer>) throws(CaptureError) {
        if !line.isEmpty { try takeLine(&traffic) }
        for finding in log.finish() { take(finding, &traffic) }
    }

    private mutating func takeLine(
        _ traffic: inout Traffic<some Observer>
    ) throws(CaptureError) {
        let text = TextCleaner.plain(line)
        switch format {
        case .btmon: block.take(text, &traffic)
        case .notifications:
            for finding in log.take(text) { take(finding, &traffic) }
        case .lines:
            let trimmed = line.trimmed
            if !trimmed.isEmpty, trimmed.first != UInt8(ascii: "#") {
                guard let value = ValueText(text) else {
                    throw CaptureError(
                        .badRecord, at: offset,
                        "line \(number) is not a value; write one per line, as 1653b402 or "
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
        _ finding: LogReader.Finding, _ traffic: inout Traffic<some Observer>
    ) {
        switch finding {
        case .value(let value): take(value, &traffic)
        case .unreadable: traffic.observer.loss(.line)
        case .declaration(let type, let handles):
            traffic.withTable(of: Self.device) { $0.declare(type, at: handles) }
        }
    }

    private mutating func take(
        _ value: LoggedValue, _ traffic: inout Traffic<some Observer>
    ) {
        if let written = value.time {
            let (microseconds, gap) = times.utc(written)
            time = microseconds
            if let gap { traffic.observer.unknown(gap) }
        } else if value.hasUnreadableTime {
            traffic.observer.unknown(.unreadable)
        } else {
            // Without times a value each second is assumed, as straps send them.
            time += 1_000_000
            traffic.observer.assumedTime()
        }
        traffic.observer.packet(at: time)
        traffic.takeLogged(value)
    }

    // MARK: - Recognition

    /// Recognizes a text by its first lines.
    static func format(of start: Span<UInt8>) -> CaptureFormat? {
        var log = LogReader()
        for line in lines(of: start) {
            let text = line[...].drop { " \t".contains($0) }
            if text.hasPrefix("{") { return nil }
            if text.hasPrefix("Bluetooth monitor ver") || BtmonBlock.isHeading(text) {
                return .btmon
            }
            if !log.take(line).isEmpty { return .notifications }
        }
        return log.finish().isEmpty ? nil : .notifications
    }

    /// The whole lines of a text's beginning.
    private static func lines(of start: Span<UInt8>) -> [String] {
        var cleaner = TextCleaner()
        var bytes: [UInt8] = []
        for index in 0..<min(start.count, lineLimit) { bytes += cleaner.take(start[index]) }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        if start.count > lineLimit { lines = lines.dropLast() }
        return lines.map { TextCleaner.plain(Array($0)) }
    }
}
