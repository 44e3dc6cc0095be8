/// Reads numbers from a part of a block; a read beyond the end gives 0 and marks the source failed.
///
/// It borrows memory that the caller keeps alive: a value of this type never leaves the closure in
/// which its bytes are valid. See the decision page on pointers in blocks.
@usableFromInline
@frozen
@safe
struct ByteSource {
    @usableFromInline let base: UnsafePointer<UInt8>
    @usableFromInline var offset: Int
    @usableFromInline let end: Int
    @usableFromInline var isFailed = false

    @inlinable
    init(_ base: UnsafePointer<UInt8>, from offset: Int, to end: Int) {
        unsafe self.base = unsafe base
        self.offset = offset
        self.end = end
    }

    @inlinable
    @inline(__always)
    mutating func byte() -> UInt8 {
        guard offset < end else {
            isFailed = true
            return 0
        }
        let byte = unsafe base[offset]
        offset &+= 1
        return byte
    }

    @inlinable
    @inline(__always)
    mutating func varint() -> UInt64 {
        guard offset &+ 1 < end else { return longVarint() }
        let low = unsafe base[offset]
        if low < 0x80 {
            offset &+= 1
            return UInt64(low)
        }
        let high = unsafe base[offset &+ 1]
        if high < 0x80 && high > 0 {
            offset &+= 2
            return UInt64(low & 0x7F) | UInt64(high) &<< 7
        }
        return longVarint()
    }

    @usableFromInline
    mutating func longVarint() -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<10 {
            let next = byte()
            value |= UInt64(next & 0x7F) << UInt64(7 * index)
            if next < 0x80 {
                if (next == 0 && index > 0) || (index == 9 && next > 1) { isFailed = true }
                return value
            }
        }
        isFailed = true
        return value
    }

    @inlinable
    @inline(__always)
    mutating func signed() -> Int64 { unzigzag(varint()) }

    /// A number of `count` bytes, 1 to 8, lowest first.
    @inlinable
    @inline(__always)
    mutating func fixed(_ count: Int) -> UInt64 {
        guard count <= end &- offset else {
            isFailed = true
            return 0
        }
        var value: UInt64 = 0
        for index in 0..<count {
            value |= UInt64(unsafe base[offset &+ index]) &<< UInt64(8 &* index)
        }
        offset &+= count
        return value
    }

    /// The next `count` bytes, for the time of the closure; none and failed if there are not so
    /// many.
    @inlinable
    @inline(__always)
    mutating func take<Result>(_ count: UInt64, _ body: (Span<UInt8>) -> Result) -> Result {
        var length = 0
        if count <= UInt64(end &- offset) {
            length = Int(truncatingIfNeeded: count)
        } else {
            isFailed = true
        }
        let span = unsafe Span(_unsafeStart: base + offset, count: length)
        offset &+= length
        return body(span)
    }
}

/// Writes numbers into memory whose capacity the owner has checked.
@usableFromInline
@frozen
@safe
struct ByteSink {
    @usableFromInline let base: UnsafeMutablePointer<UInt8>
    @usableFromInline var offset: Int

    @inlinable
    init(_ base: UnsafeMutablePointer<UInt8>, from offset: Int = 0) {
        unsafe self.base = unsafe base
        self.offset = offset
    }

    @inlinable
    @inline(__always)
    mutating func byte(_ value: UInt8) {
        unsafe base[offset] = value
        offset &+= 1
    }

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

    @usableFromInline
    mutating func longVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            byte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        byte(UInt8(truncatingIfNeeded: rest))
    }

    @inlinable
    @inline(__always)
    mutating func signed(_ value: Int64) { varint(zigzag(value)) }

    /// A number of `count` bytes, 1 to 8, lowest first.
    @inlinable
    @inline(__always)
    mutating func fixed(_ value: UInt64, _ count: Int) {
        for index in 0..<count { byte(UInt8(truncatingIfNeeded: value &>> UInt64(8 &* index))) }
    }

    @inlinable
    @inline(__always)
    mutating func bytes(_ span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            unsafe (base + offset).update(from: start, count: buffer.count)
        }
        offset &+= span.count
    }

    /// What stands between two offsets, for the time of the closure.
    @inlinable
    @inline(__always)
    func written<Result, Failure: Error>(
        from start: Int = 0, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeStart: base + start, count: offset &- start))
    }
}

extension Span<UInt8> {
    /// The eight bytes at an offset as a number, lowest first.
    @inlinable
    @inline(__always)
    public func word(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset &+ 8 <= count, "A word lies within its bytes.")
        return UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

extension [UInt8] {
    /// Copies the bytes of a span.
    public init(copying span: Span<UInt8>) {
        self.init()
        append(copying: span)
    }

    /// Appends the bytes of a span.
    public mutating func append(copying span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
