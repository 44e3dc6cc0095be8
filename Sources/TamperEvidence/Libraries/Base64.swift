internal import CSodium

/// Base64 with the standard alphabet and padding (RFC 4648, 4), or with the alphabet for addresses
/// and without padding (5); strict: each byte string has exactly one text.
package enum Base64 {
    private static func variant(forURL: Bool) -> Int32 {
        Int32(forURL ? sodium_base64_VARIANT_URLSAFE_NO_PADDING : sodium_base64_VARIANT_ORIGINAL)
    }

    /// The text of bytes.
    package static func text(of bytes: [UInt8], forURL: Bool = false) -> String {
        let variant = variant(forURL: forURL)
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
        unsafe sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The bytes of a text; nil if it is not base64, or not as ``text(of:forURL:)`` would write it.
    package static func bytes(of text: some StringProtocol, forURL: Bool = false) -> [UInt8]? {
        let characters = text.utf8.map { CChar(bitPattern: $0) }
        var bytes = [UInt8](repeating: 0, count: characters.count)
        var count = 0
        let failure = unsafe sodium_base642bin(
            &bytes, bytes.count, characters, characters.count, nil, &count, nil,
            variant(forURL: forURL))
        return failure == 0 ? Array(bytes.prefix(count)) : nil
    }
}
