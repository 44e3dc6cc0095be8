/// A named database of one environment: an ordered map from keys to values.
///
/// Valid as long as the environment that it came from, in transactions of that environment only.
@frozen
public struct Database: Hashable, Sendable {
    /// LMDB's `MDB_dbi`.
    @usableFromInline let identifier: UInt32
}

/// The figures of one database.
public struct DatabaseStatistics: Equatable, Sendable {
    /// The number of keys.
    public let entryCount: Int
    /// The size of a page, in bytes.
    public let pageSizeBytes: Int
}
