internal import CampaignRuns

/// Files and folders as processes see them, and what of that a power cut may take back.
struct CachedDisk {
    private(set) var files: [CachedFile] = []
    private(set) var folders: [CachedFolder] = []

    /// A disk on which everything is certain; its top folder has the number 0.
    init(durable tree: FileTree) throws(CampaignError) {
        guard case .folder = tree else { throw CampaignError(description: "a disk is a folder") }
        _ = take(tree)
    }

    private mutating func take(_ tree: FileTree) -> CachedFolder.Node {
        switch tree {
        case .file(let content):
            files.append(CachedFile(durable: content))
            return .file(files.count - 1)
        case .folder(let entries):
            let number = folders.count
            folders.append(CachedFolder())
            var named: [String: CachedFolder.Node] = [:]
            for name in entries.keys.sorted() { named[name] = entries[name].map { take($0) } }
            folders[number] = CachedFolder(durable: named)
            return .folder(number)
        }
    }

    // MARK: - Calls

    /// Makes a file without a name.
    mutating func makeFile() -> Int {
        files.append(CachedFile(durable: []))
        return files.count - 1
    }

    /// Makes a folder without a name.
    mutating func makeFolder() -> Int {
        folders.append(CachedFolder())
        return folders.count - 1
    }

    mutating func withFile(_ number: Int, _ body: (inout CachedFile) -> Void) {
        body(&files[number])
    }

    mutating func withFolder(_ number: Int, _ body: (inout CachedFolder) -> Void) {
        body(&folders[number])
    }

    // MARK: - The power cut

    /// Something of which nobody knows whether it is on disk.
    enum Doubt: Hashable {
        case page(Int, file: Int, versions: Int)
        case size(file: Int, sizes: Int)
        case change(Int, folder: Int)

        /// In how many ways it may have come out; 0 is that nothing was written.
        var outcomes: Int {
            switch self {
            case .page(_, _, let versions): versions
            case .size(_, let sizes): sizes
            case .change: 2
            }
        }
    }

    /// All doubts, in an order that is the same each time.
    var doubts: [Doubt] {
        var doubts: [Doubt] = []
        for (number, file) in files.enumerated() {
            for (page, versions) in file.doubtfulPages {
                doubts.append(.page(page, file: number, versions: versions))
            }
            if file.possibleSizes > 1 {
                doubts.append(.size(file: number, sizes: file.possibleSizes))
            }
        }
        for (number, folder) in folders.enumerated() {
            for change in 0..<folder.doubtfulChanges {
                doubts.append(.change(change, folder: number))
            }
        }
        return doubts
    }

    /// What is on disk after a power cut.
    ///
    /// - Parameters:
    ///   - fates: What became of each doubt, in order; of a page also which sectors.
    ///   - hole: What is where nothing was written.
    /// - Returns: All files and folders.
    func remains(_ fates: [CachedFile.PageFate], _ hole: CachedFile.Hole) -> FileTree {
        var pages: [Int: [Int: CachedFile.PageFate]] = [:]
        var sizes: [Int: Int] = [:]
        var written: [Int: Set<Int>] = [:]
        for (doubt, fate) in zip(doubts, fates) {
            switch doubt {
            case .page(let page, let file, _): pages[file, default: [:]][page] = fate
            case .size(let file, _): sizes[file] = fate.version
            case .change(let change, let folder):
                if fate.version > 0 { written[folder, default: []].insert(change) }
            }
        }
        func tree(_ entry: CachedFolder.Node) -> FileTree {
            switch entry {
            case .file(let number):
                return .file(
                    files[number].remains(pages[number] ?? [:], size: sizes[number] ?? 0, hole))
            case .folder(let number):
                let entries = folders[number].remains { written[number]?.contains($0) ?? false }
                return .folder(entries.mapValues { tree($0) })
            }
        }
        return tree(.folder(0))
    }
}
