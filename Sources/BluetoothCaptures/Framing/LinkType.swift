/// Link-layer header types of pcap and pcapng that carry Bluetooth: tcpdump.org, LINKTYPE_ list.
enum LinkType: UInt16 {
    case hciTyped = 187
    case hciTypedWithDirection = 201
    case air = 251
    case monitor = 254
    case airWithHeader = 256
    case nordic = 272

    var carrier: Packet.Carrier {
        switch self {
        case .hciTyped: .typed
        case .hciTypedWithDirection: .typedWithDirection
        case .air: .air
        case .monitor: .monitor
        case .airWithHeader: .airWithHeader
        case .nordic: .nordic
        }
    }

    /// What a file with other packets is told.
    static func refusal(of number: UInt16, at offset: UInt64) -> CaptureError {
        let names: [UInt16: String] = [
            0: "loopback", 1: "Ethernet", 12: "IP", 101: "IP", 105: "Wi-Fi", 113: "Linux' any",
            127: "Wi-Fi", 189: "USB", 195: "IEEE 802.15.4", 220: "USB", 230: "IEEE 802.15.4",
            249: "USB", 276: "Linux' any",
        ]
        let name = names[number].map { ", \($0)" } ?? ""
        return CaptureError(
            .otherPackets, at: offset,
            "the packets are of link type \(number)\(name), which carries no Bluetooth that is "
                + "read; 187, 201, 251, 254, 256 and 272 are.")
    }
}
