internal import EventStore
internal import Events
internal import Files
internal import Glibc
internal import LMDB
internal import TamperEvidence

/// Where what is found beyond the first missing event is written, in a form of the caller's.
public struct BlockTranscript {
    /// The name of the file in the new store; it is made only if there is something to write.
    public let name: String
    /// What is written for a block.
    public let lines: (Span<UInt8>) -> [UInt8]

    /// Names a file and what it holds.
    ///
    /// - Parameters:
    ///   - name: The name, without a directory.
    ///   - lines: Gives what is written for a block, which verifies; the span is valid inside only.
    public init(name: String, lines: @escaping (Span<UInt8>) -> [UInt8]) {
        (self.name, self.lines) = (name, lines)
    }
}

extension LMDBEventLog {
    /// Makes a store of what verifies in a data file that may be damaged anywhere.
    ///
    /// The file is only read, and not by LMDB. From position 0 on, every block is kept as it is, up
    /// to the first that is missing or not as it was sealed; then a new origin begins. What is
    /// found beyond that is not in the log: it goes into a file of its own. If the first block is
    /// missing, the log is the new origin, and all is in that file. The store takes its
    /// name when all of it is on disk.
    ///
    /// - Parameters:
    ///   - broken: The path of the store that is damaged.
    ///   - directory: The path of the new store; nothing is there. The directories around it are
    ///     made as well.
    ///   - beyond: Where to write what is found beyond the first missing event.
    ///   - origin: Called with the verified copy, for what the new origin begins with:
    ///     `originBegan` comes first, and follows the last event that was kept.
    ///   - progress: Told now and then how far it is; false ends it.
    /// - Returns: How it ended; with what was kept and what was found beyond.
    /// - Throws: ``LogCreationError``; with `damaged` if no block was found,
    ///   with `busy` if others write to it, and with `notFound` if there is no file. Nothing was
    ///   made.
    public static func recover<Failure: Error>(
        from broken: String, to directory: String, beyond: BlockTranscript,
        origin: (LMDBEventLog) throws(Failure) -> LogOrigin,
        progress: (CopyProgress) -> Bool = { _ in true }
    ) throws(LogCreationError<Failure>) -> CopyOutcome<LogRecovery> {
        try LogCreationError<Failure>.mapErrors(in: directory) {
            try StagedStore.make(directory, others: [beyond.name], progress: progress) { staged in
                guard let salvage = try Salvage(of: broken, progress: staged.progress),
                    try salvage.fill(staged)
                else { return nil }
                try salvage.write(beyond, in: staged.directory)
                let finished = try staged.finish { log in
                    try LogCreationError.source { () throws(Failure) in try origin(log) }
                }
                return finished.map { (salvage.report($0.made), $0.id) }
            }
        }
    }
}

/// What can be saved of a damaged data file.
private struct Salvage {
    /// Where the two meta pages are, however long a page is; a commit changes one of them.
    private static let metaBytes = 2 << 16
    /// No row of the table `meta` that is looked at is longer.
    private static let rowBytes = 1_024

    private let search: BlockSearch
    private let chain: BlockChain

