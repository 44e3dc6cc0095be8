/// Where on the body a heart-rate sensor is meant to be worn: characteristic 0x2A38.
///
/// Bluetooth HRS 1.0, 3.2: one byte, read once per connection. A strap without the characteristic
/// has no location; that is `nil` to the caller, not ``name`` "Other".
@frozen
public struct BodySensorLocation: Hashable, Sendable, BitwiseCopyable {
    /// The number as sent: 0...6 have a meaning, 7...255 are reserved for future use.
    public let number: UInt8

    /// A finding: how many bytes follow the one that the specification knows.
    public let trailingByteCount: Int

    /// Decodes the value of one read.
    ///
    /// - Parameter value: The characteristic value, exactly as the strap sent it.
    /// - Throws: ``MalformedMeasurement`` if `value` is empty.
    @inlinable
    public init(decoding value: Span<UInt8>) throws(MalformedMeasurement) {
        var offset = 0
        number = try value.uint8(.bodySensorLocation, at: &offset)
        trailingByteCount = value.count - offset
    }

    /// The name in the specification, or `nil` for a reserved number.
    public var name: String? {
        let names = ["Other", "Chest", "Wrist", "Finger", "Hand", "Ear Lobe", "Foot"]
        return number < 7 ? names[Int(number)] : nil
    }
}
