internal import NIOHTTP1

extension Response {
    /// The same answer with a tag of what is in it, or only the tag for whoever has it already.
    ///
    /// A browser may keep what it asks about each time (RFC 9110, 13.1.2).
    func tagged(for head: HTTPRequestHead) -> Response {
        guard case .whole(let bytes, let type) = body, head.method == .GET, status == .ok,
            type == "application/json" || type.hasPrefix("text/html")
        else { return self }
        var response = self
        response.kept = "private, no-cache"
        // It is weak, for it is the same of compressed bytes.
        let tag = "\"\(String(decoding: bytes, as: UTF8.self).digest.prefix(16))\""
        response.fields.add(name: "ETag", value: "W/\(tag)")
        if head.headers[canonicalForm: "If-None-Match"].contains(where: { $0.hasSuffix(tag) }) {
            (response.status, response.body) = (.notModified, .whole([], type: type))
        }
        return response
    }
}
