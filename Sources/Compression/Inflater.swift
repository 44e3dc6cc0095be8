internal import CZlib

/// Why compressed bytes could not be read further.
public struct InflateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// zlib's own words.
    public let description: String
}

/// Expands what deflate has compressed (RFC 1951), in pieces.
@safe
public final class Inflater {
    /// What is around the compressed bytes.
    public enum Form: Sendable {
        /// A head and a checksum, which is compared (RFC 1952).
        case gzip
        /// Nothing, as in a zip archive.
        case raw
    }

    /// The most bytes that come of one call.
    public static let pieceBytes = 64 * 1_024

    /// Whether the compressed bytes have come to their end.
    public private(set) var isAtEnd = false
    // On the heap: zlib compares where it is.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Prepares an expansion.
    ///
    /// - Parameter form: What is around the compressed bytes.
    public init(_ form: Form) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let windowBits: Int32 = form == .gzip ? 15 + 16 : -15
        let status = unsafe inflateInit2_(
            stream, windowBits, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "No memory for an expansion.")
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Expands the next bytes.
    ///
    /// - Parameter input: What follows in the file; what was read of it is taken away.
    /// - Returns: At most ``pieceBytes``; nothing if more input is needed, or at the end.
    /// - Throws: ``InflateError`` if this is not what deflate writes.
    public func next(_ input: inout ArraySlice<UInt8>) throws(InflateError) -> [UInt8] {
        var status = Z_OK
        var bytes = Array(input)
        let given = bytes.count
        let output = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { output, count in
            unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                unsafe stream.pointee.next_in = bytes.baseAddress
                unsafe stream.pointee.avail_in = UInt32(bytes.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(output.count)
                status = unsafe inflate(stream, Z_NO_FLUSH)
            }
            count = unsafe output.count - Int(stream.pointee.avail_out)
        }
        input = input.dropFirst(given - Int(unsafe stream.pointee.avail_in))
        isAtEnd = status == Z_STREAM_END
        // Without input or room nothing is wrong.
        guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else {
            let text = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
            throw InflateError(description: text ?? "it needs a dictionary")
        }
        return output
    }
}

/// The checksum of zip archives: CRC-32 as in ISO 3309.
public struct CRC32: Hashable, Sendable {
    /// The checksum of the bytes so far.
    public private(set) var value: UInt32 = 0

    /// Begins with no bytes.
    public init() {}

    /// Takes the next bytes in.
    public mutating func take(_ bytes: [UInt8]) {
        value = UInt32(truncatingIfNeeded: unsafe crc32(UInt(value), bytes, UInt32(bytes.count)))
    }
}
