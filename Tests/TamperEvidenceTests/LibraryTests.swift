@testable import TamperEvidence
import Testing

@Suite("Hashes and signatures of the library")
struct LibraryTests {
    /// A message of 56 bytes fills the last block up to the length that has to follow in it.
    @Test(
        "SHA-256 is that of FIPS 180-4",
        arguments: [
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func hashes(_ text: String, _ expected: String) {
        #expect(Hexadecimal.text(of: SHA256.hash(Array(text.utf8)).bytes) == expected)
    }

    @Test("SHA-256 of pieces is that of the whole, wherever it is cut, and goes on from a copy")
    func pieces() {
        let bytes = (0..<200).map { UInt8($0) }
        let whole = SHA256.hash(bytes).bytes
        #expect(FileDigest(bytes).bytes == whole)
        for cut in 0...bytes.count {
            var digest = FileDigest()
            digest.take(bytes.span.extracting(first: cut))
            #expect(digest.bytes == SHA256.hash(Array(bytes.prefix(cut))).bytes)
            digest.take(bytes.span.extracting(droppingFirst: cut))
            #expect(digest.bytes == whole, "cut at \(cut)")
        }
    }

    @Test("HMAC-SHA-512 is that of RFC 4231, and one message does not change the next one's")
    func codes() {
        var codes = HMACSHA512(key: Array("Jefe".utf8))
        for _ in 0..<2 {
            let code = codes.code(of: Array("what do ya want for nothing?".utf8).span)
            #expect(
                Hexadecimal.text(of: (0..<64).map { code[$0] })
                    == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                    + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")
        }
    }

    /// RFC 8032, 7.1.
    private static let signatures = [
        (
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            text: [UInt8](),
            signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            text: [0x72],
            signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ]

    @Test("Ed25519 is that of RFC 8032", arguments: signatures)
    func signs(_ vector: (seed: String, key: String, text: [UInt8], signature: String)) throws {
        let pair = try #require(Ed25519(seed: Self.bytes(vector.seed)))
        #expect(Hexadecimal.text(of: pair.publicKey) == vector.key)
        #expect(Hexadecimal.text(of: pair.seed) == vector.seed)
        let signature = pair.signature(of: vector.text)
        #expect(Hexadecimal.text(of: signature) == vector.signature)
        #expect(Ed25519.isSignature(signature, of: vector.text, by: pair.publicKey))
        #expect(!Ed25519.isSignature(signature, of: vector.text + [0], by: pair.publicKey))
    }

    @Test("Ed25519 refuses a signature's other form, a point beyond the field, and other lengths")
    func refusals() throws {
        let pair = try #require(Ed25519(seed: Self.bytes(Self.signatures[1].seed)))
        let text = Self.signatures[1].text
        let signature = pair.signature(of: text)
        // The same number modulo the order of the group (RFC 8032, 5.1.7).
        let order = Self.bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var (other, carry) = (signature, 0)
        for (index, byte) in order.enumerated() {
            carry += Int(other[32 + index]) + Int(byte)
            other[32 + index] = UInt8(carry & 0xFF)
            carry >>= 8
        }
        #expect(carry == 0)
        #expect(!Ed25519.isSignature(other, of: text, by: pair.publicKey))
        let beyond = [UInt8](repeating: 0xFF, count: 32)
        #expect(!Ed25519.isSignature(signature, of: text, by: beyond))
        #expect(!Ed25519.isSignature(beyond + signature.suffix(32), of: text, by: pair.publicKey))
        for length in [0, 63, 65] {
            let bytes = Array((signature + [0]).prefix(length))
            #expect(!Ed25519.isSignature(bytes, of: text, by: pair.publicKey), "\(length) bytes")
        }
        for length in [0, 31, 33] {
            let bytes = [UInt8](repeating: 1, count: length)
            #expect(Ed25519(seed: bytes) == nil)
            #expect(!Ed25519.isSignature(signature, of: text, by: bytes))
        }
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.count, by: 2).compactMap {
            UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16)
        }
    }
}
