internal import CZlib
internal import NIOHTTP1

extension Response {
    /// Below so many bytes compression saves no packet.
    private static let leastCompressedBytes = 1_400

    /// The same answer in fewer bytes, for whoever takes gzip (RFC 9110, 8.4.1.3).
    ///
    /// Pictures stay as they are: they are compressed already.
    func compressed(for head: HTTPRequestHead) -> Response {
        guard case .whole(let bytes, let type) = body, bytes.count >= Self.leastCompressedBytes,
            !type.hasPrefix("image/") || type == "image/svg+xml", head.takesGzip,
            let compressed = gzip(bytes)
        else { return self }
        var response = self
        response.body = .whole(compressed, type: type)
        response.fields.add(name: "Content-Encoding", value: "gzip")
        response.fields.add(name: "Vary", value: "Accept-Encoding")
        return response
    }
}

extension HTTPRequestHead {
    /// Whether `Accept-Encoding` names gzip, and does not refuse it (RFC 9110, 12.5.3).
    fileprivate var takesGzip: Bool {
        headers[canonicalForm: "Accept-Encoding"].contains { coding in
            let parts = coding.lowercased().split { $0 == ";" || $0 == " " }
            return parts.first == "gzip" && !parts.contains { $0 == "q=0" || $0 == "q=0.0" }
        }
    }
}

/// Compresses bytes at zlib's fastest level, which takes 20 ms for a mebibyte.
///
/// - Returns: A gzip member (RFC 1952); nil if there is no memory for it.
private func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    let windowBits = 15 + 16  // The largest window, and gzip's header.
    guard
        deflateInit2_(
            &stream, Z_BEST_SPEED, Z_DEFLATED, Int32(windowBits), 8, Z_DEFAULT_STRATEGY,
            zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    var input = bytes
    let roomBytes = Int(deflateBound(&stream, UInt(bytes.count)))
    return [UInt8](unsafeUninitializedCapacity: roomBytes) { output, count in
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            _ = deflate(&stream, Z_FINISH)  // All of it fits.
        }
        count = output.count - Int(stream.avail_out)
    }
}
