internal import Glibc

/// What is done with paths.
public enum FilePath {
    /// The absolute path without symbolic links.
    ///
    /// - Throws: ``SystemCallError``.
    public static func canonical(_ path: String) throws(SystemCallError) -> String {
        guard let resolved = unsafe realpath(path, nil) else {
            throw SystemCallError("realpath", path)
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
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

    /// Which file a path leads to; nil if that cannot be told.
    private static func identity(_ path: String) -> FileIdentity? {
        do throws(SystemCallError) {
            return try FileIdentity(path: path)
        } catch {
            return nil  // Asked about a file that may be gone, or shut off.
        }
    }

    /// Makes a new file or folder beside others.
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

    /// Makes a directory and those around it, each only for its owner and on disk before the next.
    ///
    /// - Parameter path: Its path; it may already be there.
    /// - Throws: ``SystemCallError``.
    public static func makeDirectory(_ path: String) throws(SystemCallError) {
        guard unsafe access(path, F_OK) != 0, errno == ENOENT else { return }
        let parent = parent(of: path)
        if parent != path { try makeDirectory(parent) }
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemCallError("mkdir", path) }
        try synchronize(parent)
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
