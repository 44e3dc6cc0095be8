/// A part of a state that is one of many, each with another key.
protocol OrderedPart: StatePart, Hashable, Sendable {
    associatedtype Key: Comparable & Sendable
    /// Which one of them it is; it never changes.
    var key: Key { get }
}

/// Parts in the order of their keys.
///
/// They are in chunks, so that a log whose every event makes a part costs no more when it names
/// the keys backwards: an insertion moves the parts of one chunk only. A chunk of a snapshot stays
/// in its bytes until a part of it is wanted, so that ten years are read as fast as a day. How they
/// are distributed is not part of the value.
struct OrderedParts<Part: OrderedPart>: Sendable {
    /// The most parts of a chunk.
    static var chunkLimit: Int { 128 }

    private(set) var chunks: [PartChunk<Part>] = []

    /// Makes an empty collection.
    init() {}

    /// Takes parts that are in order.
    init(_ parts: [Part]) {
        chunks = stride(from: 0, to: parts.count, by: Self.chunkLimit).map {
            PartChunk(Array(parts[$0..<min($0 + Self.chunkLimit, parts.count)]))
        }
    }

    /// How many there are.
    var count: Int { chunks.reduce(0) { $0 + $1.count } }

    /// The last part, or nil.
    var last: Part? { chunks.last?.parts.last }

    /// All parts, in order.
    var all: [Part] { chunks.flatMap(\.parts) }

    /// The part of a key, or nil.
    subscript(key: Part.Key) -> Part? {
        guard let parts = chunk(of: key).map({ chunks[$0].parts }) else { return nil }
        let place = Self.place(of: key, in: parts)
        return place.isTaken ? parts[place.offset] : nil
    }

    /// Adds a part whose key is not there.
    mutating func insert(_ part: Part) {
        insert(part, at: place(of: part.key))
    }

    /// Takes the part of a key out; nil if there is none.
    mutating func remove(_ key: Part.Key) -> Part? {
        let place = place(of: key)
        guard place.isTaken else { return nil }
        let part = chunks[place.chunk].change { $0.remove(at: place.offset) }
        if chunks[place.chunk].count == 0 { chunks.remove(at: place.chunk) }
        return part
    }

    /// Changes the part of a key, in its place.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - blank: Makes it if it is not there.
    ///   - change: Changes anything but its key.
    /// - Returns: What `change` gives.
    mutating func change<Result>(
        _ key: Part.Key, blank: () -> Part, _ change: (inout Part) -> Result
    ) -> Result {
        var place = place(of: key)
        if !place.isTaken {
            insert(blank(), at: place)
            // The chunk may have been divided.
            place = self.place(of: key)
        }
        return chunks[place.chunk].change { change(&$0[place.offset]) }
    }

    // MARK: - Places

    private struct Place {
        var chunk: Int
        var offset: Int
        var isTaken: Bool
    }

    /// The last chunk that begins at or before the key, or the first of all; nil if there is none.
    private func chunk(of key: Part.Key) -> Int? {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if chunks[middle].firstKey <= key { low = middle + 1 } else { high = middle }
        }
        return chunks.isEmpty ? nil : max(low - 1, 0)
    }

    /// Where a key stands or would stand in a chunk.
    private static func place(
        of key: Part.Key, in parts: [Part]
    ) -> (offset: Int, isTaken: Bool) {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return (low, low < parts.count && parts[low].key == key)
    }

    /// Where a key stands or would stand; the chunk is at hand then, to be changed.
    private mutating func place(of key: Part.Key) -> Place {
        guard let chunk = chunk(of: key) else { return Place(chunk: 0, offset: 0, isTaken: false) }
        let (offset, isTaken) = chunks[chunk].change { Self.place(of: key, in: $0) }
        return Place(chunk: chunk, offset: offset, isTaken: isTaken)
    }

    private mutating func insert(_ part: Part, at place: Place) {
        guard !chunks.isEmpty else {
            chunks = [PartChunk([part])]
            return
        }
        guard chunks[place.chunk].count == Self.chunkLimit else {
            chunks[place.chunk].change { $0.insert(part, at: place.offset) }
            return
        }
        // A chunk that is full stays so if the next part follows it, as nearly all do.
        let kept = place.offset == Self.chunkLimit ? Self.chunkLimit : Self.chunkLimit / 2
        var rest = chunks[place.chunk].change { parts -> [Part] in
            defer { parts.removeLast(parts.count - kept) }
            return Array(parts[kept...])
        }
        if place.offset >= kept {
            rest.insert(part, at: place.offset - kept)
        } else {
            chunks[place.chunk].change { $0.insert(part, at: place.offset) }
        }
        chunks.insert(PartChunk(rest), at: place.chunk + 1)
    }
}

extension OrderedParts: StatePart {
    /// In a snapshot a list of chunks; else of parts, as if there were none.
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        let keys: [Part.Key]
        if coder.isInChunks {
            try coder(&chunks)
            keys = chunks.map { $0.firstKey }
        } else if coder.isReading {
            var parts: [Part] = []
            try coder(&parts)
            self = OrderedParts(parts)
            keys = parts.map { $0.key }
        } else {
            _ = try coder.count(count)
            for chunk in chunks { coder.write(chunk.bytes) }
            return
        }
        try coder.require(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
    }
}

extension OrderedParts: Hashable {
    static func == (left: OrderedParts, right: OrderedParts) -> Bool {
        left.count == right.count && left.all == right.all
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(all)
    }
}
