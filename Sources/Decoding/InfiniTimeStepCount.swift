/// The steps of the day as a PineTime watch counts them.
///
/// InfiniTime's motion service (00030000-78fc-48fe-8e23-433b3a1942d0), characteristic 00030001-…:
/// four bytes, read or notified.
@frozen
public struct InfiniTimeStepCount: Hashable, Sendable, BitwiseCopyable {
    /// The steps since midnight or since the watch started, 0...4,294,967,295.
    ///
    /// It is cumulative and may fall at any time; the fold takes that for a new stream.
    public let steps: UInt32

    /// A finding: how many bytes follow the four that the watch is known to send.
    public let trailingByteCount: Int

    /// Decodes one value, read or notified.
    ///
    /// - Parameter value: The characteristic value, exactly as the watch sent it.
    /// - Throws: ``MalformedMeasurement`` if `value` is shorter than four bytes.
    @inlinable
    public init(decoding value: Span<UInt8>) throws(MalformedMeasurement) {
        var offset = 0
        steps = try value.uint32(.stepCount, at: &offset)
        trailingByteCount = value.count - offset
    }
}
