/// Something that can be written as one JSON value.
///
/// A type of our own conforms by writing an object or one of the values below:
///
/// ```swift
/// extension Goal: JSONObject {
///     public func writeFields(to json: inout JSONWriter) {
///         json.field("kind", kind.name)
///         json.field("target", target)
///     }
/// }
/// ```
public protocol JSONWritable {
    /// Writes exactly one value.
    func write(to json: inout JSONWriter)
}

/// Something that is written as a JSON object, and as a line of its own.
public protocol JSONObject: JSONWritable {
    /// Writes the fields into an object that is open.
    func writeFields(to json: inout JSONWriter)
}

extension JSONObject {
    /// Writes the object.
    public func write(to json: inout JSONWriter) {
        json.object { writeFields(to: &$0) }
    }

    /// One object and a newline.
    public var jsonLine: [UInt8] { JSONWriter.line(self) }
}

extension JSONWritable where Self: FixedWidthInteger {
    /// Writes the decimal digits; in quotes from a magnitude of 2^53 on, where readers of JSON
    /// that hold numbers as doubles begin to lose the last digits.
    public func write(to json: inout JSONWriter) {
        json.integer(isNegative: self < 0, magnitude: UInt64(magnitude))
    }
}

extension Int: JSONWritable {}
extension Int32: JSONWritable {}
extension Int64: JSONWritable {}
extension UInt8: JSONWritable {}
extension UInt16: JSONWritable {}
extension UInt32: JSONWritable {}
extension UInt64: JSONWritable {}

extension Bool: JSONWritable {
    /// Writes `true` or `false`.
    public func write(to json: inout JSONWriter) {
        json.word(self ? "true" : "false")
    }
}

extension String: JSONWritable {
    /// Writes the text in quotes.
    ///
    /// Control characters (C0, DEL, C1), line and paragraph separators and the characters that
    /// change the direction of text appear as `\uXXXX`.
    public func write(to json: inout JSONWriter) {
        json.string(self)
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    /// Writes the value, or `null`.
    public func write(to json: inout JSONWriter) {
        guard let value = self else {
            json.word("null")
            return
        }
        value.write(to: &json)
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// Writes an array.
    ///
    /// Bytes are written as one string by ``HexadecimalBytes``.
    public func write(to json: inout JSONWriter) {
        json.array { array in
            for element in self { array.value(element) }
        }
    }
}

/// An exact decimal number, written as a string: no reader rounds it.
///
/// `JSONDecimal(unscaled: 8_235, fractionDigits: 2)` is `"82.35"`.
public struct JSONDecimal: Hashable, Sendable {
    /// The number times ten to the power of `fractionDigits`.
    public var unscaled: Int64
    /// How many digits stand after the point, 0 or more.
    public var fractionDigits: Int

    /// Makes a number from its digits.
    public init(unscaled: Int64, fractionDigits: Int) {
        precondition(fractionDigits >= 0, "The number of digits is negative.")
        self.unscaled = unscaled
        self.fractionDigits = fractionDigits
    }
}

extension JSONDecimal: JSONWritable, CustomStringConvertible {
    /// The number with all its digits after the point, and at least one before it.
    public var description: String {
        var digits = String(unscaled.magnitude)
        let missing = fractionDigits + 1 - digits.utf8.count
        if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
        let sign = unscaled < 0 ? "-" : ""
        guard fractionDigits > 0 else { return sign + digits }
        return sign + digits.dropLast(fractionDigits) + "." + digits.suffix(fractionDigits)
    }

    /// Writes the number in quotes.
    public func write(to json: inout JSONWriter) {
        json.string(description)
    }
}
