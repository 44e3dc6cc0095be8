internal import Glibc

extension Environment {
    /// Creates an environment that exists completely or not at all, whenever the power fails.
    ///
    /// LMDB alone can leave an empty file behind. Here the environment is filled in a directory
    /// beside it and takes its name when everything is on disk. A crash can leave that directory,
    /// `<name>.creating-` and six characters, which may be deleted.
    ///
    /// - Parameters:
    ///   - directory: The path of the new environment; nothing, or an empty directory, is there.
    ///     The directories around it are made as well.
    ///   - mapSizeBytes: The greatest size of the data file, as when it is opened.
    ///   - databases: The names of the databases.
    ///   - allowsRemoteFileSystem: Whether to go on where LMDB promises nothing.
    ///   - companion: A small file that stands beside the data from the beginning.
    ///   - fill: Called with the new environment, to write what belongs to its first commits. Do
    ///     not keep the environment; open it by its name afterwards.
    /// - Throws: What `fill` throws; ``LMDBError``, with the system's `ENOTEMPTY` or `EEXIST` if
    ///   another environment took the name.
    public static func create(
        directory: String, mapSizeBytes: Int, databases: [String],
        allowsRemoteFileSystem: Bool = false, companion: CompanionFile? = nil,
        fill: (Environment) throws -> Void
    ) throws {
        try publish(directory: directory, others: [companion?.name].compactMap(\.self)) { path in
            try fillNew(path, mapSizeBytes, databases, allowsRemoteFileSystem, fill)
            return companion
        }
    }

    /// Makes a directory with an environment that exists completely or not at all, whenever the
    /// power fails.
    ///
    /// The directory is filled beside its name, `<name>.creating-` and six characters, and takes
    /// the name when everything is on disk; if `fill` throws it is removed again. A crash can leave
    /// it.
    ///
    /// - Parameters:
    ///   - directory: The path; nothing, or an empty directory, is there. The directories around it
    ///     are made as well.
    ///   - others: The names of files that `fill` may put there besides the environment's, or that
    ///     the companion has.
    ///   - fill: Called with the path of the new directory, which is empty. An environment that it
    ///     opens there is closed when it returns. What it returns is written beside the data.
    /// - Throws: What `fill` throws; ``LMDBError``, with the system's `ENOTEMPTY` or `EEXIST` if
    ///   something else took the name.
    public static func publish(
        directory: String, others: [String], fill: (_ path: String) throws -> CompanionFile?
    ) throws {
        try FileSystem.makeParents(of: directory)
        let staged = try StagingDirectory(beside: directory, others: others)
        let companion = try fill(staged.path)
        try staged.publish(as: directory, with: companion)
    }

    /// The directories of creations that are under way, or ended before their time and left them.
    ///
    /// - Parameter directory: The path of the environment.
    /// - Returns: Their paths in order; none if the directory around it cannot be read.
    public static func unfinishedCreations(of directory: String) -> [String] {
        let prefix = "\(FileSystem.name(of: directory))\(StagingDirectory.infix)"
        let parent = FileSystem.parent(of: directory)
        guard let stream = unsafe opendir(parent) else { return [] }
        defer { unsafe closedir(stream) }
        var paths: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            guard name.hasPrefix(prefix) else { continue }
            let folder = parent == "/" ? "" : parent
            paths.append(directory.contains("/") ? "\(folder)/\(name)" : name)
        }
        return paths.sorted()
    }

    private static func fillNew(
        _ directory: String, _ mapSizeBytes: Int, _ databases: [String],
        _ allowsRemoteFileSystem: Bool, _ fill: (Environment) throws -> Void
    ) throws {
        var environment = try Environment(
            directory: directory, mapSizeBytes: mapSizeBytes, databases: databases,
            allowsRemoteFileSystem: allowsRemoteFileSystem)
        try fill(environment)
        try environment.sync()
        precondition(
            isKnownUniquelyReferenced(&environment),
            "A new environment must not be kept; open it again by its name.")
    }
}
