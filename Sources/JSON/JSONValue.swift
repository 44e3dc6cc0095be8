/// A JSON text that was read: nothing rounded, nothing reordered.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as it was written.
    case number(JSONNumber)
    /// Text, escapes undone.
    case string(String)
    /// The elements in their order.
    case array([JSONValue])
    /// The members in their order; no two have the same name.
    case object([JSONMember])
}

/// A name and its value in a JSON object.
public struct JSONMember: Hashable, Sendable {
    /// The name, escapes undone.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Puts a name before a value.
    public init(name: String, value: JSONValue) {
        (self.name, self.value) = (name, value)
    }
}

/// A number as it was written.
///
/// JSON does not say what range or precision a number has (RFC 8259, 6), so the digits are kept
/// and each reader asks for what it can hold.
public struct JSONNumber: Hashable, Sendable {
    /// The digits, with sign, point and exponent as they were written.
    public let text: String

    /// Takes a number's text, which must be a number of JSON.
    init(validated text: String) {
        self.text = text
    }

    /// The number as an integer, or nil if it is written with point or exponent, is `-0`, or does
    /// not fit.
    public func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
        text == "-0" ? nil : Integer(text)
    }
}

extension String {
    /// Whether both texts are the same bytes; `==` would call some different bytes equal.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension JSONValue {
    /// The member of an object, or nil if this is not an object or has none of that name.
    ///
    /// - Parameter name: The name, compared byte by byte.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// The text; nil if this is something else.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The elements of an array; nil if this is something else.
    public var elements: [JSONValue]? { if case .array(let all) = self { all } else { nil } }

    /// The integer, as ``JSONNumber/integer(as:)`` reads it; nil if this is something else.
    public func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
        if case .number(let number) = self { number.integer(as: type) } else { nil }
    }

    /// Whether it is true; nil if it is neither true nor false.
    public var flag: Bool? { if case .bool(let isTrue) = self { isTrue } else { nil } }

    /// What a member holds that does not have to be there: nil if it is missing, or null.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - failure: What is thrown where the member is nothing that `read` takes.
    ///   - read: Reads the member.
    /// - Returns: What was read.
    /// - Throws: `failure`.
    public func optional<Value, Failure: Error>(
        _ name: String, else failure: @autoclosure () -> Failure, _ read: (JSONValue) -> Value?
    ) throws(Failure) -> Value? {
        guard let member = self[name], member != .null else { return nil }
        guard let value = read(member) else { throw failure() }
        return value
    }

    /// Reads a text; nil if it is not JSON, where nobody is told what is wrong with it.
    ///
    /// - Parameters:
    ///   - text: The bytes, as ``JSONParser/parse(_:limits:)`` takes them.
    ///   - limits: How much is taken.
    public init?(parsing text: [UInt8], limits: JSONParser.Limits = JSONParser.Limits()) {
        do throws(JSONError) {
            self = try JSONParser.parse(text, limits: limits)
        } catch {
            return nil
        }
    }
}
