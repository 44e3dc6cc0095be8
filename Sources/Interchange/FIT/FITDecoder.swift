internal import Events

/// A message of a FIT file.
struct FITMessage {
    let definition: FITDefinition
    /// The message, with the byte of its header.
    let bytes: [UInt8]
    /// When, in FIT's seconds; nil if it does not say.
    fileprivate(set) var timestamp: Int64?

    /// The first number of a field; nil if it is not there or none.
    func number(_ field: FITField) -> Int64? {
        definition.place(of: field).flatMap { number(in: $0, at: 0) }
    }

    /// The first number of a field that is none below 0; nil if it is, is not there, or none.
    func amount(_ field: FITField) -> UInt64? { number(field).flatMap { UInt64(exactly: $0) } }

    /// The numbers of a field, without those that are none; nil if it is not there.
    func numbers(_ field: FITField) -> [Int64]? {
        definition.place(of: field).map { place in
            (0..<place.size / (place.type?.size ?? 1)).compactMap { number(in: place, at: $0) }
        }
    }

    /// The bytes of a field; empty if it is not there.
    func bytes(of field: FITField) -> ArraySlice<UInt8> {
        definition.place(of: field).map { bytes[$0.offset..<$0.offset + $0.size] } ?? []
    }

    /// The text of a field; nil if it is empty.
    func text(_ field: FITField) -> String? {
        guard let place = definition.place(of: field) else { return nil }
        let text = bytes[place.offset..<place.offset + place.size].prefix { $0 != 0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    private func number(in place: FITDefinition.Place, at index: Int) -> Int64? {
        guard let type = place.type, place.size >= type.size * (index + 1) else { return nil }
        let start = place.offset + type.size * index
        var bits: UInt64 = 0
        for byte in 0..<type.size {
            let next = definition.isBigEndian ? start + byte : start + type.size - 1 - byte
            bits = bits << 8 | UInt64(bytes[next])
        }
        return type.number(bits)
    }
}

/// How a message is laid out.
struct FITDefinition {
    /// Where in the message a field stands.
    struct Place {
        /// Whose field it is; nil for a developer field of another program.
        let field: FITField?
        /// How it is stored; nil if that is not known, or does not fit: then it has no value.
        let type: FITBaseType?
        let size: Int
        let offset: Int
    }

    /// The global number of its messages.
    let message: UInt16
    let isBigEndian: Bool
    let places: [Place]
    /// How long a message is, with the byte of its header.
    let size: Int
    /// How many developer fields of other programs it has.
    let foreign: UInt64

    func place(of field: FITField) -> Place? { places.first { $0.field == field } }

    /// Takes a definition message, which is whole.
    ///
    /// - Parameters:
    ///   - unit: The message.
    ///   - developer: The index under which the file has our fields; nil if it has none.
    init(_ unit: [UInt8], developer: UInt8?) {
        isBigEndian = unit[2] == 1
        message = UInt16(unit[isBigEndian ? 3 : 4]) << 8 | UInt16(unit[isBigEndian ? 4 : 3])
        var (places, size): ([Place], Int) = ([], 1)
        let count = Int(unit[5])
        for index in 0..<count + (unit.count > 6 + 3 * count ? Int(unit[6 + 3 * count]) : 0) {
            let isStandard = index < count
            let start = 6 + 3 * index + (isStandard ? 0 : 1)
            let (number, length, kind) = (unit[start], Int(unit[start + 1]), unit[start + 2])
            // A field without bytes has no value.
            guard length > 0 else { continue }
            let field =
                isStandard
                ? FITField(integerLiteral: number)
                : kind == developer ? FITField(own: number) : nil
            let type = isStandard ? FITBaseType(definition: kind) : field?.ownType
            // Some watches have fields of four bytes that are one byte long.
            let fits = length % (type?.size ?? 1) == 0
            places.append(
                Place(field: field, type: fits ? type : nil, size: length, offset: size))
            size += length
        }
        (self.places, self.size) = (places, size)
        foreign = UInt64(places.count { $0.field == nil })
    }
}

/// Takes FIT files apart, one after another in the same bytes, piece by piece.
///
/// It holds the message that is under way, 130 kB at most, and sixteen definitions.
struct FITDecoder {
    /// What a byte brought to its end.
    enum Part {
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
    /// Whether the header was never told how long they are: they go on to the end.
    private var isUnfinished = false
    private var count: UInt64 = 0
    private var sum = FITChecksum()
    private var definitions = [FITDefinition?](repeating: nil, count: 16)
    /// The last time that a message gave.
    private var timestamp: Int64?
    /// The index under which the file has our fields; nil if it has none.
    private(set) var developer: UInt8?

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
            ? "The FIT file is empty."
            : "The FIT file \(isUnfinished ? "was never finished" : "is cut off") at byte \(count)."
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
        (timestamp, developer, isUnfinished) = (nil, nil, rest == 0)
        return endOfMessage(nil)
    }

    private mutating func takeMessage() -> Part? {
        let header = unit[0]
        if header & 0xC0 == 0x40 {
            needed = definitionLength
            guard unit.count == needed else { return nil }
            guard unit[2] <= 1 else {
                damage = "A definition of the FIT file has no byte order, at byte \(count)."
                return nil
            }
            definitions[Int(header & 0x0F)] = FITDefinition(unit, developer: developer)
            return endOfMessage(nil)
        }
        let local = header & 0x80 != 0 ? header >> 5 & 3 : header & 0x0F
        guard let definition = definitions[Int(local)] else {
            damage = "A message of the FIT file has no definition, at byte \(count)."
            return nil
        }
        needed = definition.size
        guard unit.count == needed else { return nil }
        var message = FITMessage(definition: definition, bytes: unit)
        message.timestamp =
            header & 0x80 != 0
            ? timestamp.map { $0 + ((Int64(header & 0x1F) - $0) & 0x1F) }
            : message.number(FITMessageNumber.timestamp)
        timestamp = message.timestamp ?? timestamp
        if definition.message == FITMessageNumber.developerDataID,
            message.numbers(1) == FITField.applicationID.map(Int64.init)
        {
            developer = message.number(3).map { UInt8(truncatingIfNeeded: $0) }
        }
        return endOfMessage(message)
    }

    /// How long the definition under way is, as far as it is known.
    private var definitionLength: Int {
        guard unit.count >= 6 else { return 6 }
        let length = 6 + 3 * Int(unit[5])
        guard unit[0] & 0x20 != 0 else { return length }
        return unit.count > length ? length + 1 + 3 * Int(unit[length]) : length + 1
    }

    /// Goes on after a message or a definition.
    private mutating func endOfMessage(_ message: FITMessage?) -> Part? {
        if rest > 0 { begin(.messages, 1) } else { begin(.checksum, 2) }
        return message.map { .message($0) }
    }

    private mutating func takeChecksum() -> Part? {
        guard sum.value == 0 else {
            // What is no checksum is where the first message begins.
            if isUnfinished {
                (place, rest) = (.messages, .max)
                return takeMessage()
            }
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
