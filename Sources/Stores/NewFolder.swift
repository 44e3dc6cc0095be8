internal import EventStoreLMDB
internal import Files
internal import Glibc
internal import Terminal
internal import Text
package import Words

/// The folder that a copy of a store is to be: looked at before anything is copied, so that what is
/// in the way is said in a sentence.
package struct NewFolder {
    /// Its path, as it was given.
    let path: String
    /// How another name is given: the name of an argument or an option.
    private let option: String

    /// Looks whether a folder can be made, and says what unfinished copies of that name were left.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - store: The store that is copied; it cannot be in there.
    ///   - option: How another name is given: the name of an argument or an option.
    ///   - takesPlaceOfStore: Whether it is the store to be: then it may be an empty folder, and
    ///     the folders around it are made.
    /// - Throws: ``CommandFailure``.
    package init(
        _ path: String, apartFrom store: String, namedBy option: String,
        takesPlaceOfStore: Bool = false
    ) throws(CommandFailure) {
        try require(!path.isEmpty, .usage, "Name the folder: \(option).")
        (self.path, self.option) = (path, option)
        try require(
            FilePath.name(of: path).utf8.count <= Self.nameLimit, .cannotCreate,
            "The folder's name is longer than \(Self.nameLimit) bytes. Give it a shorter one: "
                + "\(option).")
        if FilePath.kind(of: path, followsLink: false) != 0 {
            let isFolder = [0, S_IFDIR].contains(FilePath.kind(of: path))
            guard takesPlaceOfStore, isFolder, StagingDirectory.isFree(path) else { throw isTaken }
        }
        let around = FilePath.parent(of: path)
        let parent = FilePath.existing(takesPlaceOfStore ? path : around)
        try require(
            FilePath.kind(of: parent) == S_IFDIR, .cannotCreate,
            "\(parent) is not a folder: \(path) cannot be made.")
        try require(
            takesPlaceOfStore || parent == around, .cannotCreate,
            "\(around) does not exist. Make it, or check that the disk is mounted.")
        try require(
            !FilePath.isInside(parent, store) && !KeptFiles.isInStateFolder(parent), .cannotCreate,
            "\(path) would be in the store itself, \(store), or among the keys of logs. Name "
                + "a folder elsewhere: \(option).")
        try require(
            access(parent, W_OK | X_OK) == 0, .permission,
            "\(path) cannot be made: \(String(cString: strerror(errno))). Check who owns "
                + "\(parent), or name a folder elsewhere: \(option).")
        Self.nameLeftovers(of: path, "copy")
    }

    /// Another folder, or something else, has the name.
    var isTaken: CommandFailure {
        CommandFailure(
            .cannotCreate,
            "\(path) already exists and is not overwritten. Name another folder: "
                + "\(option).")
    }

    /// Says what is left of what was to be a folder and was not finished.
    package static func nameLeftovers(of path: String, _ what: String) {
        let it = what == "copy" ? "that" : "it"
        for left in LMDBEventLog.unfinishedCreations(of: path) {
            Output.standardError.say(
                "\(printable(left, limit: 4_096)) belongs to an unfinished \(what). "
                    + "Unless \(it) is still running, delete the folder.")
        }
    }

    /// The longest name of a folder, in bytes.
    private static let nameLimit = Int(NAME_MAX)
}
