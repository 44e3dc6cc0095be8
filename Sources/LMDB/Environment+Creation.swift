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
    /// - Throws: What `fill` throws; the ``LMDBError`` as a `Failure`, with the system's
    ///   `ENOTEMPTY` or `EEXIST` if another environment took the name.
    public static func create<Failure: TransactionFailure>(
        directory: String, mapSizeBytes: Int, databases: [String],
        allowsRemoteFileSystem: Bool = false, companion: CompanionFile? = nil,
        fill: (Environment) throws(Failure) -> Void
    ) throws(Failure) {
        let temporary: TemporaryDirectory
        do {
            try FileSystem.makeParents(of: directory)
            temporary = try TemporaryDirectory(beside: directory, companion: companion)
        } catch {
            throw Failure(error)
        }
        // A function of its own, so that the environment is closed before its directory moves.
        try fillNew(temporary.path, mapSizeBytes, databases, allowsRemoteFileSystem, fill)
        do {
            try temporary.publish(as: directory)
        } catch {
            throw Failure(error)
        }
    }

    /// The directories of creations that are under way, or ended before their time and left them.
    ///
    /// - Parameter directory: The path of the environment.
    /// - Returns: Their paths in order; none if the directory around it cannot be read.
    public static func unfinishedCreations(of directory: String) -> [String] {
        let prefix = "\(FileSystem.name(of: directory))\(TemporaryDirectory.infix)"
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

    private static func fillNew<Failure: TransactionFailure>(
        _ directory: String, _ mapSizeBytes: Int, _ databases: [String],
        _ allowsRemoteFileSystem: Bool, _ fill: (Environment) throws(Failure) -> Void
    ) throws(Failure) {
        var environment: Environment
        do {
            environment = try Environment(
                directory: directory, mapSizeBytes: mapSizeBytes, databases: databases,
                allowsRemoteFileSystem: allowsRemoteFileSystem)
        } catch {
            throw Failure(error)
        }
        try fill(environment)
        do {
            try environment.sync()
        } catch {
            throw Failure(error)
        }
        precondition(
            isKnownUniquelyReferenced(&environment),
            "A new environment must not be kept; open it again by its name.")
    }
}

/// A directory that is removed again unless it is published.
private struct TemporaryDirectory: ~Copyable {
    let path: String
    private let companion: CompanionFile?

    /// What stands between the name of the directory to be and six characters.
    static let infix = ".creating-"

    init(beside directory: String, companion: CompanionFile?) throws(LMDBError) {
        var template = Array("\(FileSystem.trimmed(directory))\(Self.infix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw LMDBError(result: errno, call: "mkdtemp", detail: directory)
        }
        self.companion = companion
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        // Nothing is there any more after publishing.
        unsafe unlink(path + "/data.mdb")
        unsafe unlink(path + "/lock.mdb")
        companion?.remove(from: path)
        unsafe rmdir(path)
    }

    /// Gives the directory its name, in an order that a power cut cannot spoil.
    consuming func publish(as directory: String) throws(LMDBError) {
        try FileSystem.synchronize(path + "/data.mdb")
        try companion?.write(to: path)
        try FileSystem.synchronize(path)
        try LMDBError.checkSystem(unsafe rename(path, directory), "rename", detail: directory)
        try FileSystem.synchronize(FileSystem.parent(of: directory))
    }
}
