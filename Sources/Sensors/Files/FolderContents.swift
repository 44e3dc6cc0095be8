internal import Files
internal import Glibc

/// The files in a folder and the folders in it.
package enum FolderContents {
    /// So many folders within each other are looked into; links to folders are not.
    private static let depthLimit = 16
    /// The most files.
    private static let fileLimit = 100_000

    /// Whether there is a folder of a name.
    package static func isFolder(_ path: String) -> Bool { FilePath.kind(of: path) == S_IFDIR }

    /// The files in a folder, in order of their paths; hidden ones are passed over.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The paths of regular files, of links to such, and of folders within that may not
    ///   be read.
    /// - Throws: ``FileError`` if the folder may not be read, if there are more than 100,000 files,
    ///   or more than 16 folders lie within each other.
    package static func files(in folder: String) throws(FileError) -> [String] {
        var files: [String] = []
        try add(folder.hasSuffix("/") ? String(folder.dropLast()) : folder, 0, to: &files)
        return files
    }

    private static func add(
        _ folder: String, _ depth: Int, to files: inout [String]
    ) throws(FileError) {
        guard access(folder, R_OK | X_OK) == 0 else {
            // Of one that nobody has named, whoever reads the files says why.
            guard depth > 0 else { throw FileError(reading: folder) }
            return files.append(folder)
        }
        for name in FilePath.names(in: folder) where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            if FilePath.kind(of: path, followsLink: false) == S_IFDIR {
                try require(
                    depth < depthLimit, .badContent, "\(path): too many folders within each other.")
                try add(path, depth + 1, to: &files)
            } else if FilePath.kind(of: path) == S_IFREG {
                files.append(path)
            }
            try require(
                files.count <= fileLimit, .badContent,
                "\(folder): more than 100,000 files; name the folders in it.")
        }
    }
}
