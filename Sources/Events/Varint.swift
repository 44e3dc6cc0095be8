// Numbers as LEB128, lowest seven bits first: the one place that reads them and the one that writes
// them. A number has one form only, its shortest.

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

// MARK: - Reading

extension ByteSource {
    /// Reads a number, 1 to 10 bytes; failed if it is over 64 bits or not in its shortest form.
    ///
    /// Whether it takes one byte or two is unpredictable, so this is branch-free.
    @inlinable
    @inline(__always)
    mutating func varint() -> UInt64 {
        if end &- offset >= 2 {
            let word = twoBytes
            let isLong = word &>> 7 & 1
            let high = (word &>> 8) & (0 &- isLong)
            // The second byte is 1 to 127, or there is none.
            if high &- isLong < 0x7F {
                offset &+= 1 &+ Int(truncatingIfNeeded: isLong)
                return word & 0x7F | high &<< 7
            }
        }
        let (value, rest) = afterAnyVarint()
        self = rest
        return value
    }

    /// The same for any number; apart, because most take two bytes at most.
    ///
    /// - Returns: The number, and the source after it: one that is passed by value stays in
    ///   registers.
    @usableFromInline
    @inline(never)
    func afterAnyVarint() -> (value: UInt64, rest: ByteSource) {
        var rest = self
        let low = rest.byte()
        let value = low < 0x80 ? UInt64(low) : rest.longVarint(low, rest.byte())
        return (value, rest)
    }

    /// The same from the second byte on.
    private mutating func longVarint(_ low: UInt8, _ high: UInt8) -> UInt64 {
        var value = UInt64(low & 0x7F)
        var next = high
        for index in 1..<10 {
            if index > 1 { next = byte() }
            value |= UInt64(next & 0x7F) << UInt64(7 * index)
            if next < 0x80 {
                // The last byte of a longer form is not zero; the tenth holds one bit.
                if next == 0 || (index == 9 && next > 1) { isFailed = true }
                return value
            }
        }
        isFailed = true
        return value
    }

    /// Reads a signed number.
    @inlinable
    @inline(__always)
    mutating func signed() -> Int64 { unzigzag(varint()) }
}

extension Span<UInt8> {
    /// Reads a number at an offset within the bytes and moves the offset past it.
    ///
    /// - Parameter offset: Where it begins, 0 to `count`; unchanged if there is no number.
    /// - Returns: The number; nil if it is cut off, over 64 bits or not in its shortest form.
    @inlinable
    public func varint(at offset: inout Int) -> UInt64? {
        let (value, end) = read(from: offset) { source in
            let value = source.varint()
            return (source.isFailed ? nil : value, source.offset)
        }
        if value != nil { offset = end }
        return value
    }
}

// MARK: - Writing

/// Something that bytes are appended to.
@usableFromInline
protocol ByteTarget {
    mutating func byte(_ value: UInt8)
}

extension ByteTarget {
    /// Writes a number, 1 to 10 bytes.
    @inlinable
    @inline(__always)
    mutating func varint(_ value: UInt64) {
        if value < 0x80 {
            byte(UInt8(truncatingIfNeeded: value))
        } else if value < 0x4000 {
            byte(UInt8(truncatingIfNeeded: value) | 0x80)
            byte(UInt8(truncatingIfNeeded: value &>> 7))
        } else {
            longVarint(value)
        }
    }

    /// The same for any number; apart, because most take two bytes at most.
    @inlinable
    @inline(never)
    mutating func longVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            byte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        byte(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a signed number.
    @inlinable
    @inline(__always)
    mutating func signed(_ value: Int64) { varint(zigzag(value)) }

    /// Writes a number of `count` bytes, 1 to 8, lowest first.
    @inlinable
    @inline(__always)
    mutating func fixed(_ value: UInt64, _ count: Int) {
        for index in 0..<count { byte(UInt8(truncatingIfNeeded: value &>> UInt64(8 &* index))) }
    }
}

extension [UInt8]: ByteTarget {
    @inlinable
    mutating func byte(_ value: UInt8) { append(value) }

    /// Appends a number as LEB128, 1 to 10 bytes, shortest form.
    public mutating func appendVarint(_ value: UInt64) { varint(value) }
}

/// The bytes that a number takes as a varint, 1 to 10.
@usableFromInline
func varintBytes(_ value: UInt64) -> Int {
    (70 &- value.leadingZeroBitCount &- (value == 0 ? -1 : 0)) / 7
}
