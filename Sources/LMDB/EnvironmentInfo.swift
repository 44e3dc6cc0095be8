/// The figures of an environment as a whole.
public struct EnvironmentInfo: Equatable, Sendable {
    /// The size of the map, in bytes, as this process has it.
    public let mapSizeBytes: Int
    /// The size of a page, in bytes.
    public let pageSizeBytes: Int
    /// The number of the last page in use, from 0.
    public let lastPageNumber: Int
    /// The number of the last commit.
    public let lastTransactionID: Int
    /// The number of reader slots.
    public let readerSlots: Int
}
