/// Why a capture could not be read, or not to its end.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Hashable, Sendable {
        /// It is not a capture of a known format, or of a version that is not known.
        case unknownFormat
        /// It holds packets of another kind than Bluetooth's.
        case otherPackets
        /// A record contradicts itself, or is larger than any packet.
        case badRecord
        /// The file ends within a record.
        case truncated
    }

    /// For programs.
    public let code: Code
    /// Where the record begins, in bytes from the start of the file.
    public let offset: UInt64
    /// For people: what is wrong, with the offset.
    public let description: String

    init(_ code: Code, at offset: UInt64, _ what: String) {
        (self.code, self.offset) = (code, offset)
        description = "byte \(offset): \(what)"
    }
}
