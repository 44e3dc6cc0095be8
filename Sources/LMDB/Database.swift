/// A named database of one environment: an ordered map from keys to values.
///
/// Valid as long as the environment that it came from, in transactions of that environment only.
@frozen
public struct Database: Hashable, Sendable {
    /// LMDB's `MDB_dbi`.
    @usableFromInline let identifier: UInt32

    init(identifier: UInt32) {
        self.identifier = identifier
    }
}

/// The size and shape of one database.
public struct DatabaseStatistics: Equatable, Sendable {
    /// The number of keys.
    public let entryCount: Int
    /// The number of levels of the tree; 0 if it is empty.
    public let depth: Int
    /// The pages inside the tree.
    public let branchPageCount: Int
    /// The pages that hold keys and short values.
    public let leafPageCount: Int
    /// The pages that hold long values.
    public let overflowPageCount: Int
    /// The size of a page, in bytes.
    public let pageSizeBytes: Int
}
