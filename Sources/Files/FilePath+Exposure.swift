internal import Glibc

extension FilePath {
    /// How others than this user and root can change a file, or put another one in its place.
    ///
    /// Every folder and symbolic link that leads to it counts, but for the folders around the home
    /// folder: those are the system's, and to a confined service seem to be nobody's. A folder
    /// where all can make files and only their owners can take them away, such as `/tmp`, lets
    /// nobody replace them.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - home: The home folder; nil for none.
    /// - Returns: Which file or folder that is, and what to do, or why that cannot be found out;
    ///   nil if they cannot.
    public static func exposure(of path: String, home: String?) -> String? {
        let full = path.hasPrefix("/") ? path : "/proc/self/cwd/\(path)"
        // Those that are still to come, the next one last.
        var names = Array(full.split(separator: "/").map(String.init).reversed())
        var place = "/"
        for _ in 0..<4_096 {
            var status = stat()
            guard unsafe lstat(place, &status) == 0 else {
                return SystemCallError("lstat", place).description
            }
            let isAroundHome = home?.hasPrefix(place == "/" ? "/" : "\(place)/") ?? false
            guard isAroundHome || [0, geteuid()].contains(status.st_uid) else {
                return "\(place) belongs to user \(status.st_uid), who can change it; keep the "
                    + "file in a folder of yours"
            }
            if let target = target(ofLink: place) {
                names += target.split(separator: "/").map(String.init).reversed()
                place = target.hasPrefix("/") ? "/" : parent(of: place)
            } else if !isAroundHome, status.st_mode & 0o022 != 0, status.st_mode & S_ISVTX == 0 {
                return "others can write \(place); `chmod go-w \(quoted(place))` ends that"
            }
            switch names.popLast() {
            case nil: return nil
            case ".": break
            case "..": place = parent(of: place)
            case let name?: place = place == "/" ? "/\(name)" : "\(place)/\(name)"
            }
        }
        return SystemCallError("readlink", path, number: ELOOP).description
    }
}