    /// Looks through the file.
    ///
    /// - Returns: nil if `progress` ended it.
    /// - Throws: ``EventLogError``: `notFound`, `unrecognized`, `permission`, `busy` if somebody
    ///   writes to the file, or `damaged` if there is no block of a log.
    init?(
        of directory: String, progress: (CopyProgress) -> Bool
    ) throws(EventLogError) {
        let path = "\(directory)/data.mdb"
        let file = try BlockFile(path)
        let metaPages = file.bytes(from: 0, count: min(file.byteCount, Self.metaBytes))
        var (places, meta): ([Position: Int], [[UInt8]: [UInt8]]) = ([:], [:])
        let areAllPlaces = try mapErrors(in: directory) {
            try ValuePlaces.find(of: Environment.storeTables, inFile: path) { table, key, place in
                if table == "meta" {
                    guard place.count <= Self.rowBytes else { return }
                    let row = file.bytes(from: place.lowerBound, count: place.count)
                    meta[[UInt8](copying: key)] = row
                } else if let first = RecordKey(key) {
                    places[first.number] = place.lowerBound
                }
            }
        }
        try Self.refuseOtherLog(path, meta, in: directory)
        var seals = KnownSeals(meta)
        var search = BlockSearch(file)
        let found = search.run { done in
            progress(CopyProgress(step: .searching, doneBytes: done, allBytes: file.byteCount))
        }
        guard let found else { return nil }
        guard file.bytes(from: 0, count: min(file.byteCount, Self.metaBytes)) == metaPages else {
            throw EventLogError(.busy, detail: directory)
        }
        guard !found.isEmpty else {
            throw .damaged("no block of a log was found in \(path)")
        }
        self.search = search
        func chain(_ seals: KnownSeals) -> BlockChain {
            BlockChain(found, places: places, areAllPlaces: areAllPlaces) { [search] found in
                guard let block = search.bytes(of: found) else { return nil }
                do throws(DamagedBlock) {
                    let heads = try BlockReader.heads(of: block.span)
                    return seals.allow(block.span, at: heads.first) ? heads : nil
                } catch {
                    return nil
                }
            }
        }
        if !found.contains(where: { seals.match($0, in: search) }) { seals = KnownSeals([:]) }
        if seals.isSigned {
            seals.dropLeaves(ofSigned: chain(KnownSeals([:])).kept, in: search)
        }
        self.chain = chain(seals)
    }

    /// Throws if the file says that it holds another log than the one that belongs there.
    private static func refuseOtherLog(
        _ path: String, _ meta: [[UInt8]: [UInt8]], in directory: String
    ) throws(EventLogError) {
        let own = meta[Array("id".utf8)]
        let expected: [UInt8]?
        do throws(EventLogError) {
            expected = try IdentityFile(in: directory).id()
        } catch {
            // Damaged as well: then it says nothing.
            guard error.code == .damaged else { throw error }
            return
        }
        // Two random identities have next to no byte in common; damage changes some.
        guard let own, let expected, own.count == expected.count,
            zip(own, expected).count(where: { $0 == $1 }) < expected.count / 2
        else { return }
        throw .damaged(
            "\(path) belongs to another log: its id is \(Hexadecimal.text(of: own)), and "
                + "\(IdentityFile.name) there says \(Hexadecimal.text(of: expected)). If this "
                + "is the right one, delete \(IdentityFile.name)")
    }

    /// Writes the blocks that are kept to a new environment.
    ///
    /// - Returns: false if `progress` ended it.
    func fill(_ made: StagedStore) throws(EventLogError) -> Bool {
        try mapErrors(in: made.directory) {
            // Room for the pages around the blocks, and for the new origin.
            let environment = try Environment(
                directory: made.directory, mapSizeBytes: search.fileBytes * 2 + (16 << 20),
                databases: Environment.storeTables)
            try environment.write { transaction in
                try LogIdentity.none.begin(in: &transaction, of: environment)
            }
            var index = 0
            let all = chain.kept.reduce(0) { $0 + Int($1.byteCount) }
            var done = 0
            while index < chain.kept.count {
                guard made.progress(CopyProgress(step: .copying, doneBytes: done, allBytes: all))
                else { return false }
                let portion = chain.kept[index..<min(index + 4_096, chain.kept.count)]
                try environment.write { transaction in
                    for found in portion { try put(found, to: &transaction, of: environment) }
                }
                index = portion.endIndex
                done += portion.reduce(0) { $0 + Int($1.byteCount) }
            }
            return true
        }
    }

    private func put(
        _ found: BlockSearch.Found, to transaction: inout WriteTransaction,
        of environment: Environment
    ) throws {
        guard let block = search.bytes(of: found) else {
            throw EventLogError(.busy, detail: "its file has since changed")
        }
        try transaction.put(block.span, at: RecordKey(found.first), in: environment.log, .append)
    }

