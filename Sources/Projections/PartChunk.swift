/// Parts that follow each other: at hand, or in the bytes of a snapshot.
struct PartChunk<Part: OrderedPart>: Sendable {
    /// The key of the first part; that of the last first one, if all have been taken out.
    private(set) var firstKey: Part.Key
    /// How many parts there are.
    private(set) var count: Int
    /// Their canonical bytes, until they are changed.
    private var saved: ArraySlice<UInt8>?
    /// The parts, where there are no bytes of them.
    private var loaded: [Part] = []

    /// Takes parts that are in order, at least one.
    init(_ parts: [Part]) {
        (firstKey, count, loaded) = (parts[0].key, parts.count, parts)
    }

    /// The parts.
    ///
    /// Bytes that are none of parts have been forged, for their checksum is right: then there are
    /// no parts.
    var parts: [Part] {
        guard let saved else { return loaded }
        do throws(DamagedState) {
            var reader = StateCoder(saved)
            var parts: [Part] = []
            try parts.read(count, from: &reader)
            try reader.finish()
            return parts
        } catch {
            return []
        }
    }

    /// Their canonical bytes.
    var bytes: ArraySlice<UInt8> { saved ?? StateCoder.bytes(of: loaded)[...] }

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
            // Keys never change, and a copy of a part takes longer than most changes of it.
            if count != loaded.count {
                count = loaded.count
                firstKey = loaded.first?.key ?? firstKey
            }
        }
        return body(&loaded)
    }
}

extension PartChunk: StatePart {
    init() { self.init([Part()]) }

    /// The number of parts, their length in bytes, and their canonical bytes, of which a reader
    /// reads only the first part's.
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        let bytes = coder.isReading ? [] : bytes
        count = try coder.count(count)
        let length = try coder.count(bytes.count)
        guard coder.isReading else { return coder.write(bytes) }
        try coder.require(count > 0)
        let saved = coder.read(length)
        var (reader, first) = (StateCoder(saved), Part())
        try reader(&first)
        (firstKey, loaded, self.saved) = (first.key, [], saved)
    }
}
