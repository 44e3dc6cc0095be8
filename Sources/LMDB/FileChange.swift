/// A way in which the files of an open environment were taken away from under it.
///
/// LMDB does not notice. What is written after ``dataFileMissing`` or ``dataFileReplaced`` is lost
/// when the environment closes; after a change of the lock file, two processes can write at once.
public enum FileChange: Hashable, Sendable {
    /// The data file was deleted or moved away.
    case dataFileMissing
    /// Another file has the name of the data file.
    case dataFileReplaced
    /// The lock file was deleted or moved away.
    case lockFileMissing
    /// Another file has the name of the lock file.
    case lockFileReplaced
}
