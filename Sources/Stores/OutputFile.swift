internal import Files
internal import Glibc
package import Words

/// A file in the making: it has its name when it is whole and on disk, and not before.
///
/// What is not finished is taken away; of a process that is killed `<name>.creating-` and six
/// characters stay.
package struct OutputFile: ~Copyable {
    private let path: String
    private let file: OpenFile
    /// Whether a file that has the name already gives way to it; nil where nobody can ask for that.
    private let replaces: Bool?

    /// Begins a file next to its name.
    ///
    /// - Parameters:
    ///   - path: The name that it is to have.
    ///   - store: The store that the command reads.
    ///   - replaces: Whether a file that has the name already gives way to it; nil if the command
    ///     has no option for that.
    /// - Throws: ``CommandFailure`` if something has the name, if it would be in a store or among
    ///   what is kept of one, or if the file cannot be made.
    package init(
        _ path: String, besides store: String, replaces: Bool? = nil
    ) throws(CommandFailure) {
        try KeptFiles.refuse(path, besides: store)
        var status = stat()
        if lstat(path, &status) == 0 {
            guard replaces == true else { throw Self.isTaken(path, replaces) }
            try require(
                status.st_mode & S_IFMT == S_IFREG, .cannotCreate,
                "\(path) is not a file that can be overwritten; name another.")
        }
        let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        let end = String(Store.randomBytes(6).map { characters[Int($0) % characters.count] })
        do throws(SystemCallError) {
            file = try OpenFile(
                "\(path).creating-\(end)", O_WRONLY | O_CREAT | O_EXCL, permissions: 0o666)
        } catch {
            throw CommandFailure(
                error.number == EACCES ? .permission : .cannotCreate,
                "\(path) cannot be created: \(String(cString: strerror(error.number))).")
        }
        (self.path, self.replaces) = (path, replaces)
    }

    deinit {
        // Nothing is left after finishing.
        unlink(file.path)
    }

    /// Writes a file that is there whole or not at all.
    ///
    /// - Throws: ``CommandFailure`` if there is such a file, or it cannot be written.
    package static func write(
        _ bytes: [UInt8], to path: String, besides store: String
    ) throws(CommandFailure) {
        let file = try OutputFile(path, besides: store)
        try file.write(bytes)
        try file.finish()
    }

    /// Writes on.
    ///
    /// - Throws: ``CommandFailure`` if the disk does not take it.
    package func write(_ bytes: [UInt8]) throws(CommandFailure) {
        try writing { () throws(SystemCallError) in try file.write(bytes) }
    }

    /// Gives the file its name, in an order that a power cut cannot spoil.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be written, or something has the name by now.
    package consuming func finish() throws(CommandFailure) {
        try writing { () throws(SystemCallError) in try file.synchronize() }
        if replaces == true || link(file.path, path) != 0 {
            // Not every file system has links; there somebody else might take the name just now.
            var status = stat()
            let isTaken = replaces != true && (errno == EEXIST || lstat(path, &status) == 0)
            guard !isTaken else { throw Self.isTaken(path, replaces) }
            try writing { () throws(SystemCallError) in
                _ = try SystemCallError.check(rename(file.path, path), "rename", path)
            }
        }
        let folder = open(FilePath.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Not every folder can be read, and not every file system flushes one: the file is whole.
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private func writing(_ body: () throws(SystemCallError) -> Void) throws(CommandFailure) {
        do throws(SystemCallError) {
            try body()
        } catch {
            throw CommandFailure(
                .inputOutput,
                "\(path) cannot be written: \(String(cString: strerror(error.number))).")
        }
    }

    private static func isTaken(_ path: String, _ replaces: Bool?) -> CommandFailure {
        CommandFailure(
            .cannotCreate,
            "\(path) already exists and is not overwritten. Name another file"
                + (replaces == nil ? "." : ", or add --force."))
    }
}
