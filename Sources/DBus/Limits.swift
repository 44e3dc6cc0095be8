/// How large a message we send or take, so that no sender can make us use unbounded memory or
/// stack.
///
/// The largest honest message is BlueZ's object tree: some 60 values for each device in range.
public struct Limits: Hashable, Sendable {
    /// The deepest nesting of containers, at most 32; an array of a structure has depth 2.
    public var depth: Int

    /// The largest number of values in one message, those inside containers included.
    public var values: Int

    /// The largest sum of the bytes of texts and byte arrays in one message.
    public var bytes: Int

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - depth: The deepest nesting, 1 to 32.
    ///   - values: The largest number of values in one message.
    ///   - bytes: The largest sum of bytes of texts and byte arrays.
    public init(depth: Int = 32, values: Int = 200_000, bytes: Int = 8 << 20) {
        precondition((1...32).contains(depth), "libdbus itself stops at 32 nested arrays")
        (self.depth, self.values, self.bytes) = (depth, values, bytes)
    }
}

/// What a message has used of its limits so far.
struct Budget {
    private let limits: Limits
    private var values = 0
    private var bytes = 0

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// One more value, at this depth.
    mutating func enter(depth: Int) throws(InvalidPart) {
        values += 1
        guard depth <= limits.depth else {
            throw InvalidPart(reason: "values are nested more than \(limits.depth) deep")
        }
        guard values <= limits.values else {
            throw InvalidPart(reason: "it holds more than \(limits.values) values")
        }
    }

    /// The bytes of a text or a byte array.
    mutating func hold(bytes count: Int) throws(InvalidPart) {
        bytes += count
        guard bytes <= limits.bytes else {
            throw InvalidPart(reason: "it holds more than \(limits.bytes) bytes of text and data")
        }
    }
}
