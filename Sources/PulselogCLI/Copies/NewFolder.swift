internal import EventStoreLMDB
internal import Glibc
internal import Terminal
internal import Text
internal import Words

/// The folder that a copy of a store is to be: looked at before anything is copied, so that what is
/// in the way is said in a sentence.
struct NewFolder {
    /// Its path, as it was given.
    let path: String

    /// Looks whether a folder can be made.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - store: The store that is copied; it cannot be in there.
    ///   - option: How another name is given: the name of an argument or an option.
    ///   - takesPlaceOfStore: Whether it is the store to be: then it may be an empty folder, and
    ///     the folders around it are made.
    /// - Throws: ``CommandFailure``.
    init(
        _ path: String, apartFrom store: String, namedBy option: String,
        takesPlaceOfStore: Bool = false
    ) throws(CommandFailure) {
        guard !path.isEmpty else {
            throw CommandFailure(.usage, "Name the folder: \(option).")
        }
        self.path = path
        guard path.utf8.split(separator: UInt8(ascii: "/")).last?.count ?? 0 <= Self.nameLimit
        else {
            throw CommandFailure(
                .cannotCreate,
                "The folder's name is longer than \(Self.nameLimit) bytes. Give it a shorter one: "
                    + "\(option).")
        }
        var status = stat()
        if lstat(path, &status) == 0 {
            guard takesPlaceOfStore, isEmptyFolder else { throw isTaken(option) }
        }
        let parent = existingParent
        guard stat(parent, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandFailure(
                .cannotCreate, "\(parent) is no folder, so \(path) cannot be made.")
        }
        guard takesPlaceOfStore || parent == self.parent else {
            throw CommandFailure(
                .cannotCreate,
                "\(self.parent) does not exist. Make it, or look whether the disk is mounted.")
        }
        guard !Self.isInside(parent, store) else {
            throw CommandFailure(
                .cannotCreate,
                "\(path) would be in the store itself, \(store). Name a folder elsewhere: "
                    + "\(option).")
        }
        guard access(parent, W_OK | X_OK) == 0 else {
            throw CommandFailure(
                .permission,
                "\(path) cannot be made: \(String(cString: strerror(errno))). Check who owns "
                    + "\(parent), or name a folder elsewhere: \(option).")
        }
    }

    /// Another folder, or something else, has the name.
    func isTaken(_ option: String) -> CommandFailure {
        CommandFailure(
            .cannotCreate,
            "\(path) already exists, and nothing is written over it. Name another folder: "
                + "\(option).")
    }

    /// Says what unfinished copies of that name were left.
    func nameLeftovers() {
        for left in LMDBEventLog.unfinishedCreations(of: path) {
            Output.standardError.write(
                "pulselog: \(printable(left, limit: 4_096)) belongs to an unfinished copy. "
                    + "Unless that is still running, delete the folder.\n")
        }
    }

    // MARK: - The file system

    /// The longest name of a folder, in bytes: while it is made its name is longer by 16.
    private static let nameLimit = Int(NAME_MAX) - 16

    private var isEmptyFolder: Bool {
        guard let stream = opendir(path) else { return false }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        return count == 2
    }

    /// The folder that it is to be in.
    private var parent: String { Self.parent(of: path) }

    /// The nearest folder around it that exists.
    private var existingParent: String {
        var folder = parent
        while access(folder, F_OK) != 0, errno == ENOENT, folder != ".", folder != "/" {
            folder = Self.parent(of: folder)
        }
        return folder
    }

    private static func parent(of path: String) -> String {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    /// Whether a folder is another one, or in it, whatever their paths look like.
    private static func isInside(_ folder: String, _ other: String) -> Bool {
        var outer = stat()
        guard stat(other, &outer) == 0 else { return false }
        var path = folder
        while true {
            var inner = stat()
            guard stat(path, &inner) == 0 else { return false }
            if inner.st_dev == outer.st_dev, inner.st_ino == outer.st_ino { return true }
            let next = path + "/.."
            var above = stat()
            guard stat(next, &above) == 0,
                above.st_dev != inner.st_dev || above.st_ino != inner.st_ino
            else { return false }
            path = next
        }
    }
}
