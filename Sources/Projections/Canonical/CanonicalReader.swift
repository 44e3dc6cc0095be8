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
    private var offset = 0

    init(_ bytes: Span<UInt8>) {
        self.bytes = [UInt8](copying: bytes)
    }

    /// Ends the reading; nothing may be left over.
    func finish() throws(DamagedState) {
        guard offset == bytes.count else { throw damage }
    }

    private var damage: DamagedState { DamagedState(offset: offset) }

    private mutating func varint() throws(DamagedState) -> UInt64 {
        var next = offset
        guard let value = bytes.span.varint(at: &next) else { throw damage }
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
        let count = try varint()
        guard count <= UInt64(bytes.count - offset) else { throw damage }
        let slice = bytes[offset..<offset + Int(count)]
        guard let text = String(validating: slice, as: UTF8.self) else { throw damage }
        offset += Int(count)
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
        let count = try varint()
        // Every element takes a byte at least.
        guard count <= UInt64(bytes.count - offset) else { throw damage }
        elements = []
        for _ in 0..<count {
            var element = blank
            try code(&self, &element)
            elements.append(element)
        }
    }

    mutating func require(_ condition: Bool) throws(DamagedState) {
        guard condition else { throw damage }
    }
}
