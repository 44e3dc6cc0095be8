/// A part of a state that is one of many, each with another key.
protocol OrderedPart: StatePart, Hashable, Sendable {
    associatedtype Key: Comparable & Sendable & StatePart
    /// Which one of them it is; it never changes.
    var key: Key { get }
}

/// Parts in the order of their keys.
///
/// They are in chunks, so that a log whose every event makes a part costs no more when it names
/// the keys backwards: an insertion moves the parts of one chunk only. All chunks but some that
/// were changed last are packed, so that what is over takes as little memory as in a snapshot. How
/// they are distributed is not part of the value.
struct OrderedParts<Part: OrderedPart>: Sendable {
    /// The most parts of a chunk.
    static var chunkLimit: Int { 32 }

    private(set) var chunks: [PartChunk<Part>] = []
    /// How many chunks have come to hand since all others were packed.
    private var atHand = 0
    private static var atHandLimit: Int { 64 }

    /// Makes an empty collection.
    init() {}

    /// Takes parts that are in order.
    init(_ parts: [Part]) {
        for start in stride(from: 0, to: parts.count, by: Self.chunkLimit) {
            append(PartChunk(Array(parts[start..<min(start + Self.chunkLimit, parts.count)])))
        }
    }

    private mutating func append(_ chunk: PartChunk<Part>) {
        chunks.append(chunk)
        takeInHand(chunks.count - 1)
    }

    /// Packs the others once there are many, before or after a chunk comes to hand.
    private mutating func takeInHand(_ chunk: Int) {
        atHand += 1
        defer { assert(atHand <= Self.atHandLimit, "All chunks but a few are packed.") }
        guard atHand > Self.atHandLimit else { return }
        for index in chunks.indices where index != chunk { chunks[index].pack() }
        atHand = 1
    }

    /// Packs all chunks.
    mutating func pack() {
        for index in chunks.indices { chunks[index].pack() }
        atHand = 0
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

    /// Where a key is or would be in a chunk.
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

    /// Where a key is or would be; its chunk is unpacked, ready to be changed.
    private mutating func place(of key: Part.Key) -> Place {
        guard let chunk = chunk(of: key) else { return Place(chunk: 0, offset: 0, isTaken: false) }
        if chunks[chunk].isPacked { takeInHand(chunk) }
        let (offset, isTaken) = chunks[chunk].change { Self.place(of: key, in: $0) }
        return Place(chunk: chunk, offset: offset, isTaken: isTaken)
    }

    private mutating func insert(_ part: Part, at place: Place) {
        guard !chunks.isEmpty else { return append(PartChunk([part])) }
        guard chunks[place.chunk].count == Self.chunkLimit else {
            chunks[place.chunk].change { $0.insert(part, at: place.offset) }
            return
        }
        // A chunk that is full stays so if the next part follows it, as nearly all do.
        if place.offset == Self.chunkLimit, place.chunk == chunks.count - 1 {
            return append(PartChunk([part]))
        }
        let kept = Self.chunkLimit / 2
        var rest = chunks[place.chunk].change { parts -> [Part] in
            defer { parts.removeLast(parts.count - kept) }
            return Array(parts[kept...])
        }
        if place.offset >= kept {
            rest.insert(part, at: place.offset - kept)
        } else {
            chunks[place.chunk].change { $0.insert(part, at: place.offset) }
        }
        var next = PartChunk(rest)
        next.pack()
        chunks.insert(next, at: place.chunk + 1)
        assert(chunks[place.chunk].count + next.count == Self.chunkLimit + 1, "A part is missing.")
        assert(chunks[place.chunk].firstKey < next.firstKey, "Keys ascend.")
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
            for chunk in chunks {
                coder.write(chunk.bytes)
                coder.flush()
            }
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
