internal import CNettle

/// HMAC (RFC 2104) of SHA-512: a value that began with its key, copied for each message.
struct HMACSHA512 {
    private var context = hmac_sha512_ctx()

    /// Begins with a key of any length.
    init(key: [UInt8]) {
        unsafe nettle_hmac_sha512_set_key(&context, key.count, key)
    }

    /// The code of a message; begins the next one.
    mutating func code(of message: Span<UInt8>) -> SIMD64<UInt8> {
        unsafe message.withUnsafeBufferPointer { message in
            unsafe nettle_hmac_sha512_update(&context, message.count, message.baseAddress)
        }
        var code = SIMD64<UInt8>()
        unsafe withUnsafeMutableBytes(of: &code) { code in
            let code = unsafe code.assumingMemoryBound(to: UInt8.self)
            unsafe nettle_hmac_sha512_digest(&context, code.count, code.baseAddress)
        }
        return code
    }
}
