/// The maker of a device, in its own words: characteristic 0x2A29.
///
/// Bluetooth DIS 1.1, 3.1: UTF-8 without a length or an end mark. The text is a stranger's: it may
/// hold control characters, also NUL in the middle, and must be escaped wherever it is shown.
public struct ManufacturerName: Hashable, Sendable {
    /// The longest value of any attribute, in bytes (Bluetooth Core 5.4, volume 3, part F, 3.2.9).
    public static let maximumByteCount = 512

    /// The name, at most ``maximumByteCount`` bytes of UTF-8, without the trailing NUL bytes.
    ///
    /// It may be empty: the specification sets no least length.
    public let text: String

    /// A finding: how many NUL bytes at the end were left out of ``text``.
    ///
    /// Some straps send the end mark of a C string, or the whole buffer it lives in.
    public let trailingByteCount: Int

    /// Decodes the value of one read.
    ///
    /// - Parameter value: The characteristic value, exactly as the device sent it.
    /// - Throws: ``MalformedMeasurement`` if `value` is longer than ``maximumByteCount`` or is not
    ///   UTF-8; its offset is then the first byte of the first sequence that is not.
    public init(decoding value: Span<UInt8>) throws(MalformedMeasurement) {
        guard value.count <= Self.maximumByteCount else {
            throw MalformedMeasurement(
                code: .tooLong, field: .manufacturerName, offset: Self.maximumByteCount)
        }

        var end = value.count
        while end > 0 && value[end - 1] == 0 {
            end -= 1
        }

        do {
            text = String(copying: try UTF8Span(validating: value.extracting(..<end)))
        } catch {
            throw MalformedMeasurement(
                code: .invalidUTF8, field: .manufacturerName, offset: error.byteOffsets.lowerBound)
        }
        trailingByteCount = value.count - end
    }
}
