/// A key of a database: 1 to 511 bytes, ordered byte by byte, shorter before longer.
public protocol DatabaseKey {
    /// Lends the bytes of the key.
    ///
    /// - Parameter body: The closure that the bytes are valid in.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

extension [UInt8]: DatabaseKey {
    /// Lends the elements.
    ///
    /// - Parameter body: The closure that the bytes are valid in.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(span)
    }
}

/// A number as a key: eight bytes, most significant first, so that bytes sort as numbers do.
///
/// LMDB's own integer keys are in the machine's byte order and do not travel; these do.
@frozen
public struct RecordKey: DatabaseKey, Hashable, Sendable {
    /// The number.
    public let number: UInt64

    /// Makes the key of a number.
    ///
    /// - Parameter number: Any number.
    @inlinable
    public init(_ number: UInt64) {
        self.number = number
    }

    /// Reads a key back from its bytes; nil unless there are exactly eight.
    ///
    /// - Parameter bytes: A key of a database.
    @inlinable
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count == 8 else { return nil }
        var number: UInt64 = 0
        for index in 0..<8 {
            number = number << 8 | UInt64(bytes[index])
        }
        self.number = number
    }

    /// Lends the eight bytes.
    ///
    /// - Parameter body: The closure that the bytes are valid in.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = InlineArray<8, UInt8> { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        return try body(bytes.span)
    }
}
