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
    public func write(to json: inout JSONWriter) {
        json.array { array in
            for element in self { array.value(element) }
        }
    }
}
