internal import Glibc

/// A failure of the campaign itself.
package struct CampaignError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// The few things that campaigns do with files.
package enum Files {
    package static func read(_ path: String) throws(CampaignError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("fstat", path) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == bytes.count else { throw failure("read", path) }
        return bytes
    }

    package static func write(_ bytes: [UInt8], _ path: String) throws(CampaignError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw failure("write", path) }
    }

    /// Removes a folder of files, if it is there.
    package static func remove(_ folder: String) throws(CampaignError) {
        for name in try names(in: folder) { unlink("\(folder)/\(name)") }
        guard rmdir(folder) == 0 || errno == ENOENT else { throw failure("rmdir", folder) }
    }

    /// Removes a folder and all that is in it, if it is there.
    package static func removeTree(_ folder: String) throws(CampaignError) {
        for name in try names(in: folder) where unlink("\(folder)/\(name)") != 0 {
            try removeTree("\(folder)/\(name)")
        }
        try remove(folder)
    }

    /// Puts files into a folder, and nothing else.
    package static func fill(_ folder: String, _ files: [String: [UInt8]]) throws(CampaignError) {
        try remove(folder)
        guard mkdir(folder, 0o700) == 0 else { throw failure("mkdir", folder) }
        for (name, content) in files { try write(content, "\(folder)/\(name)") }
    }

    /// All files of a folder with their content.
    package static func contents(of folder: String) throws(CampaignError) -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in try names(in: folder) { contents[name] = try read("\(folder)/\(name)") }
        return contents
    }

    /// Makes a folder for a campaign.
    ///
    /// - Parameter name: What its name begins with.
    /// - Returns: Its path.
    /// - Throws: ``CampaignError``.
    package static func temporaryFolder(_ name: String) throws(CampaignError) -> String {
        // In memory, where a commit costs nothing.
        let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(place)/\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw failure("mkdtemp", place) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Gives the programs of a campaign an environment that tells nothing of this machine.
    ///
    /// - Parameter folder: The folder of the campaign.
    package static func settleEnvironment(in folder: String) {
        setenv("TZ", "UTC", 1)
        setenv("LC_ALL", "C", 1)
        setenv("SWIFT_BACKTRACE", "enable=no", 1)
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(folder)/no-bus", 1)
    }

    /// The names of what is in a folder; none if it is not there.
    package static func names(in folder: String) throws(CampaignError) -> [String] {
        guard let directory = opendir(folder) else {
            guard errno == ENOENT else { throw failure("opendir", folder) }
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// A folder and all that is in it; nil if it is not there.
    package static func tree(of path: String) throws(CampaignError) -> FileTree? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFDIR else { return .file(try read(path)) }
        var entries: [String: FileTree] = [:]
        for name in try names(in: path) { entries[name] = try tree(of: "\(path)/\(name)") }
        return .folder(entries)
    }

    /// Puts a folder and all that is in it into an empty place.
    package static func put(_ tree: FileTree, _ path: String) throws(CampaignError) {
        switch tree {
        case .file(let content): try write(content, path)
        case .folder(let entries):
            guard mkdir(path, 0o700) == 0 else { throw failure("mkdir", path) }
            for (name, entry) in entries { try put(entry, "\(path)/\(name)") }
        }
    }

    /// The folder that a path lies in.
    package static func folder(of path: String) -> Substring {
        path[..<(path.lastIndex(of: "/") ?? path.endIndex)]
    }

    /// The path of the program that runs.
    package static func ownPath() throws(CampaignError) -> String {
        var path = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else { throw CampaignError(description: "/proc is not mounted") }
        return String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func failure(_ call: String, _ path: String) -> CampaignError {
        CampaignError(description: "\(call) \(path): \(String(cString: strerror(errno)))")
    }
}

/// A file, or a folder with all that is in it.
package enum FileTree: Equatable {
    case file([UInt8])
    case folder([String: FileTree])
}
