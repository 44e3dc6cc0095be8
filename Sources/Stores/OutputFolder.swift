internal import Files
internal import Glibc
package import Words

/// A folder that a command writes several files into.
package struct OutputFolder {
    private let path: String

    /// Whether a path is that of a folder, or is to be one.
    package static func isFolder(_ path: String) -> Bool {
        path.hasSuffix("/") || FilePath.kind(of: path) == S_IFDIR
    }

    /// Opens a folder, and makes it if it does not exist; not those around it.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - store: The store that the command reads.
    /// - Throws: ``CommandFailure`` if it cannot be made, or would be in a store.
    package init(_ path: String, besides store: String) throws(CommandFailure) {
        self.path = String(FilePath.trimmed(path))
        if Self.isFolder(self.path) { return }
        try KeptFiles.refuse(self.path, besides: store)
        guard mkdir(self.path, 0o777) == 0 else {
            throw CommandFailure(
                errno == EACCES ? .permission : .cannotCreate,
                "\(path) cannot be made: \(String(cString: strerror(errno))). Name a folder, or "
                    + "one that can be made.")
        }
    }

    /// The path of a file in it.
    package func file(_ name: String) -> String { "\(path)/\(name)" }
}
