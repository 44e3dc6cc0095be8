/// A value in a line of a log: of gatttool, of a program that uses bleak, or of anything alike.
struct LoggedValue {
    /// What the value is of, if the line tells.
    var type: AttributeType?
    /// The value's handle, if the line tells.
    var handle: UInt16?
    /// When it came, if the line tells.
    var microseconds: Int64?
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a line; nil if there is no value in it.
    ///
    /// gatttool writes `Notification handle = 0x0010 value: 16 48`; bleak's examples write the
    /// characteristic's UUID, its handle in decimal, and `bytearray(b'\x16H')`.
    init?(_ line: String) {
        if let marker = line.firstRange(of: " value: "), line.contains("handle = 0x") {
            guard let value = ValueText(line[marker.upperBound...]) else { return nil }
            bytes = value.bytes
            handle = Self.number(after: "handle = 0x", in: line, radix: 16)
        } else if let marker = line.firstRange(of: "bytearray(b") ?? line.firstRange(of: " b'") {
            let isWrapped = line[marker].hasPrefix("bytearray")
            let literal = line[marker.lowerBound...].dropFirst(isWrapped ? 10 : 1)
            guard let value = ValueText(literal) else { return nil }
            bytes = value.bytes
            handle = Self.number(after: "Handle: ", in: line, radix: 10)
            type = Self.type(in: line[..<marker.lowerBound])
        } else {
            return nil
        }
        let words = line.split(
            maxSplits: 2, whereSeparator: { " \t[]".contains($0) })
        microseconds =
            TextTime.microseconds(Array(words.prefix(2)))
            ?? words.first.flatMap { $0.contains(":") ? TextTime.microseconds([$0]) : nil }
    }

    private static func number(after name: String, in line: String, radix: Int) -> UInt16? {
        guard let marker = line.firstRange(of: name) else { return nil }
        let digits = line[marker.upperBound...].prefix { $0.isHexDigit }
        return UInt16(digits, radix: radix)
    }

    /// The first UUID in a text.
    private static func type(in text: Substring) -> AttributeType? {
        for word in text.split(whereSeparator: { !($0.isHexDigit || $0 == "-") }) {
            if let type = AttributeType(text: word) { return type }
        }
        return nil
    }
}

extension AttributeType {
    /// Reads a UUID of 36 characters, or of four after `0x`, which is not there any more.
    init?(text: Substring) {
        let digits = text.filter { $0 != "-" }
        guard text.count == 36 && digits.count == 32 || text.count == 4 && digits.count == 4,
            let value = ValueText(digits)
        else { return nil }
        self.init(uuid: Array(value.bytes.reversed()).span)
    }
}
