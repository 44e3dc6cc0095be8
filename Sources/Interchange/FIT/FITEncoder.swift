internal import Events

/// Writes the messages of a FIT file, little-endian.
///
/// A message has the fields that it is given, and no others: what is nil is not in it. Its
/// definition is written before it, unless it is one of the sixteen that stand.
struct FITEncoder {
    /// The fields of a message that are FIT's own, or that are ours.
    private struct Part {
        var definition: [UInt8] = []
        var content: [UInt8] = []

        mutating func empty() {
            definition.removeAll(keepingCapacity: true)
            content.removeAll(keepingCapacity: true)
        }

        mutating func define(_ field: FITField, bytes size: Int, _ type: UInt8) {
            definition.append(field.number)
            definition.append(UInt8(size))
            definition.append(type)
        }
    }

    private var bytes = [UInt8](repeating: 0, count: 14)
    /// The definitions that stand, by local type.
    private var definitions: [[UInt8]] = []
    private var replaced = 0
    /// The message under way.
    private var standard = Part()
    private var own = Part()

    /// Writes a message.
    ///
    /// - Parameters:
    ///   - number: Its global number.
    ///   - fill: Puts its fields in.
    mutating func write(_ number: UInt16, _ fill: (inout FITEncoder) -> Void) {
        standard.empty()
        own.empty()
        fill(&self)
        let count = UInt8(standard.definition.count / 3)
        var definition = [0, 0, UInt8(truncatingIfNeeded: number), UInt8(number >> 8), count]
        definition += standard.definition
        if !own.definition.isEmpty {
            definition.append(UInt8(own.definition.count / 3))
            definition += own.definition
        }
        bytes.append(localType(of: definition))
        bytes += standard.content
        bytes += own.content
    }

    /// The local type of a definition, which is written if it does not stand.
    private mutating func localType(of definition: [UInt8]) -> UInt8 {
        if let index = definitions.firstIndex(of: definition) { return UInt8(index) }
        let index = definitions.count < 16 ? definitions.count : replaced
        if index == definitions.count {
            definitions.append(definition)
        } else {
            definitions[index] = definition
            replaced = (replaced + 1) % 16
        }
        bytes.append(UInt8(index) | (own.definition.isEmpty ? 0x40 : 0x60))
        bytes += definition
        return UInt8(index)
    }

    /// Puts as many numbers in as it is told; of ours the type is known.
    private mutating func put(
        _ field: FITField, _ type: FITBaseType, count: Int, _ number: (Int, FITBaseType) -> Int64
    ) {
        if let type = field.ownType {
            own.define(field, bytes: type.size * count, 0)
            for index in 0..<count { Self.append(number(index, type), type, to: &own.content) }
        } else {
            standard.define(field, bytes: type.size * count, type.rawValue)
            for index in 0..<count { Self.append(number(index, type), type, to: &standard.content) }
        }
    }

    /// Puts a number of our own in.
    mutating func put(_ field: FITField, _ value: (some BinaryInteger)?) {
        put(field, .uint32, value)
    }

    /// Puts a number in, or the nearest one that its type can say.
    mutating func put(_ field: FITField, _ type: FITBaseType, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        put(field, type, count: 1) { $1.clamp(Int64(clamping: value)) }
    }

    /// Puts as many numbers in as it is given, and none in place of those that are missing.
    mutating func put(_ field: FITField, _ type: FITBaseType, _ values: [UInt16], count: Int) {
        put(field, type, count: count) { index, type in
            index < values.count ? Int64(values[index]) : Int64(clamping: type.none)
        }
    }

    /// Puts bytes in, 255 at most.
    mutating func put(_ field: FITField, _ type: FITBaseType, _ bytes: [UInt8]) {
        put(field, type, count: bytes.count) { index, _ in Int64(bytes[index]) }
    }

    /// Puts a text in, cut to 254 bytes.
    mutating func put(_ field: FITField, text: String?) {
        if let text { put(field, .string, text.fitting(254).utf8 + [0]) }
    }

    private static func append(_ number: Int64, _ type: FITBaseType, to bytes: inout [UInt8]) {
        var bits = UInt64(bitPattern: number)
        for _ in 0..<type.size {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
        }
    }

    /// The file, with its header and its checksum.
    consuming func finish() -> [UInt8] {
        var header: [UInt8] = [14, 0x20]
        Self.append(21_00, .uint16, to: &header)
        Self.append(Int64(bytes.count - 14), .uint32, to: &header)
        header += ".FIT".utf8
        Self.append(Int64(Self.checksum(header[...])), .uint16, to: &header)
        bytes.replaceSubrange(..<14, with: header)
        Self.append(Int64(Self.checksum(bytes[...])), .uint16, to: &bytes)
        return bytes
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        var sum = FITChecksum()
        sum.add(bytes.span)
        return sum.value
    }
}
