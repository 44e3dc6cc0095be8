internal import Events

/// Writes the messages of a FIT file, little-endian.
///
/// A message has the fields that it is given, and no others: what is nil is not in it. Its
/// definition is written before it, unless it is one of the sixteen that stand.
struct FITEncoder {
    private var bytes = [UInt8](repeating: 0, count: 14)
    /// The definitions that stand, by local type.
    private var definitions: [[UInt8]] = []
    private var replaced = 0

    /// The definition of the message under way, but for the developer fields.
    private var definition: [UInt8] = []
    private var developerFields: [UInt8] = []
    private var content: [UInt8] = []
    private var developerContent: [UInt8] = []

    /// Writes a message.
    ///
    /// - Parameters:
    ///   - number: Its global number.
    ///   - fill: Puts its fields in.
    mutating func write(_ number: UInt16, _ fill: (inout FITEncoder) -> Void) {
        definition.removeAll(keepingCapacity: true)
        definition += [0, 0, UInt8(truncatingIfNeeded: number), UInt8(number >> 8), 0]
        developerFields.removeAll(keepingCapacity: true)
        content.removeAll(keepingCapacity: true)
        developerContent.removeAll(keepingCapacity: true)
        fill(&self)
        bytes.append(localType())
        bytes += content
        bytes += developerContent
    }

    /// The local type of the message's definition, which is written if it does not stand.
    private mutating func localType() -> UInt8 {
        definition[4] = UInt8((definition.count - 5) / 3)
        if !developerFields.isEmpty {
            definition.append(UInt8(developerFields.count / 3))
            definition += developerFields
        }
        if let index = definitions.firstIndex(of: definition) { return UInt8(index) }
        let index = definitions.count < 16 ? definitions.count : replaced
        if index == definitions.count {
            definitions.append(definition)
        } else {
            definitions[index] = definition
            replaced = (replaced + 1) % 16
        }
        bytes.append(UInt8(index) | (developerFields.isEmpty ? 0x40 : 0x60))
        bytes += definition
        return UInt8(index)
    }

    /// Says that a field comes next.
    private mutating func define(_ field: UInt8, bytes size: Int, _ type: FITBaseType) {
        definition.append(field)
        definition.append(UInt8(size))
        definition.append(type.rawValue)
    }

    /// Says that a field of our own comes next.
    private mutating func define(_ field: FITOwnField, bytes size: Int) {
        developerFields.append(field.rawValue)
        developerFields.append(UInt8(size))
        developerFields.append(0)
    }

    /// Puts a number in, or the nearest one that its type can say.
    mutating func put(
        _ field: UInt8, _ type: FITBaseType = .uint32, _ value: (some BinaryInteger)?
    ) {
        guard let value else { return }
        define(field, bytes: type.size, type)
        Self.append(type.clamp(Int64(clamping: value)), type, to: &content)
    }

    /// Puts as many numbers in as it is given, and none in place of those that are missing.
    mutating func put(_ field: UInt8, _ type: FITBaseType, _ values: [UInt16], count: Int) {
        define(field, bytes: type.size * count, type)
        Self.append(values, type, count: count, to: &content)
    }

    /// Puts bytes in, 255 at most.
    mutating func put(_ field: UInt8, _ bytes: [UInt8]) {
        define(field, bytes: bytes.count, .byte)
        content += bytes
    }

    /// Puts a text in, cut to 254 bytes.
    mutating func put(_ field: UInt8, _ text: String?) {
        guard let text = text?.fitting(254) else { return }
        define(field, bytes: text.utf8.count + 1, .string)
        content += text.utf8
        content.append(0)
    }

    /// Puts a number of our own in.
    mutating func put(_ field: FITOwnField, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        define(field, bytes: field.type.size)
        Self.append(field.type.clamp(Int64(clamping: value)), field.type, to: &developerContent)
    }

    /// Puts numbers of our own in, as above.
    mutating func put(_ field: FITOwnField, _ values: [UInt16], count: Int) {
        define(field, bytes: field.type.size * count)
        Self.append(values, field.type, count: count, to: &developerContent)
    }

    /// Puts a text of our own in, cut to 254 bytes.
    mutating func put(_ field: FITOwnField, text: String) {
        let text = text.fitting(254)
        define(field, bytes: text.utf8.count + 1)
        developerContent += text.utf8
        developerContent.append(0)
    }

    private static func append(_ number: Int64, _ type: FITBaseType, to bytes: inout [UInt8]) {
        var bits = UInt64(bitPattern: number)
        for _ in 0..<type.size {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
        }
    }

    private static func append(
        _ values: [UInt16], _ type: FITBaseType, count: Int, to bytes: inout [UInt8]
    ) {
        for index in 0..<count {
            let value = index < values.count ? Int64(values[index]) : Int64(clamping: type.none)
            append(value, type, to: &bytes)
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
