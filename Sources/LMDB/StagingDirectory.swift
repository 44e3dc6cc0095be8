internal import Glibc

/// A directory that is removed again, with the files of an environment, unless it is published.
struct StagingDirectory: ~Copyable {
    /// Where it is made: beside the name that it is to have.
    let path: String
    /// The names of files that may be in it besides LMDB's.
    private let others: [String]

    /// What stands between the name of the directory to be and six characters.
    static let infix = ".creating-"

    /// Makes the directory.
    ///
    /// - Parameters:
    ///   - directory: The path that it is to have.
    ///   - others: The names of files that may be put there besides LMDB's.
    /// - Throws: ``LMDBError`` with the system's error.
    init(beside directory: String, others: [String]) throws(LMDBError) {
        var template = Array("\(FileSystem.trimmed(directory))\(Self.infix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw LMDBError(result: errno, call: "mkdtemp", detail: directory)
        }
        self.others = others
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        // Nothing is there any more after publishing.
        for name in ["data.mdb", "lock.mdb"] + others { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// Gives the directory its name, in an order that a power cut cannot spoil.
    ///
    /// - Parameters:
    ///   - directory: The name; nothing, or an empty directory, has it.
    ///   - companion: A file that stands beside the data.
    /// - Throws: ``LMDBError`` with the system's error.
    consuming func publish(
        as directory: String, with companion: CompanionFile?
    ) throws(LMDBError) {
        for name in ["data.mdb"] + others where unsafe access("\(path)/\(name)", F_OK) == 0 {
            try FileSystem.synchronize("\(path)/\(name)")
        }
        try companion?.write(to: path)
        try FileSystem.synchronize(path)
        try LMDBError.checkSystem(unsafe rename(path, directory), "rename", detail: directory)
        try FileSystem.synchronize(FileSystem.parent(of: directory))
    }
}
