internal import Glibc

/// Some bytes of a file, read as integers in the byte order of the machine, as LMDB writes them.
struct FileBytes: Equatable {
    let bytes: [UInt8]

    /// Reads the bytes; nil if the file ends before their end.
    init?(descriptor: Int32, offset: Int, count: Int) throws(LMDBError) {
        var readCount = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            unsafe readCount = pread(descriptor, buffer.baseAddress, count, offset)
            initializedCount = max(readCount, 0)
        }
        guard try LMDBError.checkSystem(readCount, "pread") == count else { return nil }
        self.bytes = bytes
    }

    /// Takes bytes that were read.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The integer at an offset within the bytes.
    func load<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Value.Type) -> Value {
        unsafe bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
    }
}
