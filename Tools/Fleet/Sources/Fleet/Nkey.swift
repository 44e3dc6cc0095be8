internal import TamperEvidence

/// Who may connect, as NATS writes it: an Ed25519 key in base 32 with a prefix and a checksum
/// (NATS, "nkeys").
package struct Nkey: Hashable, Sendable {
    /// The prefix of a user.
    private static let user: UInt8 = 20 << 3
    /// The prefix of a seed.
    private static let seed: UInt8 = 18 << 3

    /// What the server is told: a text that begins with U.
    package let publicKey: String
    /// What only its owner knows: a text that begins with SU.
    package let seedText: String

    /// Makes a user of 32 random bytes.
    ///
    /// - Returns: nil if there are more or fewer.
    package init?(seed bytes: [UInt8]) {
        // The signer's name is no part of the key.
        guard let signer = NoteSigner(name: "user", seed: bytes) else { return nil }
        publicKey = Self.text([Self.user] + signer.verifier.publicKey)
        seedText = Self.text([Self.seed | Self.user >> 5, (Self.user & 31) << 3] + bytes)
    }

    /// Reads a seed; nil if it isn't one of a user.
    package init?(seedText: some StringProtocol) {
        guard let bytes = Self.bytes(of: seedText), bytes.count == 36 else { return nil }
        self.init(seed: Array(bytes[2..<34]))
        guard self.seedText == seedText else { return nil }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    private static func text(_ content: [UInt8]) -> String {
        let checksum = checksum(of: content)
        let bytes = content + [UInt8(truncatingIfNeeded: checksum), UInt8(checksum >> 8)]
        var (text, bits, count) = ([UInt8](), 0, 0)
        for byte in bytes {
            bits = bits << 8 | Int(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[bits >> count & 31])
            }
            bits &= (1 << count) - 1
        }
        if count > 0 { text.append(alphabet[bits << (5 - count) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(of text: some StringProtocol) -> [UInt8]? {
        var (bytes, bits, count) = ([UInt8](), 0, 0)
        for character in text.utf8 {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 5 | digit
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
                bits &= (1 << count) - 1
            }
        }
        return bytes
    }

    /// CRC-16/XMODEM.
    private static func checksum(of bytes: [UInt8]) -> UInt16 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in
                sum & 0x8000 != 0 ? sum << 1 ^ 0x1021 : sum << 1
            }
        }
    }
}
