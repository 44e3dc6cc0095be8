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
    /// A read failed; what it gave means nothing.
    @usableFromInline var isFailed = false
    /// A read failed because the bytes ended inside of it.
    @usableFromInline var isCut = false

    @inlinable
    init(_ base: UnsafePointer<UInt8>, from offset: Int, to end: Int) {
        unsafe self.base = unsafe base
        self.offset = offset
        self.end = end
    }

    @inlinable
    @inline(__always)
    mutating func byte() -> UInt8 {
        guard offset < end else { return cut() }
        let byte = unsafe base[offset]
        offset &+= 1
        return byte
    }

    /// The byte that ``byte()`` takes next; all ones at the end.
    @inlinable
    @inline(__always)
    var next: UInt8 { offset < end ? unsafe base[offset] : .max }

    /// A number of `count` bytes, 1 to 8, lowest first.
    @inlinable
    @inline(__always)
    mutating func fixed(_ count: Int) -> UInt64 {
        guard count <= end &- offset else { return UInt64(cut()) }
        var value: UInt64 = 0
        for index in 0..<count {
            value |= UInt64(unsafe base[offset &+ index]) &<< UInt64(8 &* index)
        }
        offset &+= count
        return value
    }

    /// The next two bytes as a number, lowest first.
    ///
    /// The caller knows them to be there.
    @inlinable
    @inline(__always)
    var twoBytes: UInt64 {
        let word = unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: UInt16.self)
        return UInt64(UInt16(littleEndian: word))
    }

    /// The next 7 bytes as a number, lowest first: one load where an eighth follows.
    @inlinable
    @inline(__always)
    mutating func sevenBytes() -> UInt64 {
        guard end &- offset >= 8 else { return fixed(7) }
        let word = unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self)
        offset &+= 7
        return UInt64(littleEndian: word) & 0xFF_FFFF_FFFF_FFFF
    }

    /// The next `count` bytes; none and failed if there are not so many.
    @inlinable
    @inline(__always)
    mutating func part(_ count: UInt64) -> BytesInPlace {
        guard count <= UInt64(end &- offset) else {
            cut()
            return unsafe BytesInPlace(base, count: 0)
        }
        let start = offset
        offset &+= Int(truncatingIfNeeded: count)
        return unsafe BytesInPlace(base + start, count: offset &- start)
    }

    /// All bytes, read or not.
    @inlinable
    @inline(__always)
    var all: BytesInPlace { unsafe BytesInPlace(base, count: end) }

    /// A read would go beyond the end.
    @inlinable
    @discardableResult
    mutating func cut() -> UInt8 {
        isFailed = true
        isCut = true
        return 0
    }
}

/// Bytes in memory that the caller keeps alive, as for ``ByteSource``.
@usableFromInline
@frozen
@safe
struct BytesInPlace {
    @usableFromInline let base: UnsafePointer<UInt8>
    @usableFromInline let count: Int

    @inlinable
    init(_ base: UnsafePointer<UInt8>, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    /// What reads them from their start.
    @inlinable
    @inline(__always)
    var source: ByteSource { unsafe ByteSource(base, from: 0, to: count) }

    /// Those of a place within them.
    @inlinable
    @inline(__always)
    func part(_ place: Range<Int>) -> BytesInPlace {
        precondition(place.lowerBound >= 0 && place.upperBound <= count, "Range out of bounds.")
        return unsafe BytesInPlace(base + place.lowerBound, count: place.count)
    }

    @inlinable
    @inline(__always)
    subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "Index out of range.")
        return unsafe base[index]
    }

    /// The first eight as a number, lowest first.
    @inlinable
    @inline(__always)
    var firstWord: UInt64 {
        precondition(count >= 8, "Fewer than 8 bytes.")
        return UInt64(littleEndian: unsafe UnsafeRawPointer(base).loadUnaligned(as: UInt64.self))
    }

    /// The bytes, for the time of the closure.
    @inlinable
    @inline(__always)
    func lend<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeStart: base, count: count))
    }
}

/// Writes numbers into memory, and nothing beyond it.
@usableFromInline
@frozen
@safe
struct ByteSink: ByteTarget {
    @usableFromInline let base: UnsafeMutablePointer<UInt8>
    @usableFromInline let capacity: Int
    @usableFromInline var offset = 0

