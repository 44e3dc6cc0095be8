internal import Files
internal import Glibc
internal import Words

/// Files on which no output goes, whatever an option says.
///
/// Those of stores, and keys and checkpoints outside of them. A file is one of them by what it is
/// and not by how it is called.
enum KeptFiles {
    /// Refuses a path for what a command writes.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - store: The store that the command reads.
    /// - Throws: ``CommandFailure`` if it is in a store, or among what is kept of one, or is
    ///   another name of such a file.
    static func refuse(_ path: String, besides store: String) throws(CommandFailure) {
        let folder = FilePath.parent(of: path)
        guard isStore(folder) || isInStateFolder(folder) || isFile(path, of: store) else { return }
        throw CommandFailure(
            .cannotCreate,
            "\(path) would be among the files of a log, and nothing else is written there. Name a "
                + "file elsewhere.")
    }

    /// Refuses to write to standard output if that is a file of a store, or of what is kept outside
    /// of it: nothing would be left to read.
    ///
    /// - Parameter directory: The store.
    /// - Throws: ``CommandFailure``.
    static func refuseStandardOutput(in directory: String) throws(CommandFailure) {
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            isFile("/proc/self/fd/\(STDOUT_FILENO)", of: directory)
        else { return }
        throw CommandFailure(
            .cannotCreate,
            "Standard output is a file of the log in \(directory). Write to a file elsewhere.")
    }

    /// Whether a folder is among the keys and checkpoints of logs.
    static func isInStateFolder(_ folder: String) -> Bool {
        Surroundings.stateFolder.map { FilePath.isInside(folder, $0) } ?? false
    }

    private static func isStore(_ folder: String) -> Bool {
        ["data.mdb", "log.id"].contains { access("\(folder)/\($0)", F_OK) == 0 }
    }

    /// Whether a path leads to a file of a store, or to a key or a checkpoint of any.
    private static func isFile(_ path: String, of store: String) -> Bool {
        // What cannot be reached is not written over either.
        guard let own = FilePath.identity(path) else { return false }
        let folders = [store] + (Surroundings.stateFolder.map { names(in: $0) } ?? [])
        return folders.contains { names(in: $0).contains { FilePath.identity($0) == own } }
    }

    private static func names(in folder: String) -> [String] {
        FilePath.names(in: folder).filter { $0 != "." && $0 != ".." }.map { "\(folder)/\($0)" }
    }
}