    /// Writes what is beyond the first missing event, if there is anything.
    func write(_ transcript: BlockTranscript, in directory: String) throws(EventLogError) {
        guard !chain.beyond.isEmpty else { return }
        try mapErrors(in: directory) {
            let file = try OpenFile(
                "\(directory)/\(transcript.name)", O_WRONLY | O_CREAT | O_EXCL)
            for found in chain.beyond {
                guard let block = search.bytes(of: found) else { continue }
                try file.write(transcript.lines(block.span))
            }
        }
    }

    /// What came of it.
    func report(_ copy: LogCopy) -> LogRecovery {
        var beyond: [Range<Position>] = []
        for found in chain.beyond {
            if let last = beyond.last, last.upperBound == found.first {
                beyond[beyond.count - 1] = last.lowerBound..<found.next
            } else {
                beyond.append(found.first..<found.next)
            }
        }
        return LogRecovery(
            copy: copy, keptEvents: chain.next, keptBlocks: chain.kept.count, end: chain.end,
            beyond: beyond, unreadableBytes: search.unreadableBytes)
    }
}

/// What a damaged file still says of its sealed blocks.
private struct KnownSeals {
    /// Nil if there is none, or no block agrees with it: then it is the secret that is damaged.
    private var salts: SectionSalts?
    private var leaves: [Position: SealedBlock] = [:]
    /// The last checkpoint that the log's key has signed; nil if there is none.
    private var checkpoint: Checkpoint?

    /// Whether the log's key has signed some of it.
    var isSigned: Bool { checkpoint != nil }

    /// Takes what there is of the table `meta`.
    init(_ meta: [[UInt8]: [UInt8]]) {
        let secret = meta[Array(LogEvidence.secretName.utf8)]
        guard let secret, secret.count == SectionSalts.secretBytes else { return }
        salts = SectionSalts(secret: secret)
        for (key, row) in meta {
            guard let number = NumberedKey.leaf.number(of: key.span),
                let leaf = SealedBlock(number, row.span, .leavesByPosition)
                    ?? SealedBlock(number, row.span, .leavesByNumber)
            else { continue }
            leaves[leaf.position] = leaf
        }
        let vkey = meta[Array(LogEvidence.keyName.utf8)].map { String(decoding: $0, as: UTF8.self) }
        guard let verifier = vkey.flatMap({ NoteVerifier(vkey: $0) }) else { return }
        checkpoint = meta.compactMap { key, row in
            NumberedKey.checkpoint.number(of: key.span)
                .flatMap { Checkpoint(row, over: $0, signedBy: verifier) }
        }.max { $0.size < $1.size }
    }

    /// Drops the leaves of blocks that are the ones that were signed: a leaf that says otherwise is
    /// damaged itself.
    mutating func dropLeaves(ofSigned blocks: [BlockSearch.Found], in search: BlockSearch) {
        guard let salts, let checkpoint, checkpoint.size <= blocks.count else { return }
        var tree = MerkleTree()
        for found in blocks.prefix(Int(checkpoint.size)) {
            guard let block = search.bytes(of: found) else { return }
            do throws(DamagedBlock) {
                tree.append(try LeafData(of: block.span, ordinal: tree.size, salts: salts).hash)
            } catch {
                return
            }
        }
        guard tree.root == checkpoint.root else { return }
        leaves = leaves.filter { $0.value.ordinal >= checkpoint.size }
    }

    /// Whether a block is the one that was sealed: if none is, it is the secret that is damaged.
    func match(_ found: BlockSearch.Found, in search: BlockSearch) -> Bool {
        guard leaves[found.first] != nil, let block = search.bytes(of: found) else { return false }
        return allow(block.span, at: found.first)
    }

    /// Whether a block is as it was sealed, as far as is known.
    func allow(_ block: Span<UInt8>, at position: Position) -> Bool {
        guard let salts, let leaf = leaves[position] else { return true }
        return leaf.mismatch(with: block, salts) == nil
    }
}

extension LogIdentity {
    /// That of a store which is still to get its own.
    fileprivate static let none = LogIdentity(
        id: [UInt8](repeating: 0, count: LogOrigin.idBytes), createdMilliseconds: 0)
}
