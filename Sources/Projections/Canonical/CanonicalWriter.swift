import Events

/// Writes a state's fields, one after the other, so that equal states are equal bytes.
public struct CanonicalWriter: StateCoder, Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []
    /// Whether ordered parts stand in chunks: that is a snapshot's form, and not canonical.
    private let isInChunks: Bool

    /// Makes an empty writer.
    public init() {
        isInChunks = false
    }

    /// Makes an empty writer of snapshots.
    init(inChunks isInChunks: Bool) {
        self.isInChunks = isInChunks
    }

    mutating func unsigned<Number: FixedWidthInteger & UnsignedInteger>(_ value: inout Number) {
        bytes.appendVarint(UInt64(truncatingIfNeeded: value))
    }

    mutating func signed(_ value: inout Int64) {
        bytes.appendVarint(zigzag(value))
    }

    mutating func flag(_ value: inout Bool) {
        bytes.append(value ? 1 : 0)
    }

    mutating func text(_ value: inout String) {
        bytes.appendVarint(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    mutating func optional<Value>(
        _ value: inout Value?, blank: Value,
        _ code: (inout CanonicalWriter, inout Value) throws(DamagedState) -> Void
    ) throws(DamagedState) {
        guard var present = value else { return bytes.append(0) }
        bytes.append(1)
        try code(&self, &present)
    }

    mutating func list<Element>(
        _ elements: inout [Element], blank: Element,
        _ code: (inout CanonicalWriter, inout Element) throws(DamagedState) -> Void
    ) throws(DamagedState) {
        bytes.appendVarint(UInt64(elements.count))
        // Copies of the elements: changing them in place would copy the whole list.
        for var element in elements { try code(&self, &element) }
    }

    /// A chunk is its number of parts, its length in bytes, and the canonical bytes of its parts.
    mutating func list<Part: OrderedPart>(
        _ parts: inout OrderedParts<Part>
    ) throws(DamagedState) {
        bytes.appendVarint(UInt64(isInChunks ? parts.chunks.count : parts.count))
        for chunk in parts.chunks {
            let chunkBytes = Self.bytes(of: chunk)
            if isInChunks {
                bytes.appendVarint(UInt64(chunk.count))
                bytes.appendVarint(UInt64(chunkBytes.count))
            }
            bytes += chunkBytes
        }
    }

    private static func bytes(of chunk: PartChunk<some OrderedPart>) -> ArraySlice<UInt8> {
        if let saved = chunk.saved { return saved.bytes[saved.range] }
        var writer = CanonicalWriter()
        for part in chunk.parts { writer.write(part) }
        return writer.bytes[...]
    }

    mutating func require(_ condition: Bool) {}

    /// Writes a part of a state.
    mutating func write(_ part: some StatePart) {
        var copy = part
        do throws(DamagedState) {
            try copy.code(&self)
        } catch {
            preconditionFailure("only a reader refuses; some part throws by itself")
        }
    }
}
