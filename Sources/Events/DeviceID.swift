/// The identity of a device: a Bluetooth address with its type, or a sensor's number.
///
/// Object paths and names are no identities; addresses are. Seven bytes in the log.
@frozen
public struct DeviceID: Hashable, Sendable {
    /// What the address means.
    @frozen
    public enum Space: UInt8, CaseIterable, Sendable {
        /// A public Bluetooth device address.
        case `public` = 0
        /// A random Bluetooth device address.
        case random = 1
        /// The number of a kernel sensor.
        case kernel = 2
        /// A number that another program or a file chose.
        case other = 3
    }

    /// The seven bytes of a payload as one number, cheap to compare: bits 0-47 hold the address,
    /// bits 48-55 the space's number.
    public let word: UInt64

    /// Makes an identity; bits of `address` above 48 are dropped.
    @inlinable
    public init(address: UInt64, space: Space) {
        word = address & 0xFFFF_FFFF_FFFF | UInt64(space.rawValue) << 48
    }

    /// What a reader reads into.
    @inlinable public static var blank: DeviceID { DeviceID(address: 0, space: .public) }

    /// Makes an identity from the word of a payload, or nil if its space is unknown.
    @inlinable
    public init?(word: UInt64) {
        guard word >> 48 <= UInt64(Space.other.rawValue) else { return nil }
        self.word = word
    }

    /// The 48-bit address, its first printed byte highest.
    @inlinable
    public var address: UInt64 { word & 0xFFFF_FFFF_FFFF }

    /// What the address means.
    public var space: Space { Space(rawValue: UInt8(word >> 48)) ?? .other }
}

extension DeviceID: CustomStringConvertible {
    private static let prefixes: [(Space, String)] = [
        (.public, "public/"), (.kernel, "kernel/"), (.other, "other/"),
    ]

    /// The address as `C4:00:00:00:00:01`, with the space before it unless it is random.
    public var description: String {
        var text: [UInt8] = []
        text.append(addingCapacity: DeviceID.textRoom) { appendText(to: &$0) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The most bytes of ``description``.
    public static let textRoom = 24

    /// Appends ``description``, ASCII without quotes or escapes, at most ``textRoom`` bytes.
    public func appendText(to text: inout OutputSpan<UInt8>) {
        if space != .random {
            for (named, prefix) in DeviceID.prefixes where named == space {
                for byte in prefix.utf8 { text.append(byte) }
            }
        }
        for index in 0..<6 {
            let byte = UInt8(truncatingIfNeeded: address >> UInt64(40 - 8 * index))
            if index > 0 { text.append(UInt8(ascii: ":")) }
            text.append(hexadecimalDigit(byte >> 4))
            text.append(hexadecimalDigit(byte & 15))
        }
    }

    /// Reads what ``description`` wrote; hexadecimal digits of either case.
    public init?(_ text: String) {
        let text = Array(text.utf8)
        var space = Space.random
        var offset = 0
        if text.count > DeviceID.addressLength {
            let named = DeviceID.prefixes.first { text.starts(with: $0.1.utf8) }
            guard let named else { return nil }
            space = named.0
            offset = named.1.utf8.count
        }
        guard text.count == offset + DeviceID.addressLength else { return nil }
        var address: UInt64 = 0
        for index in 0..<DeviceID.addressLength {
            let byte = text[offset + index]
            if index % 3 == 2 {
                guard byte == UInt8(ascii: ":") else { return nil }
            } else {
                guard let digit = byte.hexadecimalDigit else { return nil }
                address = address << 4 | UInt64(digit)
            }
        }
        self.init(address: address, space: space)
    }

    /// How many bytes an address takes without its space.
    private static let addressLength = 17
}

/// The uppercase hexadecimal digit in ASCII of 0 to 15.
private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}

extension UInt8 {
    /// What the byte stands for as a hexadecimal digit in ASCII, or nil if it isn't one.
    package var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
