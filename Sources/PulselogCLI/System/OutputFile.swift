internal import Glibc
internal import Words

/// A file in the making: it has its name when it is whole and on disk, and not before.
///
/// What is not finished is taken away; of a process that is killed `<name>.creating-` and six
/// characters stay.
struct OutputFile: ~Copyable {
    /// The name that it is to have.
    let path: String

    private let unfinishedPath: String
    private let descriptor: Int32
    /// Whether a file that has the name already gives way to it; nil where nobody can ask for that.
    private let replaces: Bool?

    /// Begins a file beside its name.
    ///
    /// - Parameters:
    ///   - path: The name that it is to have.
    ///   - replaces: Whether a file that has the name already gives way to it; nil if the command
    ///     has no option for that.
    /// - Throws: ``CommandFailure`` if something has the name, or the file cannot be made.
    init(_ path: String, replaces: Bool? = nil) throws(CommandFailure) {
        var status = stat()
        if lstat(path, &status) == 0 {
            guard replaces == true else { throw Self.isTaken(path, replaces) }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw CommandFailure(
                    .cannotCreate, "\(path) is no file that could be written anew; name another.")
            }
        }
        var template = Array("\(path).creating-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            let code: CommandFailure.Code = errno == EACCES ? .permission : .cannotCreate
            throw CommandFailure(code, "\(path) cannot be created: \(Self.words()).")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // As open(2) would have made it: mkstemp(3) lets nobody else read the file.
        let mask = umask(0)
        umask(mask)
        fchmod(descriptor, 0o666 & ~mask)
        unfinishedPath = String(
            decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.descriptor = descriptor
        self.path = path
        self.replaces = replaces
    }

    deinit {
        close(descriptor)
        // Nothing is there any more after finishing.
        unlink(unfinishedPath)
    }

    /// Writes on.
    ///
    /// - Throws: ``CommandFailure`` if the disk does not take it.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(1 << 20))
            let count = Glibc.write(descriptor, piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            rest = rest.dropFirst(count)
        }
    }

    /// Gives the file its name, in an order that a power cut cannot spoil.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be written, or something has the name by now.
    consuming func finish() throws(CommandFailure) {
        guard fsync(descriptor) == 0 else { throw failure() }
        if replaces == true {
            guard rename(unfinishedPath, path) == 0 else { throw failure() }
        } else if link(unfinishedPath, path) != 0 {
            // Not every file system has links; there somebody else might take the name just now.
            var status = stat()
            let isTaken = errno == EEXIST || lstat(path, &status) == 0
            guard !isTaken else { throw Self.isTaken(path, replaces) }
            guard rename(unfinishedPath, path) == 0 else { throw failure() }
        }
        let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Not every folder can be read, and not every file system flushes one: the file is whole.
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private func failure() -> CommandFailure {
        CommandFailure(.inputOutput, "\(path) cannot be written: \(Self.words()).")
    }

    private static func isTaken(_ path: String, _ replaces: Bool?) -> CommandFailure {
        CommandFailure(
            .cannotCreate,
            "\(path) already exists, and nothing is written over it. Name another file"
                + (replaces == nil ? "." : ", or say --force."))
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The system's words for its last error.
    private static func words() -> String { String(cString: strerror(errno)) }
}
