/// Records of pcap: draft-ietf-opsawg-pcap.
struct PcapFraming {
    static let headerBytes = 24
    static let recordHeaderBytes = 16

    /// What the first four bytes tell.
    struct ByteOrderAndUnit {
        let isLittleEndian: Bool
        let isNanoseconds: Bool

        /// Reads them as a big-endian number; nil if they are no pcap's.
        init?(_ magic: UInt32) {
            switch magic {
            case 0xA1B2_C3D4: (isLittleEndian, isNanoseconds) = (false, false)
            case 0xD4C3_B2A1: (isLittleEndian, isNanoseconds) = (true, false)
            case 0xA1B2_3C4D: (isLittleEndian, isNanoseconds) = (false, true)
            case 0x4D3C_B2A1: (isLittleEndian, isNanoseconds) = (true, true)
            default: return nil
            }
        }
    }

    private let form: ByteOrderAndUnit
    private let carrier: LinkType

    /// Reads a file's header.
    init(header: Span<UInt8>) throws(CaptureError) {
        guard let form = ByteOrderAndUnit(header.bigEndian32(at: 0)) else {
            throw CaptureError(.unknownFormat, at: 0, "not a pcap file.")
        }
        self.form = form
        let major = header.integer16(at: 4, isLittleEndian: form.isLittleEndian)
        guard major == 2 else {
            throw CaptureError(.unknownFormat, at: 4, "pcap version \(major) is not known, only 2.")
        }
        // The upper half speaks of checksums at the packets' ends.
        let number = UInt16(
            truncatingIfNeeded: header.integer32(at: 20, isLittleEndian: form.isLittleEndian))
        guard let carrier = LinkType(rawValue: number) else {
            throw LinkType.refusal(of: number, at: 20)
        }
        self.carrier = carrier
    }

    func next(in bytes: Span<UInt8>, at offset: UInt64) throws(CaptureError) -> Frame {
        guard bytes.count >= Self.recordHeaderBytes else { return .incomplete }
        let isLittleEndian = form.isLittleEndian
        let included = bytes.integer32(at: 8, isLittleEndian: isLittleEndian)
        guard included <= Frame.limit else {
            throw CaptureError(.badRecord, at: offset, "a packet of \(included) bytes.")
        }
        let end = Self.recordHeaderBytes + Int(included)
        guard bytes.count >= end else { return .incomplete }
        let seconds = bytes.integer32(at: 0, isLittleEndian: isLittleEndian)
        let fraction = bytes.integer32(at: 4, isLittleEndian: isLittleEndian)
        let packet = Packet(
            microseconds: Int64(seconds) * 1_000_000
                + Int64(form.isNanoseconds ? fraction / 1_000 : fraction),
            carrier: carrier)
        return .packet(packet, Self.recordHeaderBytes..<end, end: end)
    }
}
