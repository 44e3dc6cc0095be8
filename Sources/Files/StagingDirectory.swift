internal import Glibc

/// A directory that is filled beside its name, and is removed again unless it is published: it
/// exists completely or not at all, whenever the power fails.
///
/// A crash can leave it: the name with `.creating-` and six characters.
public struct StagingDirectory: ~Copyable {
    /// Where it is filled.
    public let path: String
    /// The path that it is to have.
    private let target: String
    /// The names of the files that may be in it.
    private let names: [String]

    private static let infix = ".creating-"

    /// Makes the directory, and those around it.
    ///
    /// - Parameters:
    ///   - target: The path that it is to have; nothing, or an empty directory, is there.
    ///   - names: The names of the files that may be put there.
    /// - Throws: ``SystemCallError``.
    public init(for target: String, holding names: [String]) throws(SystemCallError) {
        try FilePath.makeDirectory(FilePath.parent(of: target))
        let (path, isMade) = FilePath.makeUnique("\(FilePath.trimmed(target))\(Self.infix)") {
            unsafe mkdtemp(&$0) != nil
        }
        guard isMade else { throw SystemCallError("mkdtemp", target) }
        self.target = target
        self.names = names
        self.path = path
    }

    deinit {
        // Nothing is there any more after publishing.
        for name in names { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// Gives the directory its name, in an order that a power cut cannot spoil.
    ///
    /// - Throws: ``SystemCallError``: of `rename`, with `ENOTEMPTY`, `EEXIST` or `ENOTDIR` if
    ///   something else took the name.
    public consuming func publish() throws(SystemCallError) {
        for name in names where unsafe access("\(path)/\(name)", F_OK) == 0 {
            try FilePath.synchronize("\(path)/\(name)")
        }
        try FilePath.synchronize(path)
        try SystemCallError.check(unsafe rename(path, target), "rename", target)
        try FilePath.synchronize(FilePath.parent(of: target))
    }

    /// The directories that are being filled for a path, or were when a process died.
    ///
    /// - Parameter target: The path that they are to have.
    /// - Returns: Their paths in order; none if the directory around it cannot be read.
    public static func unfinished(for target: String) -> [String] {
        let prefix = "\(FilePath.name(of: target))\(infix)"
        let parent = FilePath.parent(of: target)
        let folder = target.contains("/") ? (parent == "/" ? "/" : "\(parent)/") : ""
        return FilePath.names(in: parent).filter { $0.hasPrefix(prefix) }.map { folder + $0 }
    }
}
