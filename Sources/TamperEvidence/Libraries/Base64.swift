internal import CSodium

/// Base64 with the standard alphabet and padding (RFC 4648, 4), strict: each byte string has
/// exactly one text.
enum Base64 {
    private static let variant = Int32(sodium_base64_VARIANT_ORIGINAL)

    /// The text of bytes.
    static func text(of bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
        unsafe sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The bytes of a text; nil if it is not base64, or not as ``text(of:)`` would write it.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        let characters = text.utf8.map { CChar(bitPattern: $0) }
        var bytes = [UInt8](repeating: 0, count: characters.count)
        var count = 0
        let failure = unsafe sodium_base642bin(
            &bytes, bytes.count, characters, characters.count, nil, &count, nil, variant)
        return failure == 0 ? Array(bytes.prefix(count)) : nil
    }
}
