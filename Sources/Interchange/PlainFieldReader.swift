internal import Events
internal import JSON

/// Reads the fields of an event from a line that stands exactly as an export writes it: these keys
/// in this order, no space, no escapes, no character beyond ASCII.
///
/// Such a line is read where it lies, byte by byte. Of any other this reader says only that it is
/// not plain, whatever the reason: then ``JSONFieldReader`` reads it, and finds the words if it is
/// wrong. So this one may refuse too much, and must never take what the other would not, or take it
/// otherwise.
struct PlainFieldReader: LineCoder {
    /// The text in which the lines stand.
    var text: [UInt8] = []
    /// Up to where it has been read.
    private(set) var offset = 0

    /// What comes before the next key.
    private var separator = UInt8(ascii: "{")
    private var names = CodeNames()
    /// Natures that were read lately; the next one takes the place after `lastNature`.
    private var natures: [EventNature] = []
    private var lastNature = 0

    /// How many natures are kept: a walk has few kinds of events at a time.
    private static let natureLimit = 4

    /// The line is not plain.
    private static var notPlain: FieldError { FieldError(.mismatch, field: "line") }

    /// Begins a line.
    mutating func begin(at start: Int) {
        offset = start
        separator = UInt8(ascii: "{")
    }

    /// Reads the part of the envelope that is the same for most events of a kind.
    mutating func readNature(into header: inout EventHeader) throws(FieldError) {
        for nature in natures where text.span.holds(nature.members.span, at: offset) {
            offset += nature.members.count
            nature.give(to: &header)
            return
        }
        let start = offset
        try header.codeNature(&self, flagsAsNumber: false)
        let nature = EventNature(of: header, members: Array(text[start..<offset]))
        if natures.count < Self.natureLimit {
            natures.append(nature)
        } else {
            lastNature = (lastNature + 1) % Self.natureLimit
            natures[lastNature] = nature
        }
    }

    /// Passes over the end of the line.
    mutating func end() throws(FieldError) {
        try pass(UInt8(ascii: "}"))
        try pass(UInt8(ascii: "\n"))
    }
}

// MARK: - Fields

extension PlainFieldReader {
    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {
        try key(name)
        value = try digits()
        guard range.contains(value) else { throw Self.notPlain }
    }

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        try key(name)
        let isNegative = take(UInt8(ascii: "-"))
        let magnitude = Int64(try digits())
        guard !isNegative || magnitude > 0 else { throw Self.notPlain }
        value = isNegative ? -magnitude : magnitude
        guard range.contains(value) else { throw Self.notPlain }
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {
        try key(name)
        value = takeWord("true")
        guard value || takeWord("false") else { throw Self.notPlain }
    }

    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        try key(name)
        let range = try quoted()
        guard range.count <= limit else { throw Self.notPlain }
        value = String(decoding: text[range], as: UTF8.self)
    }

    mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {
        try key(name)
        let range = try quoted()
        guard range.count <= 2 * limit, value.replace(withHexadecimal: text.span, range) else {
            throw Self.notPlain
        }
    }

    mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError) {
        try key(name)
        value = try code()
    }

    mutating func openCode<Code: CodedName>(
        _ name: StaticString, _ value: inout OpenCode<Code>
    ) throws(FieldError) {
        try key(name)
        guard offset < text.count, text[offset] != UInt8(ascii: "\"") else {
            value = OpenCode(try code())
            return
        }
        guard let byte = UInt8(exactly: try digits()) else { throw Self.notPlain }
        value = OpenCode(rawValue: byte)
    }

    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        try key(name)
        let range = try quoted()
        guard let device = DeviceID(text: text.span.extracting(range)) else {
            throw Self.notPlain
        }
        value = device
    }

    mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError) {
        try key(name)
        guard let date = CivilDate(String(decoding: text[try quoted()], as: UTF8.self)) else {
            throw Self.notPlain
        }
        value = date
    }

    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) throws(FieldError) {
        let (start, separator) = (offset, separator)
        try key(name)
        isPresent = !takeWord("null")
        // The key of a field that is there is read with it.
        if isPresent { (offset, self.separator) = (start, separator) }
    }

    mutating func kind(_ name: StaticString, _ kind: inout EventKind) throws(FieldError) {
        try key(name)
        let range = try quoted()
        guard let number = NameTable.kinds.number(of: text.span.extracting(range)) else {
            throw Self.notPlain
        }
        kind = EventKind(rawValue: number)
    }
}

