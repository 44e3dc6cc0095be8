/// Link-layer header types of pcap and pcapng that carry Bluetooth: tcpdump.org, LINKTYPE_ list.
enum LinkType: UInt16 {
    /// HCI with the packet's type in the first byte: UART transport, Bluetooth Core 5.4, volume
    /// 4, part A, 2.
    case typed = 187
    /// The same after four bytes, big-endian, whose last bit is 1 for what the host received.
    case typedWithDirection = 201
    /// A packet of the air, from its access address to its CRC.
    case air = 251
    /// Linux' monitor: an adapter and an opcode before each packet.
    case monitor = 254
    /// A packet of the air after ten bytes of what the receiver knows of it.
    case airWithHeader = 256
    /// The same after the header of Nordic's sniffer.
    case nordic = 272

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
