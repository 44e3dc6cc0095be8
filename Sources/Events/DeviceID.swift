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

    /// Bits 0-47 hold the address, bits 48-55 the space's number.
    @usableFromInline let word: UInt64

    /// Makes an identity; bits of `address` above 48 are dropped.
    @inlinable
    public init(address: UInt64, space: Space) {
        word = address & 0xFFFF_FFFF_FFFF | UInt64(space.rawValue) << 48
    }

    /// Makes an identity from the word of a payload, or nil if its space is unknown.
    @inlinable
    init?(word: UInt64) {
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
    private static let hexDigits = Array("0123456789ABCDEF".utf8)
    private static let prefixes: [(Space, String)] = [
        (.public, "public/"), (.kernel, "kernel/"), (.other, "other/"),
    ]

    /// The address as `C4:00:00:00:00:01`, with the space before it unless it is random.
    public var description: String {
        var text: [UInt8] = []
        for index in 0..<6 {
            let byte = UInt8(truncatingIfNeeded: address >> UInt64(40 - 8 * index))
            if index > 0 { text.append(UInt8(ascii: ":")) }
            text.append(DeviceID.hexDigits[Int(byte >> 4)])
            text.append(DeviceID.hexDigits[Int(byte & 15)])
        }
        let prefix = DeviceID.prefixes.first { $0.0 == space }?.1 ?? ""
        return prefix + String(decoding: text, as: UTF8.self)
    }

    /// Reads what ``description`` wrote; hexadecimal digits of either case.
    public init?(_ text: String) {
        var space = Space.random
        var rest = Substring(text)
        if let (named, prefix) = DeviceID.prefixes.first(where: { text.hasPrefix($0.1) }) {
            space = named
            rest = rest.dropFirst(prefix.count)
        }
        let bytes = Array(rest.utf8)
        guard bytes.count == 17 else { return nil }
        var address: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            if index % 3 == 2 {
                guard byte == UInt8(ascii: ":") else { return nil }
            } else {
                guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
                address = address << 4 | UInt64(digit)
            }
        }
        self.init(address: address, space: space)
    }
}
