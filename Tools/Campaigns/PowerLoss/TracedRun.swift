internal import CampaignRuns

/// What a program did to the files below a folder, up to each moment at which the power may fail.
struct TracedRun {
    /// What a program has told the world so far.
    struct Said: Equatable {
        /// How many events are in the log.
        var events: UInt64?
        /// How many of them are signed.
        var signed: UInt64?
    }

    /// A moment at which more is uncertain than just before or after.
    ///
    /// Whatever a power cut can leave at another moment it can leave at one of these, when no less
    /// was said.
    struct Moment {
        let disk: CachedDisk
        let said: Said
        /// What comes next.
        let words: String
        /// Whether the program has ended.
        var isEnd: Bool { words == Self.endWords }

        static let endWords = "the end"
    }

    private struct Descriptor {
        let entry: CachedFolder.Node
        let path: String
        let isSynchronous: Bool
        let appends: Bool
        var offset = 0
    }

    /// The calls that are followed; what else changes files must not be used.
    static let callNames =
        "open,openat,creat,close,dup,dup2,dup3,fcntl,lseek,write,writev,pwrite64,pwritev,pwritev2,"
        + "ftruncate,fallocate,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,"
        + "unlinkat,rmdir,mkdir,mkdirat,mmap," + strangeNames
    private static let strangeNames =
        "truncate,sendfile,copy_file_range,splice,symlink,symlinkat,mknod,mknodat,sync,syncfs,"
        + "sync_file_range,vfork,execveat"

    private let root: String
    /// Calls that do not do what they promise: `fsync`, `fdatasync`, `O_DSYNC`.
    private let broken: Set<String>
    private var disk: CachedDisk
    private var descriptors: [Int: Descriptor] = [:]
    /// What was opened by an absolute path: other paths may begin there.
    private var paths: [Int: String] = [:]
    private var said = Said()
    private(set) var moments: [Moment] = []

    /// Follows a run.
    ///
    /// - Parameters:
    ///   - trace: What strace wrote of it.
    ///   - root: The path of the folder.
    ///   - before: What was in it.
    ///   - broken: Calls that do not do what they promise.
    /// - Throws: ``CampaignError`` if the program did what is not followed here.
    init(
        _ trace: [UInt8], below root: String, from before: FileTree, broken: Set<String>
    ) throws(CampaignError) {
        (self.root, self.broken) = (root, broken)
        disk = try CachedDisk(durable: before)
        for call in try TracedCall.calls(of: trace) where call.result >= 0 { try follow(call) }
        moments.append(Moment(disk: disk, said: said, words: Moment.endWords))
    }

    private mutating func noteMoment(before call: TracedCall, _ path: String) {
        guard !disk.doubts.isEmpty else { return }
        let name = path.dropFirst(root.count + 1)
        moments.append(Moment(disk: disk, said: said, words: "before \(call.name) of \(name)"))
    }

    // MARK: - Calls

    private mutating func follow(_ call: TracedCall) throws(CampaignError) {
        switch call.name {
        case "open", "openat", "creat": try open(call)
        case "close": descriptors[try call.number(0)] = nil
        case "dup", "dup2", "dup3": descriptors[call.result] = descriptors[try call.number(0)]
        case "fcntl":
            guard call.text(1).hasPrefix("F_DUPFD") else { return }
            descriptors[call.result] = descriptors[try call.number(0)]
        case "lseek": descriptors[try call.number(0)]?.offset = call.result
        case "write", "writev", "pwrite64", "pwritev", "pwritev2": try write(call)
        case "ftruncate": try resize(call, to: call.number(1))
        case "fallocate":
            guard call.text(1) == "0" else { throw strange(call) }
            try resize(call, to: call.number(2) + call.number(3), isGrowing: true)
        case "fsync", "fdatasync": try synchronize(call)
        case "rename", "renameat", "renameat2", "link", "linkat": try rename(call)
        case "unlink", "unlinkat", "rmdir": try remove(call)
        case "mkdir", "mkdirat":
            guard let place = try place(of: try path(call)) else { return }
            add(.folder(disk.makeFolder()), at: place)
        case "mmap":
            guard let descriptor = Int(call.text(4)).flatMap({ descriptors[$0] }),
                call.text(3).contains("MAP_SHARED"), call.text(2).contains("PROT_WRITE")
            else { return }
            // What is in LMDB's lock file means nothing after a restart.
            guard descriptor.path.hasSuffix("/lock.mdb") else { throw strange(call) }
        default: throw strange(call)
        }
    }

    private func strange(_ call: TracedCall) -> CampaignError {
        CampaignError(description: "the program used \(call.name), which is not followed")
    }

    private mutating func open(_ call: TracedCall) throws(CampaignError) {
        descriptors[call.result] = nil
        let path = try path(call)
        paths[call.result] = path
        guard path == root || path.hasPrefix(root + "/") else { return }
        let flags = call.name == "creat" ? "O_CREAT|O_TRUNC" : call.text(call.pathIndex + 1)
        var entry = try entry(at: path)
        if entry == nil, flags.contains("O_CREAT"), let place = try place(of: path) {
            let made = CachedFolder.Node.file(disk.makeFile())
            add(made, at: place)
            entry = made
        }
        guard let entry else { throw CampaignError(description: "nobody has made \(path)") }
        if flags.contains("O_TRUNC"), case .file(let number) = entry {
            disk.withFile(number) { $0.resize(to: 0) }
        }
        descriptors[call.result] = Descriptor(
            entry: entry, path: path,
            isSynchronous: flags.contains("O_DSYNC") || flags.contains("O_SYNC"),
            appends: flags.contains("O_APPEND"))
    }

