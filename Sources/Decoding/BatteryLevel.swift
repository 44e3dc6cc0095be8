/// The charge of a device's battery: characteristic 0x2A19.
///
/// Bluetooth BAS 1.0, 3.1: one byte, read or notified.
@frozen
public struct BatteryLevel: Hashable, Sendable, BitwiseCopyable {
    /// The charge, 0...100 percent.
    public let percent: UInt8

    /// A finding: how many bytes follow the one that the specification knows.
    public let trailingByteCount: Int

    /// Decodes one value, read or notified.
    ///
    /// - Parameter value: The characteristic value, exactly as the device sent it.
    /// - Throws: ``MalformedMeasurement`` if `value` is empty, or if the level is above 100: those
    ///   numbers are reserved, and a device that sends one does not know its charge.
    @inlinable
    public init(decoding value: Span<UInt8>) throws(MalformedMeasurement) {
        var offset = 0
        percent = try value.uint8(.batteryLevel, at: &offset)
        trailingByteCount = value.count - offset

        guard percent <= 100 else {
            throw MalformedMeasurement(code: .outOfRange, field: .batteryLevel, offset: 0)
        }
    }
}
