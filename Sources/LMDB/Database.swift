/// A named database of one environment: an ordered map from keys to values.
///
/// Valid as long as the environment that it came from, in transactions of that environment only.
@frozen
public struct Database: Hashable, Sendable {
    /// LMDB's `MDB_dbi`.
    @usableFromInline let identifier: UInt32

    /// That of the names of all others: `MAIN_DBI` in mdb.c.
    static let names = Database(identifier: 1)
}