// MARK: - Bytes

extension PlainFieldReader {
    private mutating func take(_ byte: UInt8) -> Bool {
        guard offset < text.count, text[offset] == byte else { return false }
        offset += 1
        return true
    }

    private mutating func pass(_ byte: UInt8) throws(FieldError) {
        guard take(byte) else { throw Self.notPlain }
    }

    /// Passes over a word if it comes next.
    private mutating func takeWord(_ word: StaticString) -> Bool {
        guard holds(word, at: offset) else { return false }
        offset += word.utf8CodeUnitCount
        return true
    }

    private func holds(_ word: StaticString, at start: Int) -> Bool {
        let text = text.span
        guard word.utf8CodeUnitCount <= text.count - start else { return false }
        return word.withUTF8Buffer { word in
            for index in word.indices where text[start &+ index] != word[index] { return false }
            return true
        }
    }

    /// Passes over what is between two fields, a key and its colon.
    private mutating func key(_ name: StaticString) throws(FieldError) {
        let end = offset + name.utf8CodeUnitCount + 4
        guard end <= text.count, text[offset] == separator,
            text[offset + 1] == UInt8(ascii: "\""), holds(name, at: offset + 2),
            text[end - 2] == UInt8(ascii: "\""), text[end - 1] == UInt8(ascii: ":")
        else { throw Self.notPlain }
        offset = end
        separator = UInt8(ascii: ",")
    }

    /// Reads a number below 2^53 or not much above.
    private mutating func digits() throws(FieldError) -> UInt64 {
        guard let (value, end) = text.span.digits(from: offset) else { throw Self.notPlain }
        offset = end
        return value
    }

    /// Passes over a string without escapes, of ASCII alone, and gives the place of its text.
    private mutating func quoted() throws(FieldError) -> Range<Int> {
        try pass(UInt8(ascii: "\""))
        guard let end = text.span.closingQuote(from: offset) else { throw Self.notPlain }
        defer { offset = end + 1 }
        return offset..<end
    }

    private mutating func code<Code: CodedName>() throws(FieldError) -> Code {
        let range = try quoted()
        let names = names.table(of: Code.self)
        let number = names.number(of: text.span.extracting(range))
        guard let code = number.flatMap(Code.init(rawValue:)) else { throw Self.notPlain }
        return code
    }
}

extension Span<UInt8> {
    /// Whether the bytes at an offset are those of another span.
    ///
    /// They are compared from the end, where natures of the same boot differ.
    fileprivate func holds(_ other: Span<UInt8>, at start: Int) -> Bool {
        guard other.count <= count - start else { return false }
        var index = other.count
        while index >= 8 {
            index -= 8
            guard word(at: start + index) == other.word(at: index) else { return false }
        }
        while index > 0 {
            index -= 1
            guard self[start + index] == other[index] else { return false }
        }
        return true
    }

    /// The number that begins at an offset, and where it ends: 1 to 16 decimal digits without a
    /// leading zero, what a number below 2^53 takes; nil for anything else.
    fileprivate func digits(from start: Int) -> (value: UInt64, end: Int)? {
        var value: UInt64 = 0
        var end = start
        while end < count, end - start <= 16 {
            let digit = self[end] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value &* 10 &+ UInt64(digit)
            end += 1
        }
        let length = end - start
        guard (1...16).contains(length), length == 1 || self[start] != UInt8(ascii: "0") else {
            return nil
        }
        return (value, end)
    }

    /// Where the string that begins at an offset ends; nil if it holds anything but ASCII that
    /// stands for itself.
    fileprivate func closingQuote(from start: Int) -> Int? {
        var end = start
        while end < count, self[end].isPlainInJSON { end += 1 }
        return end < count && self[end] == UInt8(ascii: "\"") ? end : nil
    }
}

extension [UInt8] {
    /// Takes the bytes that pairs of hexadecimal digits stand for in place of its own.
    ///
    /// - Returns: false if there is anything but such pairs.
    fileprivate mutating func replace(
        withHexadecimal text: Span<UInt8>, _ range: Range<Int>
    ) -> Bool {
        guard range.count % 2 == 0 else { return false }
        removeAll(keepingCapacity: true)
        reserveCapacity(range.count / 2)
        var index = range.lowerBound
        while index < range.upperBound {
            guard let high = text[index].hexadecimalValue,
                let low = text[index + 1].hexadecimalValue
            else { return false }
            append(high << 4 | low)
            index += 2
        }
        return true
    }
}
