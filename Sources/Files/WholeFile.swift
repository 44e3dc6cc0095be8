internal import Glibc

/// Reads a small file to its end.
///
/// - Parameters:
///   - path: Its path.
///   - limit: No more bytes are read.
///   - flags: Those of open(2) besides reading.
/// - Returns: Its bytes and its permissions; nil if there is none.
/// - Throws: ``SystemCallError``.
public func readFile(
    _ path: String, limit: Int, _ flags: Int32 = 0
) throws(SystemCallError) -> (bytes: [UInt8], permissions: UInt32)? {
    do throws(SystemCallError) {
        let file = try OpenFile(path, O_RDONLY | flags)
        guard let status = file.status else { throw SystemCallError("fstat", path) }
        return (try file.read(limit), status.st_mode & 0o777)
    } catch {
        guard error.call == "open", error.number == ENOENT else { throw error }
        return nil
    }
}

/// Writes a small file that is there whole or not at all, whenever the power fails.
///
/// It is only for its owner. What a process leaves that is killed meanwhile has the name with
/// `.new-` and a number, which another process with the same process number, in another container,
/// does not choose as well.
///
/// - Parameters:
///   - bytes: Its content.
///   - path: Its path.
///   - replaces: Whether it takes the place of one that is there; else that one stays. In both
///     cases the one that is there is on disk when this returns.
/// - Throws: ``SystemCallError``; then the file is as it was.
public func writeFile(
    _ bytes: [UInt8], to path: String, replaces: Bool = true
) throws(SystemCallError) {
    let draft = "\(path).new-\(UInt64.random(in: 0 ... .max))"
    let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_EXCL)
    defer { unsafe unlink(draft) }
    try file.write(bytes)
    try file.synchronize()
    if replaces {
        try SystemCallError.check(unsafe rename(draft, path), "rename", path)
    } else if unsafe link(draft, path) != 0, errno != EEXIST {
        throw SystemCallError("link", path)
    }
    try FilePath.synchronize(FilePath.parent(of: path))
}
