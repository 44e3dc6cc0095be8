internal import Events

/// A message of a FIT file.
struct FITMessage {
    let definition: FITDefinition
    /// The message, with the byte of its header.
    let bytes: [UInt8]
    /// When, in FIT's seconds; nil if it does not say.
    let timestamp: Int64?

    /// The first number of a field; nil if it is not there or none.
    func number(_ field: UInt8) -> Int64? {
        definition.field(field, developer: nil).flatMap { number(in: $0, at: 0, $0.type) }
    }

    /// The first number of a field that is none below 0; nil if it is, is not there, or none.
    func amount(_ field: UInt8) -> UInt64? { number(field).flatMap { UInt64(exactly: $0) } }

    /// The same as ``number(_:)`` of a field of our own.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - developer: The index under which the file has our fields; nil if it has none.
    /// - Returns: The number, or nil.
    func number(_ field: FITOwnField, _ developer: UInt8?) -> Int64? {
        guard let developer, let place = definition.field(field.rawValue, developer: developer)
        else { return nil }
        return number(in: place, at: 0, field.type)
    }

    /// The numbers of a field, without those that are none.
    func numbers(_ field: UInt8) -> [Int64] {
        definition.field(field, developer: nil).map { numbers(in: $0, $0.type) } ?? []
    }

    /// The same of a field of our own; nil if it is not there.
    func numbers(_ field: FITOwnField, _ developer: UInt8?) -> [Int64]? {
        guard let developer else { return nil }
        return definition.field(field.rawValue, developer: developer)
            .map { numbers(in: $0, field.type) }
    }

    /// The text of a field; nil if it is empty.
    func text(_ field: UInt8) -> String? {
        definition.field(field, developer: nil).flatMap(text(in:))
    }

    /// The same of a field of our own.
    func text(_ field: FITOwnField, _ developer: UInt8?) -> String? {
        guard let developer else { return nil }
        return definition.field(field.rawValue, developer: developer).flatMap(text(in:))
    }

