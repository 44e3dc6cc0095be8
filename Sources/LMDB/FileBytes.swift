/// Some bytes of a file, read as integers in the byte order of the machine, as LMDB writes them.
struct FileBytes: Equatable {
    let bytes: [UInt8]

    var count: Int { bytes.count }

    /// The integer at an offset within the bytes.
    func load<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Value.Type) -> Value {
        unsafe bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
    }
}
