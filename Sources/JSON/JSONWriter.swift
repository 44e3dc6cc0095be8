/// Writes JSON text as bytes, keys in the order in which they are written.
///
/// The same calls give the same bytes, on every machine. What a terminal would obey instead of
/// show (``JSONWritable`` for `String`) is escaped, so a line can be printed as it is.
///
/// ```swift
/// let line = JSONWriter.line {
///     $0.field("bpm", 83)
///     $0.field("contact", "detected")
///     $0.field("energyKilojoules", nil as Int?)
///     $0.array("rrTicks") { $0.value(692) }
///     $0.object("goal") { $0.field("target", 6_000) }
/// }
/// ```
///
/// Calls that would give no JSON, such as a field outside of an object, are programmer errors and
/// stop the program.
public struct JSONWriter: Sendable {
    /// The text so far, UTF-8.
    public private(set) var bytes: [UInt8] = []

    fileprivate enum Scope {
        case text
        case array
        case object
    }

    private var scope = Scope.text
    /// Whether nothing stands in the scope yet.
    private var isFirst = true
    /// Whether a key waits for its value.
    private var hasKey = false

    /// Makes an empty writer, with room for what most texts become.
    public init() { bytes.reserveCapacity(256) }

    /// Writes one object and the end of its line.
    ///
    /// - Parameter body: Writes the fields.
    /// - Returns: The line, with a newline as its last byte.
    /// - Throws: What `body` throws.
    public static func line<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        var writer = JSONWriter()
        try writer.object(body)
        writer.endLine()
        return writer.bytes
    }

    /// Writes one value and the end of its line.
    ///
    /// - Parameter value: The value.
    /// - Returns: The line, with a newline as its last byte.
    public static func line(_ value: some JSONWritable) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(value)
        writer.endLine()
        return writer.bytes
    }

    /// Writes a key and its value.
    public mutating func field(_ name: String, _ value: some JSONWritable) {
        key(name)
        self.value(value)
    }

    /// Writes a key and an object.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - body: Writes the fields of the object.
    /// - Throws: What `body` throws; the text is of no use then.
    public mutating func object<Failure: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try object(body)
    }

    /// Writes a key and an array.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - body: Writes the elements of the array.
    /// - Throws: What `body` throws; the text is of no use then.
    public mutating func array<Failure: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try array(body)
    }

    /// Writes a key and an array of values.
    public mutating func array(_ name: String, _ values: some Sequence<some JSONWritable>) {
        array(name) { array in
            for value in values { array.value(value) }
        }
    }

    /// Writes a value: an element of an array, or the whole text.
    public mutating func value(_ value: some JSONWritable) {
        value.write(to: &self)
    }

    /// Writes an object as an element of an array, or as the whole text.
    ///
    /// - Parameter body: Writes the fields of the object.
    /// - Throws: What `body` throws; the text is of no use then.
    public mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try enclose(.object, UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// Writes an array as an element of an array, or as the whole text.
    ///
    /// - Parameter body: Writes the elements of the array.
    /// - Throws: What `body` throws; the text is of no use then.
    public mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try enclose(.array, UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// Ends a line of JSON Lines: the text is whole, and another one may follow.
    public mutating func endLine() {
        precondition(scope == .text && !isFirst, "The line is not one whole value.")
        bytes.append(UInt8(ascii: "\n"))
        isFirst = true
    }

    // MARK: - What values are made of

    /// Writes the key of the value that comes next.
    mutating func key(_ name: String) {
        precondition(scope == .object, "A key outside of an object.")
        precondition(!hasKey, "The key before has no value.")
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        hasKey = true
        bytes.appendJSONString(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a value that is one word: `null`, `true`, `false`.
    package mutating func word(_ word: String) {
        beginValue()
        bytes.append(contentsOf: word.utf8)
    }

    /// Writes text in quotes.
    mutating func string(_ text: String) {
        beginValue()
        bytes.appendJSONString(text)
    }

    /// Writes an integer, in quotes from a magnitude of 2^53 on.
    mutating func integer(isNegative: Bool, magnitude: UInt64) {
        beginValue()
        let isQuoted = magnitude >= 1 << 53
        if isQuoted { bytes.append(UInt8(ascii: "\"")) }
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        bytes.appendDecimal(magnitude)
        if isQuoted { bytes.append(UInt8(ascii: "\"")) }
    }

    private mutating func enclose<Failure: Error>(
        _ inner: Scope, _ opening: UInt8, _ closing: UInt8,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginValue()
        let outer = scope
        scope = inner
        isFirst = true
        bytes.append(opening)
        try body(&self)
        precondition(!hasKey, "The last key has no value.")
        bytes.append(closing)
        scope = outer
        isFirst = false
    }

    private mutating func beginValue() {
        switch scope {
        case .text: precondition(isFirst, "More than one value.")
        case .array: if !isFirst { bytes.append(UInt8(ascii: ",")) }
        case .object: precondition(hasKey, "The value has no key.")
        }
        isFirst = false
        hasKey = false
    }
}
