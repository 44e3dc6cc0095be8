/// A part of a state that is one of many, each with another key.
protocol OrderedPart: StatePart, Hashable, Sendable {
    associatedtype Key: Comparable
    /// Which one of them it is; it never changes.
    var key: Key { get }
}

/// Parts in the order of their keys.
///
/// They stand in chunks, so that a log whose every event makes a part costs no more when it names
/// the keys backwards: an insertion moves the parts of one chunk only. How they are distributed is
/// no part of the value.
struct OrderedParts<Part: OrderedPart>: Sendable {
    /// The most parts of a chunk.
    static var chunkLimit: Int { 128 }

    /// None is empty.
    private(set) var chunks: [[Part]] = []

    /// Makes an empty collection.
    init() {}

    /// Takes parts that are in order.
    init(_ parts: [Part]) {
        chunks = stride(from: 0, to: parts.count, by: Self.chunkLimit).map {
            Array(parts[$0..<min($0 + Self.chunkLimit, parts.count)])
        }
    }

    /// All parts, in order.
    var all: [Part] { Array(chunks.joined()) }

    /// The part of a key, or nil.
    subscript(key: Part.Key) -> Part? {
        let place = place(of: key)
        return place.isTaken ? chunks[place.chunk][place.offset] : nil
    }

    /// Adds a part whose key is not there.
    mutating func insert(_ part: Part) {
        insert(part, at: place(of: part.key))
    }

    /// Takes the part of a key out; nil if there is none.
    mutating func remove(_ key: Part.Key) -> Part? {
        let place = place(of: key)
        guard place.isTaken else { return nil }
        let part = chunks[place.chunk].remove(at: place.offset)
        if chunks[place.chunk].isEmpty { chunks.remove(at: place.chunk) }
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
        return change(&chunks[place.chunk][place.offset])
    }

    // MARK: - Places

    private struct Place {
        var chunk: Int
        var offset: Int
        var isTaken: Bool
    }

    /// Where a key stands or would stand.
    private func place(of key: Part.Key) -> Place {
        // The last chunk that begins at or before the key, or the first of all.
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if chunks[middle][0].key <= key { low = middle + 1 } else { high = middle }
        }
        let chunk = max(low - 1, 0)
        guard chunk < chunks.count else { return Place(chunk: 0, offset: 0, isTaken: false) }
        (low, high) = (0, chunks[chunk].count)
        while low < high {
            let middle = (low + high) / 2
            if chunks[chunk][middle].key < key { low = middle + 1 } else { high = middle }
        }
        let isTaken = low < chunks[chunk].count && chunks[chunk][low].key == key
        return Place(chunk: chunk, offset: low, isTaken: isTaken)
    }

    private mutating func insert(_ part: Part, at place: Place) {
        guard !chunks.isEmpty else {
            chunks = [[part]]
            return
        }
        chunks[place.chunk].insert(part, at: place.offset)
        let count = chunks[place.chunk].count
        guard count > Self.chunkLimit else { return }
        let rest = Array(chunks[place.chunk][(count / 2)...])
        chunks[place.chunk].removeLast(rest.count)
        chunks.insert(rest, at: place.chunk + 1)
    }
}

extension OrderedParts: Hashable {
    static func == (left: OrderedParts, right: OrderedParts) -> Bool {
        left.chunks.joined().elementsEqual(right.chunks.joined())
    }

    func hash(into hasher: inout Hasher) {
        for part in chunks.joined() { hasher.combine(part) }
    }
}

extension StateCoder {
    /// A list of parts in the order of their keys.
    mutating func list<Part: OrderedPart>(
        _ parts: inout OrderedParts<Part>, blank: Part
    ) throws(DamagedState) {
        var all = parts.all
        try list(&all, blank: blank)
        parts = OrderedParts(all)
    }
}
