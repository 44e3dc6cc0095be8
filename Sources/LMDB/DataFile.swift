import Glibc

/// A data file that is open for reading; whoever opened it closes it.
struct DataFile: Sendable {
    let descriptor: Int32
    /// Its path, for errors.
    let path: String

    /// How many bytes it has now.
    ///
    /// - Throws: ``LMDBError`` with the system's error.
    func byteCount() throws(LMDBError) -> Int {
        var status = stat()
        try LMDBError.checkSystem(unsafe fstat(descriptor, &status), "fstat", detail: path)
        return Int(status.st_size)
    }

    /// Some of its bytes; nil if it ends before their end.
    ///
    /// - Throws: ``LMDBError`` with the system's error.
    func bytes(at offset: Int, count: Int) throws(LMDBError) -> FileBytes? {
        var readCount = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            unsafe readCount = pread(descriptor, buffer.baseAddress, count, offset)
            initializedCount = max(readCount, 0)
        }
        let isWhole = try LMDBError.checkSystem(readCount, "pread") == count
        return isWhole ? FileBytes(bytes: bytes) : nil
    }
}
