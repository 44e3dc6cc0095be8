/// Parts that follow each other: at hand, or in the bytes of a snapshot.
struct PartChunk<Part: OrderedPart>: Sendable {
    /// The key of the first part; that of the last first one, if all have been taken out.
    private(set) var firstKey: Part.Key
    /// How many parts there are.
    private(set) var count: Int
    /// Their canonical bytes, until they are changed.
    private(set) var saved: SavedBytes?
    /// The parts, where there are no bytes of them.
    private var loaded: [Part] = []

    /// Takes parts that are in order, at least one.
    init(_ parts: [Part]) {
        (firstKey, count, loaded) = (parts[0].key, parts.count, parts)
    }

    /// Takes the bytes of parts that are in order, at least one, of which only the first is read.
    ///
    /// - Throws: ``DamagedState`` if it cannot be.
    init(_ saved: SavedBytes, count: Int) throws(DamagedState) {
        var reader = CanonicalReader(saved)
        var first = Part.blank
        try first.code(&reader)
        (firstKey, self.count, self.saved) = (first.key, count, saved)
    }

    /// The parts.
    ///
    /// Bytes that are none of parts have been forged, for their checksum is right: then there are
    /// no parts.
    var parts: [Part] {
        guard let saved else { return loaded }
        do throws(DamagedState) {
            var reader = CanonicalReader(saved)
            var parts: [Part] = []
            try reader.parts(&parts, count: count)
            try reader.finish()
            return parts
        } catch {
            return []
        }
    }

    /// Changes the parts, in their place.
    ///
    /// - Parameter body: Keeps them in order.
    /// - Returns: What `body` gives.
    @discardableResult
    mutating func change<Result>(_ body: (inout [Part]) -> Result) -> Result {
        if saved != nil {
            loaded = parts
            saved = nil
        }
        defer {
            count = loaded.count
            firstKey = loaded.first?.key ?? firstKey
        }
        return body(&loaded)
    }
}

/// Bytes of a snapshot, which all that are made of it share.
struct SavedBytes: Sendable {
    /// All bytes of the snapshot.
    let bytes: [UInt8]
    /// Which of them.
    let range: Range<Int>
}