    /// Takes memory of so many bytes, those that a reader needs unless said otherwise.
    @inlinable
    init(_ base: UnsafeMutablePointer<UInt8>, capacity: Int = BlockCursor.scratchBytes) {
        unsafe self.base = unsafe base
        self.capacity = capacity
    }

    /// Takes the memory of a reader that some bytes stand in, to write from its start.
    @inlinable
    init(again bytes: BytesInPlace) {
        unsafe self.init(UnsafeMutablePointer(mutating: bytes.base))
    }

    /// Stops the program before anything is written beyond the memory.
    @inlinable
    @inline(__always)
    func require(_ count: Int) {
        precondition(count <= capacity &- offset, "The memory is full.")
    }

    @inlinable
    @inline(__always)
    mutating func byte(_ value: UInt8) {
        require(1)
        unsafe base[offset] = value
        offset &+= 1
    }

    /// Two bytes of a number, lowest first.
    @inlinable
    @inline(__always)
    mutating func twoBytes(_ value: UInt16) {
        require(2)
        unsafe UnsafeMutableRawPointer(base + offset).storeBytes(
            of: value.littleEndian, as: UInt16.self)
        offset &+= 2
    }

    /// Seven bytes of a number, lowest first, where at least one more follows: one store.
    @inlinable
    @inline(__always)
    mutating func sevenBytes(_ value: UInt64) {
        require(8)
        unsafe UnsafeMutableRawPointer(base + offset).storeBytes(
            of: value.littleEndian, as: UInt64.self)
        offset &+= 7
    }

    @inlinable
    @inline(__always)
    mutating func bytes(_ span: Span<UInt8>) {
        require(span.count)
        unsafe span.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            unsafe (base + offset).update(from: start, count: buffer.count)
        }
        offset &+= span.count
    }

    /// What is between two offsets, for the time of the closure.
    @inlinable
    @inline(__always)
    func written<Result, Failure: Error>(
        from start: Int = 0, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeStart: base + start, count: offset &- start))
    }

    /// What was written, while the memory stays as it is.
    @inlinable
    @inline(__always)
    var written: BytesInPlace { unsafe BytesInPlace(UnsafePointer(base), count: offset) }
}

extension Span<UInt8> {
    /// Lends a source of the bytes that stands at an offset within them.
    @inlinable
    @inline(__always)
    func read<Result, Failure: Error>(
        from offset: Int = 0, _ body: (inout ByteSource) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(offset >= 0 && offset <= count, "Offset out of bounds.")
        return try unsafe withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
            // Where there are no bytes there may be no address, and none is read from.
            let base = unsafe buffer.baseAddress ?? noBytes
            var source = unsafe ByteSource(base, from: offset, to: buffer.count)
            return try body(&source)
        }
    }
}

/// An address that nothing is read from.
@inlinable
var noBytes: UnsafePointer<UInt8> {
    unsafe UnsafePointer(bitPattern: MemoryLayout<UInt64>.alignment).unsafelyUnwrapped
}

extension Span<UInt8> {
    /// The eight bytes at an offset as a number, lowest first.
    @inlinable
    @inline(__always)
    public func word(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset &+ 8 <= count, "Offset out of bounds.")
        return UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The four bytes at an offset as a number, lowest first.
    @inlinable
    @inline(__always)
    func half(at offset: Int) -> UInt64 {
        let half = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return UInt64(UInt32(littleEndian: half))
    }

    /// The first and the last eight bytes as numbers, lowest first; of fewer all in the first.
    @inlinable
    @inline(__always)
    public var ends: (first: UInt64, last: UInt64) {
        guard count < 4 else {
            // The halves overlap; no branch, for how many beats a value tells is unpredictable.
            let first = half(at: 0) | half(at: Swift.min(count &- 4, 4)) &<< 32
            let last = half(at: Swift.max(count &- 8, 0)) | half(at: count &- 4) &<< 32
            return (first, count < 8 ? 0 : last)
        }
        var first: UInt64 = 0
        for index in 0..<count { first |= UInt64(self[index]) &<< UInt64(8 &* index) }
        return (first, 0)
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
