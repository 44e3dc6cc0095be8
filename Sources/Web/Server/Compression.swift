internal import Compression
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
            let compressed = Gzip.compressed(bytes)
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
