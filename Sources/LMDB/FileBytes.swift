internal import Glibc

/// Some bytes of a file, read as integers in the byte order of the machine, as LMDB writes them.
struct FileBytes {
    private let bytes: [UInt8]

    /// Reads the bytes; nil if the file ends before their end.
    init?(descriptor: Int32, offset: Int, count: Int) throws(LMDBError) {
        var bytes = [UInt8](repeating: 0, count: count)
        let readCount = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset)
        }
        guard try LMDBError.checkSystem(readCount, "pread") == count else { return nil }
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The integer at an offset within the bytes.
    func load<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Value.Type) -> Value {
        unsafe bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
    }
}
