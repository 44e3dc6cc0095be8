internal import Glibc

/// What is done with paths.
public enum FilePath {
    /// The absolute path without symbolic links.
    ///
    /// - Throws: ``SystemCallError``.
    public static func canonical(_ path: String) throws(SystemCallError) -> String {
        guard let resolved = resolved(path) else { throw SystemCallError("realpath", path) }
        return resolved
    }

    /// The absolute path without symbolic links; nil, with `errno`, if there is none.
    public static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// The kind of the file at a path, such as `S_IFDIR`; 0 if there is none.
    public static func kind(of path: String, followsLink: Bool = true) -> UInt32 {
        var status = stat()
        let result = unsafe followsLink ? stat(path, &status) : lstat(path, &status)
        return result == 0 ? status.st_mode & S_IFMT : 0
    }

    /// A path without the slashes at its end.
    public static func trimmed(_ path: String) -> Substring {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        return trimmed
    }

    /// The directory that a path lies in.
    public static func parent(of path: String) -> String {
        let trimmed = trimmed(path)
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    /// The last name of a path.
    public static func name(of path: String) -> Substring {
        let trimmed = trimmed(path)
        return trimmed.lastIndex(of: "/").map { trimmed[trimmed.index(after: $0)...] } ?? trimmed
    }

    /// A path, or the nearest folder around it that exists.
    public static func existing(_ path: String) -> String {
        var folder = path
        while unsafe access(folder, F_OK) != 0, folder != ".", folder != "/" {
            folder = parent(of: folder)
        }
        return folder
    }

    /// Whether a folder is another one, or in it, whatever their paths look like.
    public static func isInside(_ folder: String, _ other: String) -> Bool {
        var path = folder
        guard let outer = identity(other), var inner = identity(path) else { return false }
        while inner != outer {
            path += "/.."
            guard let above = identity(path), above != inner else { return false }
            inner = above
        }
        return true
    }

    /// Which file a path leads to; nil if there is none, or it may not be looked at.
    public static func identity(_ path: String) -> FileIdentity? {
        do throws(SystemCallError) {
            return try FileIdentity(path: path)
        } catch {
            return nil  // Asked about a file that may be gone, or shut off.
        }
    }

    /// Makes a new file or folder next to others.
    ///
    /// - Parameters:
    ///   - prefix: Its name, but for the six characters at the end.
    ///   - make: Gets a template whose end it fills in, as mkstemp(3) and mkdtemp(3) do.
    /// - Returns: Its path, and what `make` returned.
    public static func makeUnique<Made>(
        _ prefix: String, _ make: (inout [CChar]) -> Made
    ) -> (path: String, made: Made) {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        let made = make(&template)
        return (
            String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self), made
        )
    }

    /// Makes a new file or folder where those are that no one needs later: in `TMPDIR`, or `/tmp`.
    ///
    /// - Parameter make: As in ``makeUnique(_:_:)``.
    /// - Returns: Its path, and what `make` returned.
    public static func makeTemporary<Made>(
        _ make: (inout [CChar]) -> Made
    ) -> (path: String, made: Made) {
        let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
        return makeUnique("\(named.isEmpty ? "/tmp" : named)/pulselog-", make)
    }

    /// Makes a directory and those around it, each only for its owner and on disk before the next.
    ///
    /// - Parameter path: Its path; it may already be there.
    /// - Throws: ``SystemCallError``.
    public static func makeDirectory(_ path: String) throws(SystemCallError) {
        guard unsafe access(path, F_OK) != 0, errno == ENOENT else { return }
        let path = try behindLinks(path)
        let parent = parent(of: path)
        if parent != path { try makeDirectory(parent) }
        do throws(SystemCallError) {
            try NewFile.makeFolder(path)
        } catch {
            guard error.number == EEXIST else { throw error }
        }
        try synchronize(parent)
    }

    /// A path in whose place no symbolic link is: what the links at its end lead to, whether that
    /// exists or not.
    ///
    /// - Throws: ``SystemCallError`` `ELOOP` if they lead in a circle.
    public static func behindLinks(_ path: String) throws(SystemCallError) -> String {
        var path = String(trimmed(path))
        for _ in 0..<40 {
            guard let link = target(ofLink: path) else { return path }
            path = link.hasPrefix("/") ? link : "\(parent(of: path))/\(link)"
            path = String(trimmed(path))
        }
        throw SystemCallError("readlink", path, number: ELOOP)
    }

    /// What a symbolic link leads to, as it stands there; nil for anything else.
    static func target(ofLink path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &target, target.count)
        guard count > 0 else { return nil }
        return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// By which other name a file can be reached than by its own in its folder; nil if by none.
    ///
    /// - Returns: What is to be said of the file after its path.
    public static func secondName(of path: String) -> String? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK { return "is a symbolic link" }
        if status.st_nlink > 1 { return "has \(status.st_nlink) names (hard links)" }
        return isMountPoint(path) ? "is mounted by itself" : nil
    }

    /// Whether something is mounted on a file, as the kernel's list of mounts says.
    private static func isMountPoint(_ path: String) -> Bool {
        do throws(SystemCallError) {
            let list = try readFile("/proc/self/mountinfo", limit: 1 << 20)?.bytes ?? []
            // The fifth field, in which a blank is written as a number (proc(5)).
            let place = try canonical(path).replacing(" ", with: "\\040")
            return list.split(separator: UInt8(ascii: "\n")).contains { line in
                let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
                return fields.count > 4 && fields[4].elementsEqual(place.utf8)
            }
        } catch {
            return false
        }
    }

    /// What keeps this user out of a path, and what gives it back: something of another user in a
    /// folder of this one, as a command with sudo leaves it; nil if it is not that.
    public static func remedy(_ path: String) -> String? {
        var path = existing(path)
        while true {
            let parent = parent(of: path)
            var (own, around) = (stat(), stat())
            guard unsafe lstat(path, &own) == 0, unsafe stat(parent, &around) == 0 else {
                return nil
            }
            if own.st_uid != geteuid(), around.st_uid == geteuid() {
                let owner = own.st_uid == 0 ? "root" : "user \(own.st_uid)"
                return "\(path) belongs to \(owner); `sudo chown -R \(geteuid()) "
                    + "\(quoted(path))` makes it yours"
            }
            guard parent != path, parent != "." else { return nil }
            path = parent
        }
    }

    /// A path as one word of a shell.
    public static func quoted(_ path: String) -> String {
        let parts = path.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.joined(separator: "'\\''"))'"
    }

    /// Makes the content of a file, or the names in a directory, survive a power cut.
    ///
    /// - Throws: ``SystemCallError``.
    public static func synchronize(_ path: String) throws(SystemCallError) {
        try OpenFile(path, O_RDONLY).synchronize()
    }

    /// The names in a directory, in order; none if it cannot be read.
    public static func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                    unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                        unsafe String(cString: $0)
                    }
                })
        }
        return names.sorted()
    }
}
