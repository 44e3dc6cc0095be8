/// Maps a signed number to an unsigned one so that small magnitudes stay small.
@inlinable
public func zigzag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value &<< 1 ^ value &>> 63)
}

/// Undoes ``zigzag(_:)``.
@inlinable
public func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value &>> 1) ^ -Int64(bitPattern: value & 1)
}

extension [UInt8] {
    /// Appends a number as LEB128, 1 to 10 bytes, shortest form.
    public mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

/// The bytes that a number takes as a varint, 1 to 10.
@usableFromInline
func varintBytes(_ value: UInt64) -> Int {
    (70 &- value.leadingZeroBitCount &- (value == 0 ? -1 : 0)) / 7
}
