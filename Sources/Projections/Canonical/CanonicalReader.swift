import Events

/// Bytes that no state of this version has: a snapshot that cannot be used.
///
/// Nothing is lost by it. Fold the log from its beginning, and write a new snapshot.
public struct DamagedState: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where reading stopped.
    public let offset: Int

    /// What happened and what to do.
    public var description: String {
        "The snapshot is damaged at byte \(offset); the log is folded from its beginning instead."
    }
}

/// Reads what ``CanonicalWriter`` wrote, strictly.
struct CanonicalReader: StateCoder {
    private let bytes: [UInt8]
    private let end: Int
    private var offset: Int
    /// Whether ordered parts stand in chunks.
    private let isInChunks: Bool

    /// Reads all of some bytes.
    init(_ bytes: [UInt8], inChunks isInChunks: Bool = false) {
        (self.bytes, offset, end, self.isInChunks) = (bytes, 0, bytes.count, isInChunks)
    }

    /// Reads the bytes of a chunk.
    init(_ saved: SavedBytes) {
        (bytes, offset, end) = (saved.bytes, saved.range.lowerBound, saved.range.upperBound)
        isInChunks = false
    }

    /// Ends the reading; nothing may be left over.
    func finish() throws(DamagedState) {
        guard offset == end else { throw damage }
    }

    private var damage: DamagedState { DamagedState(offset: offset) }

    private mutating func varint() throws(DamagedState) -> UInt64 {
        var next = offset
        guard let value = bytes.span.varint(at: &next), next <= end else { throw damage }
        offset = next
        return value
    }

    mutating func unsigned<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: inout Number
    ) throws(DamagedState) {
        let number = try varint()
        // No number of a state is greater, which is why sums of them cannot overflow.
        guard number <= greatestSum, let exact = Number(exactly: number) else {
            throw damage
        }
        value = exact
    }

    mutating func signed(_ value: inout Int64) throws(DamagedState) {
        value = unzigzag(try varint())
        guard value.magnitude <= 2 * greatestSum else { throw damage }
    }

    mutating func flag(_ value: inout Bool) throws(DamagedState) {
        let byte = try varint()
        guard byte <= 1 else { throw damage }
        value = byte == 1
    }

    mutating func text(_ value: inout String) throws(DamagedState) {
        let count = try count()
        let slice = bytes[offset..<offset + count]
        guard let text = String(validating: slice, as: UTF8.self) else { throw damage }
        offset += count
        value = text
    }

    mutating func optional<Value>(
        _ value: inout Value?, blank: Value,
        _ code: (inout CanonicalReader, inout Value) throws(DamagedState) -> Void
    ) throws(DamagedState) {
        var isPresent = false
        try flag(&isPresent)
        value = nil
        guard isPresent else { return }
        var present = blank
        try code(&self, &present)
        value = present
    }

    mutating func list<Element>(
        _ elements: inout [Element], blank: Element,
        _ code: (inout CanonicalReader, inout Element) throws(DamagedState) -> Void
    ) throws(DamagedState) {
        elements = []
        for _ in 0..<(try count()) {
            var element = blank
            try code(&self, &element)
            elements.append(element)
        }
    }

    /// The number of things that follow, each of which takes a byte at least.
    private mutating func count() throws(DamagedState) -> Int {
        let count = try varint()
        guard count <= UInt64(end - offset) else { throw damage }
        return Int(count)
    }

    mutating func list<Part: OrderedPart>(
        _ parts: inout OrderedParts<Part>
    ) throws(DamagedState) {
        guard isInChunks else {
            var all: [Part] = []
            try self.parts(&all, count: try count())
            parts = OrderedParts(all)
            return
        }
        var chunks: [PartChunk<Part>] = []
        for _ in 0..<(try count()) {
            let (count, length) = (try count(), try count())
            try require(count > 0)
            let saved = SavedBytes(bytes: bytes, range: offset..<offset + length)
            let chunk = try PartChunk<Part>(saved, count: count)
            if let last = chunks.last { try require(last.firstKey < chunk.firstKey) }
            chunks.append(chunk)
            offset += length
        }
        parts = OrderedParts(chunks: chunks)
    }

    /// Reads parts that follow each other.
    mutating func parts<Part: OrderedPart>(
        _ parts: inout [Part], count: Int
    ) throws(DamagedState) {
        parts.reserveCapacity(min(count, OrderedParts<Part>.chunkLimit))
        for _ in 0..<count {
            var part = Part.blank
            try part.code(&self)
            parts.append(part)
        }
    }

    mutating func require(_ condition: Bool) throws(DamagedState) {
        guard condition else { throw damage }
    }
}
