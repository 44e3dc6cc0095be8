internal import Glibc

/// A failure of the campaign itself.
struct CampaignError: Error, CustomStringConvertible {
    let description: String
}

/// The few things that the campaign does with files.
enum Files {
    static func read(_ path: String) throws(CampaignError) -> [UInt8] {
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

    static func write(_ bytes: [UInt8], _ path: String) throws(CampaignError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw failure("write", path) }
    }

    /// Removes a folder of files, if it is there.
    static func remove(_ folder: String) throws(CampaignError) {
        for name in try names(in: folder) { unlink("\(folder)/\(name)") }
        guard rmdir(folder) == 0 || errno == ENOENT else { throw failure("rmdir", folder) }
    }

    /// Removes a folder and all that is in it, if it is there.
    static func removeTree(_ folder: String) throws(CampaignError) {
        for name in try names(in: folder) where unlink("\(folder)/\(name)") != 0 {
            try removeTree("\(folder)/\(name)")
        }
        try remove(folder)
    }

    /// Puts files into a folder, and nothing else.
    static func fill(_ folder: String, _ files: [String: [UInt8]]) throws(CampaignError) {
        try remove(folder)
        guard mkdir(folder, 0o700) == 0 else { throw failure("mkdir", folder) }
        for (name, content) in files { try write(content, "\(folder)/\(name)") }
    }

    /// All files of a folder with their content.
    static func contents(of folder: String) throws(CampaignError) -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in try names(in: folder) { contents[name] = try read("\(folder)/\(name)") }
        return contents
    }

    static func temporaryFolder() throws(CampaignError) -> String {
        // In memory, where a commit costs nothing.
        let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(place)/pulselog-damage-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw failure("mkdtemp", place) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func names(in folder: String) throws(CampaignError) -> [String] {
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

    private static func failure(_ call: String, _ path: String) -> CampaignError {
        CampaignError(description: "\(call) \(path): \(String(cString: strerror(errno)))")
    }
}
