/// A value in a line of a log: of gatttool, bluetoothctl, a program that uses bleak, an app on a
/// phone, or of anything alike.
struct LoggedValue {
    /// What the value is of, if the line says.
    var type: AttributeType?
    /// The value's handle, if the line says.
    var handle: UInt16?
    /// When it came, if the line says.
    var time: TextTime?
    /// Whether the line begins with what looks like a time, and is not read.
    var hasUnreadableTime = false
    let bytes: [UInt8]
}

extension LoggedValue {
    /// What a line says of values.
    enum Line {
        case value(LoggedValue)
        /// It holds a value, which cannot be read.
        case unreadable
        case nothing
    }

    /// Reads a line.
    ///
    /// gatttool writes `Notification handle = 0x0010 value: 16 48`, bleak's examples the
    /// characteristic's UUID and `bytearray(b'\x16H')`, apps `… 2A37, value: (0x) 16-48`.
    static func read(_ line: String) -> Line {
        let text = line[...]
        if let start = text.pythonBytes {
            guard let value = ValueText(text[start...]) else { return .unreadable }
            return .value(LoggedValue(value.bytes, named: text[..<start]))
        }
        let lowercased = line.lowercased()
        guard lowercased.mayName else { return .nothing }
        for marker in markers {
            guard let found = lowercased.lastRange(of: marker) else { continue }
            // Both have the same characters, of ASCII as far as they are looked at.
            let place = lowercased.distance(from: lowercased.startIndex, to: found.upperBound)
            let end = lowercased.distance(from: lowercased.startIndex, to: found.lowerBound)
            guard place <= line.count else { continue }
            let name = text.prefix(end)
            let isNamed = Self.handle(in: name) != nil || AttributeType(naming: name) != nil
            let payload = text.dropFirst(place).payload
            guard isNamed, !payload.isEmpty else { continue }
            guard let value = ValueText(payload), !value.bytes.isEmpty else {
                // Text is shown of values as well: that is none to be missed.
                return marker.contains("value") && payload.first?.isHexDigit == true
                    ? .unreadable : .nothing
            }
            return .value(LoggedValue(value.bytes, named: name))
        }
        return .nothing
    }

    /// What comes before a value, the surest first.
    private static let markers = [
        "value: (0x)", "value (0x):", "value:", "value =", "data:", "notified:", "received:",
        "changed:", " to ", ": ", " = ", " -> ", " <", "\t",
    ]

    private init(_ bytes: [UInt8], named name: Substring) {
        self.bytes = bytes
        type = AttributeType(naming: name)
        handle = Self.handle(in: name)
        time = TextTime(in: name)
        hasUnreadableTime = time == nil && name.looksTimed
    }

    /// The number after the word handle, hexadecimal with `0x` and decimal without.
    private static func handle(in name: Substring) -> UInt16? {
        guard let word = name.lowercased().lastRange(of: "handle") else { return nil }
        let place = name.lowercased().distance(
            from: name.lowercased().startIndex, to: word.upperBound)
        let rest = name.dropFirst(place).drop { " :=(\t".contains($0) }
        return Self.number(rest)
    }

    /// A number at the beginning of a text.
    static func number(_ text: Substring) -> UInt16? {
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        let digits = (isHexadecimal ? text.dropFirst(2) : text).prefix { $0.isHexDigit }
        return UInt16(digits, radix: isHexadecimal ? 16 : 10)
    }
}

extension AttributeType {
    /// Reads a UUID of 36 characters, or of four after `0x`, which is no longer there.
    init?(text: Substring) {
        let digits = text.filter { $0 != "-" }
        guard text.count == 36 && digits.count == 32 || text.count == 4 && digits.count == 4,
            let value = ValueText(digits)
        else { return nil }
        self.init(uuid: Array(value.bytes.reversed()).span)
    }

    /// Finds the UUID that a text names something by: one of 36 characters, or else one of four
    /// that is of a characteristic (Bluetooth Assigned Numbers, 3.8: 2A00 to 2BFF), and that stands
    /// after `0x`, a bracket or the word before it, or last.
    ///
    /// Other words of four hexadecimal digits are numbers of lines, processes or ports, or English.
    init?(naming text: Substring) {
        let words = text.split(whereSeparator: { !($0.isHexDigit || $0 == "-" || $0 == "x") })
        if let type = words.lazy.compactMap({ $0.count == 36 ? AttributeType(text: $0) : nil })
            .first
        {
            self = type
            return
        }
        for word in text.split(whereSeparator: { " \t,:;()[]\"'=".contains($0) }).reversed() {
            let digits = word.hasPrefix("0x") || word.hasPrefix("0X") ? word.dropFirst(2) : word
            guard digits.count == 4, let number = UInt16(digits, radix: 16),
                (0x2A00...0x2BFF).contains(number), let type = AttributeType(text: digits)
            else { continue }
            self = type
            return
        }
        return nil
    }
}

extension Substring {
    /// Where Python's bytes begin, which no letter or digit stands before: `b'…'` or `b"…"`.
    fileprivate var pythonBytes: Index? {
        let hasBytes = zip(utf8, utf8.dropFirst()).contains { letter, quote in
            letter == UInt8(ascii: "b") && "'\"".utf8.contains(quote)
        }
        guard hasBytes else { return nil }
        if let wrapped = firstRange(of: "bytearray(b") { return wrapped.lowerBound }
        var before: Character = " "
        for place in indices {
            let next = index(after: place)
            if self[place] == "b", next < endIndex, "'\"".contains(self[next]),
                !before.isLetter, !before.isNumber
            {
                return place
            }
            before = self[place]
        }
        return nil
    }

    /// A value without what is around it: `(0x) 16-48`, `<1648>.`, `"16 48", 72 bpm`.
    fileprivate var payload: Substring {
        var text = drop { " \t\"<".contains($0) }
        if text.hasPrefix("(0x)") { text = text.dropFirst(4).drop { " \t".contains($0) } }
        for end in [", \"", "\"", ">", " (", "  "] {
            if let place = text.firstRange(of: end) { text = text[..<place.lowerBound] }
        }
        while let last = text.last, " .,;)\t".contains(last) { text = text.dropLast() }
        return text
    }

    /// Whether a word of digits with two colons stands in a text, which may be a time.
    fileprivate var looksTimed: Bool {
        split(whereSeparator: { " \t[]()".contains($0) }).prefix(4).contains { word in
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            return parts.count == 3 && parts.allSatisfy { $0.first?.isNumber == true }
        }
    }
}

extension String {
    /// Whether a handle or a UUID may be in it, which spares most lines a closer look.
    fileprivate var mayName: Bool {
        var dashes = 0
        var before: UInt8 = 0
        for byte in utf8 {
            if byte == UInt8(ascii: "-") { dashes += 1 }
            let isShort = before == UInt8(ascii: "2") && "ab".utf8.contains(byte)
            let isHandle = before == UInt8(ascii: "l") && byte == UInt8(ascii: "e")
            if dashes >= 4 || isShort || isHandle { return true }
            before = byte
        }
        return false
    }
}

extension StringProtocol {
    /// Where a text stands last.
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        ranges(of: text).last
    }
}
