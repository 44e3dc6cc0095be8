internal import Glibc

/// A directory that is filled next to its name, and is removed again unless it is published: it
/// exists completely or not at all, whenever the power fails.
///
/// Where an empty folder has the name already it stays, with its owner, its permissions and
/// whatever is mounted there: it is filled inside of that, and its files get their names in it. A
/// crash can leave the directory: the name with `.creating-` and six characters, or those alone
/// inside of the folder.
public struct StagingDirectory: ~Copyable {
    /// Where it is filled.
    public let path: String
    /// The path that it is to have, or the folder that its files are to be in.
    private let target: String
    /// Whether the target is a folder that is there already.
    private let isInside: Bool
    /// The names of the files that may be in it.
    private let names: [String]

    private static let infix = ".creating-"
    /// The characters after the infix, which mkdtemp(3) chooses.
    private static let endBytes = 6

    /// Makes the directory, and those around it.
    ///
    /// - Parameters:
    ///   - target: The path that it is to have; nothing, or a free directory, is there, or a link
    ///     to one.
    ///   - names: The names of the files that may be put there, in the order in which they get
    ///     their places: with the first the directory is what it is to be.
    /// - Throws: ``SystemCallError``; of `rename`, with `ENOTEMPTY`, if the directory is not free.
    public init(for target: String, holding names: [String]) throws(SystemCallError) {
        let target = try FilePath.behindLinks(target)
        let isInside = FilePath.kind(of: target) == S_IFDIR
        if isInside {
            guard Self.isFree(target) else {
                throw SystemCallError("rename", target, number: ENOTEMPTY)
            }
        } else {
            try FilePath.makeDirectory(FilePath.parent(of: target))
        }
        let (path, isMade) = FilePath.makeUnique(
            isInside ? "\(target)/\(Self.infix)" : Self.prefix(of: target)
        ) { unsafe mkdtemp(&$0) != nil }
        guard isMade else { throw SystemCallError("mkdtemp", target) }
        (self.target, self.isInside, self.names, self.path) = (target, isInside, names, path)
    }

    deinit {
        // Nothing is left after publishing.
        for name in names { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// Whether a folder is there for whoever fills it first: nothing is in it, or only what a file
    /// system makes by itself, and what an unfinished directory left.
    public static func isFree(_ folder: String) -> Bool {
        FilePath.names(in: folder).allSatisfy {
            [".", "..", "lost+found"].contains($0) || $0.hasPrefix(infix)
        }
    }

    /// Gives the directory, or each of its files, its name, in an order that a power cut cannot
    /// spoil.
    ///
    /// - Throws: ``SystemCallError``: of `rename`, with `ENOTEMPTY`, `EEXIST` or `ENOTDIR` if
    ///   something else took the name.
    public consuming func publish() throws(SystemCallError) {
        let around = try OpenFile(isInside ? target : FilePath.parent(of: target), O_RDONLY)
        for name in names where unsafe access("\(path)/\(name)", F_OK) == 0 {
            try FilePath.synchronize("\(path)/\(name)")
            NewFile.giveToOwner("\(path)/\(name)", in: around)
        }
        NewFile.giveToOwner(path, in: around)
        try FilePath.synchronize(path)
        guard isInside else {
            try SystemCallError.check(unsafe rename(path, target), "rename", target)
            return try around.synchronize()
        }
        // Two that fill the folder at the same time take turns, where that can be had.
        around.lockInTurn(within: 2_000)
        guard Self.isFree(target) else {
            throw SystemCallError("rename", target, number: EEXIST)
        }
        for name in names where unsafe access("\(path)/\(name)", F_OK) == 0 {
            try SystemCallError.check(
                unsafe rename("\(path)/\(name)", "\(target)/\(name)"), "rename", target)
            try around.synchronize()
        }
    }

    /// The directories that are being filled for a path, or were when a process died.
    ///
    /// - Parameter target: The path that they are to have.
    /// - Returns: Their paths in order; none if the directory around it cannot be read.
    public static func unfinished(for target: String) -> [String] {
        let prefix = "\(FilePath.name(of: prefix(of: target)))"
        let parent = FilePath.parent(of: target)
        let folder = target.contains("/") ? (parent == "/" ? "/" : "\(parent)/") : ""
        let inside = FilePath.names(in: target).filter { $0.hasPrefix(infix) }
        return FilePath.names(in: parent).filter { $0.hasPrefix(prefix) }.map { folder + $0 }
            + inside.map { "\(FilePath.trimmed(target))/\($0)" }
    }

    /// A target with the infix, and shortened if there would be no room for the end.
    private static func prefix(of target: String) -> String {
        var path = FilePath.trimmed(target)
        while FilePath.name(of: String(path)).utf8.count + infix.utf8.count + endBytes
            > Int(NAME_MAX)
        { path.removeLast() }
        return "\(path)\(infix)"
    }
}
