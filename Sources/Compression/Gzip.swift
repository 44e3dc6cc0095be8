internal import CZlib

/// A gzip member (RFC 1952).
public enum Gzip {
    /// Compresses bytes at zlib's fastest level, which takes 20 ms for a mebibyte.
    ///
    /// - Parameter bytes: Less than 4 GiB.
    /// - Returns: The member; nil if there is no memory for it.
    public static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        let windowBits = 15 + 16  // The largest window, and gzip's header.
        guard
            unsafe deflateInit2_(
                &stream, Z_BEST_SPEED, Z_DEFLATED, Int32(windowBits), 8, Z_DEFAULT_STRATEGY,
                zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { unsafe deflateEnd(&stream) }
        var input = bytes
        let roomBytes = Int(unsafe deflateBound(&stream, UInt(bytes.count)))
        return unsafe [UInt8](unsafeUninitializedCapacity: roomBytes) { output, count in
            unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                _ = unsafe deflate(&stream, Z_FINISH)  // All of it fits.
            }
            count = unsafe output.count - Int(stream.avail_out)
        }
    }
}