    private mutating func write(_ call: TracedCall) throws(CampaignError) {
        let number = try call.number(0)
        guard let descriptor = descriptors[number] else {
            if number == 1 { listen(String(decoding: try call.bytes(1), as: UTF8.self)) }
            return
        }
        guard case .file(let file) = descriptor.entry else { throw strange(call) }
        let bytes = Array(try call.bytes(1).prefix(call.result))
        var offset = descriptor.appends ? disk.files[file].content.count : descriptor.offset
        if call.name.hasPrefix("p") { offset = try call.number(3) }
        disk.withFile(file) { $0.write(bytes, at: offset) }
        if !call.name.hasPrefix("p") { descriptors[number]?.offset = offset + bytes.count }
        guard descriptor.isSynchronous else { return }
        noteMoment(before: call, descriptor.path)
        guard !broken.contains("O_DSYNC") else { return }
        disk.withFile(file) { $0.synchronize(offset..<offset + bytes.count) }
    }

    /// Hears what the writer says.
    private mutating func listen(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = UInt64(words[1]) else { continue }
            if words[0] == Writer.appendedWord { said.events = number }
            if words[0] == Writer.signedWord { said.signed = number }
        }
    }

    private mutating func resize(
        _ call: TracedCall, to size: Int, isGrowing: Bool = false
    ) throws(CampaignError) {
        guard case .file(let file) = descriptors[try call.number(0)]?.entry else { return }
        let old = disk.files[file].content.count
        disk.withFile(file) { $0.resize(to: isGrowing ? max(old, size) : size) }
    }

    private mutating func synchronize(_ call: TracedCall) throws(CampaignError) {
        guard let descriptor = descriptors[try call.number(0)] else { return }
        noteMoment(before: call, descriptor.path)
        guard !broken.contains(call.name) else { return }
        switch descriptor.entry {
        case .file(let file): disk.withFile(file) { $0.synchronize() }
        case .folder(let folder): disk.withFolder(folder) { $0.synchronize() }
        }
    }

    // MARK: - Names

    /// A name in a folder.
    private typealias Place = (folder: Int, name: String)

    private mutating func rename(_ call: TracedCall) throws(CampaignError) {
        let isAt = call.name.contains("at")
        let old = try call.path(isAt ? 1 : 0)
        let new = try call.path(isAt ? 3 : 1)
        guard let from = try place(of: old), let entry = try entry(at: old),
            let to = try place(of: new), from.folder == to.folder
        else {
            guard old.hasPrefix(root + "/") || new.hasPrefix(root + "/") else { return }
            throw CampaignError(description: "\(call.name) \(old) \(new) is not followed")
        }
        let leaves = call.name.hasPrefix("rename")
        disk.withFolder(to.folder) { folder in
            folder.make(
                CachedFolder.Change(
                    added: (to.name, entry), removed: leaves ? (from.name, entry) : nil))
        }
    }

    private mutating func remove(_ call: TracedCall) throws(CampaignError) {
        let path = try path(call)
        guard let place = try place(of: path), let entry = try entry(at: path) else { return }
        disk.withFolder(place.folder) { folder in
            folder.make(CachedFolder.Change(removed: (place.name, entry)))
        }
    }

    private mutating func add(_ entry: CachedFolder.Node, at place: Place) {
        disk.withFolder(place.folder) { folder in
            folder.make(CachedFolder.Change(added: (place.name, entry)))
        }
    }

    /// The path that a call names, from an open folder on or from the root.
    private func path(_ call: TracedCall) throws(CampaignError) -> String {
        let path = try call.path(call.pathIndex)
        guard call.pathIndex > 0, !path.hasPrefix("/"), call.text(0) != "AT_FDCWD" else {
            return path
        }
        guard let folder = paths[try call.number(0)] else { throw strange(call) }
        return "\(folder)/\(path)"
    }

    /// Where a path leads to; nil if it is not below the root, or its folder is not there.
    private func place(of path: String) throws(CampaignError) -> Place? {
        guard path.hasPrefix(root + "/") else { return nil }
        var names = path.dropFirst(root.count).split(separator: "/").map(String.init)
        guard let name = names.popLast() else { return nil }
        var folder = 0
        for name in names {
            guard case .folder(let next) = disk.folders[folder].entries[name] else { return nil }
            folder = next
        }
        return (folder, name)
    }

    private func entry(at path: String) throws(CampaignError) -> CachedFolder.Node? {
        if path == root || path == root + "/" { return .folder(0) }
        guard let place = try place(of: path) else { return nil }
        return disk.folders[place.folder].entries[place.name]
    }
}

extension TracedCall {
    /// Which argument is the path: calls with a folder have that first.
    fileprivate var pathIndex: Int { name.hasSuffix("at") && name != "creat" ? 1 : 0 }
}