    private func text(in field: FITDefinition.Field) -> String? {
        let text = bytes[field.offset..<field.offset + field.size].prefix { $0 != 0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    private func numbers(in field: FITDefinition.Field, _ type: FITBaseType?) -> [Int64] {
        (0..<field.size / (type?.size ?? 1)).compactMap { number(in: field, at: $0, type) }
    }

    private func number(
        in field: FITDefinition.Field, at index: Int, _ type: FITBaseType?
    ) -> Int64? {
        guard let type, field.size >= type.size * (index + 1) else { return nil }
        let start = field.offset + type.size * index
        var bits: UInt64 = 0
        for place in 0..<type.size {
            let byte = bytes[definition.isBigEndian ? start + place : start + type.size - 1 - place]
            bits = bits << 8 | UInt64(byte)
        }
        return type.number(bits)
    }
}

/// How a message is laid out.
struct FITDefinition {
    /// A field, and where in the message it stands.
    struct Field {
        let number: UInt8
        /// The index of whose field it is; nil for FIT's own.
        let developer: UInt8?
        /// How it is stored; nil if that is not known, or does not fit: then it has no value.
        let type: FITBaseType?
        let size: Int
        let offset: Int
    }

    /// The global number of its messages.
    let message: UInt16
    let isBigEndian: Bool
    let fields: [Field]
    /// How long a message is, with the byte of its header.
    let size: Int

    func field(_ number: UInt8, developer: UInt8?) -> Field? {
        fields.first { $0.number == number && $0.developer == developer }
    }

    /// Takes a definition message, which is whole.
    init(_ unit: [UInt8]) {
        isBigEndian = unit[2] == 1
        message = UInt16(unit[isBigEndian ? 3 : 4]) << 8 | UInt16(unit[isBigEndian ? 4 : 3])
        var (fields, size): ([Field], Int) = ([], 1)
        let count = Int(unit[5])
        for index in 0..<count + (unit.count > 6 + 3 * count ? Int(unit[6 + 3 * count]) : 0) {
            let isOwn = index < count
            let start = 6 + 3 * index + (isOwn ? 0 : 1)
            let type = isOwn ? FITBaseType(definition: unit[start + 2]) : nil
            let length = Int(unit[start + 1])
            // A field without bytes has no value.
            guard length > 0 else { continue }
            fields.append(
                Field(
                    number: unit[start], developer: isOwn ? nil : unit[start + 2],
                    // Some watches have fields of four bytes that are one byte long.
                    type: length % (type?.size ?? 1) == 0 ? type : nil, size: length,
                    offset: size))
            size += length
        }
        (self.fields, self.size) = (fields, size)
    }
}

/// Takes FIT files apart, one after another in the same bytes, piece by piece.
///
/// It holds the message that is under way, 130 kB at most, and sixteen definitions.
struct FITDecoder {
    /// What a byte brought to its end.
    enum Part {
        case header
        case message(FITMessage)
        case end
    }

    private enum Place {
        case header
        case messages
        case checksum
    }

    /// Why nothing can be read any further; nil as long as the bytes are in order.
    private(set) var damage: String?

    private var place = Place.header
    private var unit: [UInt8] = []
    /// How long the unit under way is, as far as it is known.
    private var needed = 1
    /// What is to come of the messages.
    private var rest: UInt32 = 0
    private var count: UInt64 = 0
    private var sum = FITChecksum()
    private var definitions = [FITDefinition?](repeating: nil, count: 16)
    /// The last time that a message gave.
    private var timestamp: Int64?

    /// Whether a file begins like FIT: with a header of 12 or 14 bytes.
    static func recognizes(_ start: some RandomAccessCollection<UInt8>) -> Bool {
        start.count >= 12 && (start.first == 12 || start.first == 14)
            && start.dropFirst(8).prefix(4).elementsEqual(".FIT".utf8)
    }

    /// Takes the bytes from an index on, up to where it is to be seen what they are.
    mutating func take(_ bytes: Span<UInt8>, from index: inout Int) -> Part? {
        guard damage == nil else { return nil }
        var length = min(needed - unit.count, bytes.count - index)
        if place == .messages {
            length = min(length, Int(rest))
            rest -= UInt32(length)
        }
        let piece = bytes.extracting(index..<index + length)
        index += length
        count += UInt64(length)
        sum.add(piece)
        unit.append(copying: piece)
        if unit.count == needed, let part = complete() { return part }
        if place == .messages, rest == 0, damage == nil {
            damage = "A message of the FIT file is cut off at byte \(count)."
        }
        return nil
    }

    /// Says that no byte follows.
    mutating func finish() {
        guard damage == nil, place != .header || !unit.isEmpty || count == 0 else { return }
        damage =
            count == 0
            ? "The FIT file is empty." : "The FIT file is cut off at byte \(count)."
    }

    /// Takes a unit that is as long as is known so far; nil if it goes on, or is damaged.
    private mutating func complete() -> Part? {
        switch place {
        case .header: takeHeader()
        case .messages: takeMessage()
        case .checksum: takeChecksum()
        }
    }

    private mutating func begin(_ place: Place, _ needed: Int) {
        (self.place, self.needed) = (place, needed)
        unit.removeAll(keepingCapacity: unit.capacity < 1_024)
    }

    private mutating func takeHeader() -> Part? {
        if needed == 1, unit[0] == 12 || unit[0] == 14 {
            needed = Int(unit[0])
            return nil
        }
        guard Self.recognizes(unit) else {
            damage =
                count <= 14
                ? "This is not a FIT file." : "What follows at byte \(count) is not FIT."
            return nil
        }
        let hasChecksum = unit.count == 14 && (unit[12] | unit[13]) != 0
        guard !hasChecksum || sum.value == 0 else {
            damage = "The checksum of the FIT file's header does not hold, at byte \(count)."
            return nil
        }
        rest = (4..<8).reversed().reduce(0) { $0 << 8 | UInt32(unit[$1]) }
        definitions = Array(repeating: nil, count: 16)
        timestamp = nil
        if rest > 0 { begin(.messages, 1) } else { begin(.checksum, 2) }
        return .header
    }

    private mutating func takeMessage() -> Part? {
        let header = unit[0]
        if header & 0xC0 == 0x40 {
            if unit.count == 1 {
                needed = 6
                return nil
            }
            let length = 6 + 3 * Int(unit[5])
            let developer = length + 1
            if unit.count < length || header & 0x20 != 0 && unit.count < developer {
                needed = header & 0x20 != 0 ? developer : length
                return nil
            }
            if header & 0x20 != 0, unit.count < developer + 3 * Int(unit[length]) {
                needed = developer + 3 * Int(unit[length])
                return nil
            }
            guard unit[2] <= 1 else {
                damage = "A definition of the FIT file has no byte order, at byte \(count)."
                return nil
            }
            definitions[Int(header & 0x0F)] = FITDefinition(unit)
            return endOfMessage(nil)
        }
        let local = header & 0x80 != 0 ? header >> 5 & 3 : header & 0x0F
        guard let definition = definitions[Int(local)] else {
            damage = "A message of the FIT file has no definition, at byte \(count)."
            return nil
        }
        guard unit.count == definition.size else {
            needed = definition.size
            return nil
        }
        var message = FITMessage(definition: definition, bytes: unit, timestamp: nil)
        let told =
            header & 0x80 != 0
            ? timestamp.map { $0 + ((Int64(header & 0x1F) - $0) & 0x1F) }
            : message.number(FITMessageNumber.timestamp)
        if let told {
            timestamp = told
            message = FITMessage(definition: definition, bytes: unit, timestamp: told)
        }
        return endOfMessage(message)
    }

    /// Goes on after a message or a definition.
    private mutating func endOfMessage(_ message: FITMessage?) -> Part? {
        if rest > 0 { begin(.messages, 1) } else { begin(.checksum, 2) }
        return message.map { .message($0) }
    }

    private mutating func takeChecksum() -> Part? {
        guard sum.value == 0 else {
            damage =
                "The checksum of the FIT file at byte \(count) does not hold: what was read of it "
                + "may be wrong."
            return nil
        }
        begin(.header, 1)
        sum = FITChecksum()
        return .end
    }
}
