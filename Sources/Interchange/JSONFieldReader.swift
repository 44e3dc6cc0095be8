internal import Events
internal import JSON

/// Reads the fields of an event from the members of a JSON object, in any order.
///
/// Every member is a field and every field a member: what is left over is an error, as bytes
/// after a payload are.
struct JSONFieldReader: LineCoder {
    /// What is wrong, where JSON has more to say than a `FieldError`.
    struct Problem {
        var code: JSONLinesError.Code
        var key: String?
        var reason: String?

        /// A value that the field itself refused.
        static let invalidValue = Problem(code: .invalidValue)
    }

    /// What made the last call throw, if this reader found it.
    private(set) var problem: Problem?
    /// Whether the kind that was read last stood there with its name, not its number.
    private(set) var hasNamedKind = false

    private var members: [JSONMember] = []
    private var isTaken: [Bool] = []
    /// Where the next field stands if the members are in the order of an export.
    private var expected = 0
    private var names = CodeNames()

    /// Goes to the members of another object.
    mutating func begin(_ members: [JSONMember]) {
        self.members = members
        isTaken = [Bool](repeating: false, count: members.count)
        expected = 0
        problem = nil
    }

    /// Whether there is a member of that name.
    func has(_ name: StaticString) -> Bool { index(of: name) != nil }

    /// Ends the reading.
    ///
    /// - Throws: `FieldError` if a member was not asked for.
    mutating func finish() throws(FieldError) {
        guard let index = isTaken.firstIndex(of: false) else { return }
        problem = Problem(
            code: .unknownKey, key: members[index].name,
            reason: "An event of this kind and version has no such key.")
        throw FieldError(.trailingBytes, field: "end")
    }

    // MARK: - Fields

    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {
        value = try integer(name, in: range)
    }

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        value = try integer(name, in: range)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {
        guard case .bool(let flag) = try take(name) else {
            throw refuse(.invalidValue, name, "The value is neither true nor false.")
        }
        value = flag
    }

    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        value = try string(name)
        guard value.utf8.count <= limit else {
            throw refuse(.invalidValue, name, "The text is longer than \(limit) bytes of UTF-8.")
        }
    }

    mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {
        value = try read(name, as: "pairs of hexadecimal digits", [UInt8].init(hexadecimal:))
        guard value.count <= limit else {
            throw refuse(.invalidValue, name, "There are more than \(limit) bytes.")
        }
    }

    mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        try bytes(name, &value, limit: count)
        guard value.count == count else {
            throw refuse(.invalidValue, name, "There are fewer than \(count) bytes.")
        }
    }

    mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError) {
        value = try code(name)
    }

    mutating func openCode<Code: CodedName>(
        _ name: StaticString, _ value: inout OpenCode<Code>
    ) throws(FieldError) {
        guard case .number = peek(name) else {
            value = OpenCode(try code(name))
            return
        }
        // Also the number of a name: an older version, which did not list it, wrote the number.
        value = OpenCode(rawValue: try integer(name, in: 0...255))
    }

    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        value = try read(name, as: "a device such as C4:00:00:00:00:01", DeviceID.init(_:))
    }

    mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError) {
        value = try read(name, as: "a date such as 2026-03-01", CivilDate.init(_:))
    }

    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) throws(FieldError) {
        isPresent = true
        if case .null = peek(name) {
            _ = try take(name)
            isPresent = false
        }
    }

    mutating func kind(_ name: StaticString, _ kind: inout EventKind) throws(FieldError) {
        var text = ""
        try self.text(name, &text, limit: 64)
        guard let known = EventKind(lineName: text) else {
            var quoted: [UInt8] = []
            quoted.appendJSONString(text)
            let words = String(decoding: quoted, as: UTF8.self)
            throw refuse(.unknownKind, name, "There is no kind called \(words).")
        }
        kind = known
        hasNamedKind = kind.name == text
    }

    // MARK: - Members

    private func index(of name: StaticString) -> Int? {
        if expected < members.count, members[expected].name.hasSameBytes(as: name) {
            return expected
        }
        return members.firstIndex { $0.name.hasSameBytes(as: name) }
    }

    private func peek(_ name: StaticString) -> JSONValue? {
        index(of: name).map { members[$0].value }
    }

    private mutating func take(_ name: StaticString) throws(FieldError) -> JSONValue {
        guard let index = index(of: name) else {
            throw refuse(.missingKey, name, "The key is missing.")
        }
        isTaken[index] = true
        expected = index + 1
        return members[index].value
    }

    private mutating func integer<Integer: FixedWidthInteger>(
        _ name: StaticString, in range: ClosedRange<Integer>
    ) throws(FieldError) -> Integer {
        guard case .number(let number) = try take(name) else {
            throw refuse(.invalidValue, name, "The value is not a number.")
        }
        guard let value = number.integer(as: Integer.self), range.contains(value) else {
            let bounds = "\(range.lowerBound) to \(range.upperBound)"
            throw refuse(.invalidValue, name, "The number is not a plain integer from \(bounds).")
        }
        return value
    }

    private mutating func string(_ name: StaticString) throws(FieldError) -> String {
        guard case .string(let text) = try take(name) else {
            throw refuse(.invalidValue, name, "The value is not a string.")
        }
        return text
    }

    private mutating func code<Code: CodedName>(_ name: StaticString) throws(FieldError) -> Code {
        let names = names.table(of: Code.self)
        return try read(name, as: "one of the names of this field") {
            names.number(of: $0).flatMap(Code.init(rawValue:))
        }
    }

    /// Reads text that stands for something else.
    private mutating func read<Value>(
        _ name: StaticString, as form: String, _ make: (String) -> Value?
    ) throws(FieldError) -> Value {
        guard let value = make(try string(name)) else {
            throw refuse(.invalidValue, name, "The text is not \(form).")
        }
        return value
    }

    private mutating func refuse(
        _ code: JSONLinesError.Code, _ name: StaticString, _ reason: String
    ) -> FieldError {
        problem = Problem(code: code, reason: reason)
        return FieldError(.mismatch, field: "\(name)")
    }
}

extension String {
    /// Whether the text is a key, byte by byte.
    fileprivate func hasSameBytes(as key: StaticString) -> Bool {
        utf8.count == key.utf8CodeUnitCount && key.withUTF8Buffer { utf8.elementsEqual($0) }
    }
}
