/// The formats of Bluetooth captures.
public enum CaptureFormat: String, CaseIterable, Sendable {
    /// btsnoop version 1: what `btmon -w` and Android write.
    case btsnoop
    /// The format of libpcap, with times in microseconds or nanoseconds.
    case pcap
    /// PCAP Next Generation: what Wireshark writes.
    case pcapng
    /// What `btmon` prints.
    case btmon
    /// What gatttool, bluetoothctl or hcidump print of notifications, or a program that uses bleak
    /// or an app on a phone logs of them.
    case notifications
    /// A value on each line.
    case lines

    /// How many bytes tell the format of a file of packets.
    public static let signatureBytes = 8

    /// Recognizes a file by its beginning; nil if it is not one of these.
    ///
    /// A list of values cannot be told from other text, and is never recognized.
    ///
    /// - Parameter start: At least the first ``signatureBytes`` bytes, or the whole of a shorter
    ///   file; of text some lines.
    public init?(recognizing start: Span<UInt8>) {
        if start.begins(with: BtsnoopFraming.signature) {
            self = .btsnoop
        } else if start.count >= 4, PcapFraming.ByteOrderAndUnit(start.bigEndian32(at: 0)) != nil {
            self = .pcap
        } else if start.count >= 4, start.bigEndian32(at: 0) == PcapngFraming.sectionType {
            self = .pcapng
        } else if let format = TextReader.format(of: start) {
            self = format
        } else {
            return nil
        }
    }

    /// Whether the file is text.
    var isText: Bool {
        switch self {
        case .btsnoop, .pcap, .pcapng: false
        case .btmon, .notifications, .lines: true
        }
    }
}
