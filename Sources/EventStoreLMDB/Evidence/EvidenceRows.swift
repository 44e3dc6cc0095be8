internal import EventStore
internal import Events
internal import LMDB
internal import TamperEvidence

/// A sealed block, as its row in the table `meta` has it: a leaf of the tree.
struct SealedBlock: Hashable {
    /// Positions and the numbers of blocks are less (record format): one can be added to them.
    static let limit: UInt64 = 1 << 53

    /// The position of the block's first event.
    let position: Position
    /// The number of the block, from 0.
    let ordinal: UInt64
    /// The leaf.
    let leaf: TreeHash
}

extension SealedBlock {
    /// Reads a row; nil if it is not as written.
    ///
    /// - Parameters:
    ///   - number: The number that its key ends with.
    ///   - row: The row.
    ///   - format: That of the store, which says which of the two numbers is the key's.
    init?(_ number: UInt64, _ row: Span<UInt8>, _ format: StoreFormat) {
        guard row.count == 8 + TreeHash.byteCount,
            let other = RecordKey(row.extracting(..<8))?.number,
            let leaf = TreeHash(bytes: row.extracting(8...))
        else { return nil }
        let isByPosition = format == .leavesByPosition
        self.init(
            position: isByPosition ? number : other, ordinal: isByPosition ? other : number,
            leaf: leaf)
        // Each block before has an event.
        guard ordinal <= position, position < Self.limit else { return nil }
    }

    /// What is wrong with the block whose leaf this should be; nil if nothing is.
    func mismatch(with block: Span<UInt8>, _ salts: SectionSalts) -> EventLogError? {
        do throws(DamagedBlock) {
            let leaf = try LeafData(of: block, ordinal: ordinal, salts: salts)
            guard leaf.hash != self.leaf else { return nil }
            return .damaged("block \(ordinal) is not as it was sealed", at: position)
        } catch {
            return EventLogError(DamagedBlock(error.code, position: position))
        }
    }
}

/// A key of the table `meta` that ends with a number: a name, a slash, eight bytes.
struct NumberedKey {
    /// The leaves of the tree; see ``SealedBlock``.
    static let leaf = NumberedKey("leaf")
    /// The signed checkpoints, by the size of their tree.
    static let checkpoint = NumberedKey("checkpoint")

    private let prefix: [UInt8]

    private init(_ name: String) {
        prefix = Array("\(name)/".utf8)
    }

    /// The key of a number, greatest byte first.
    func key(_ number: UInt64) -> [UInt8] { prefix + Self.bytes(of: number) }

    /// The number of a key of this name; nil for any other.
    func number(of key: Span<UInt8>) -> UInt64? {
        guard key.count == prefix.count + 8 else { return nil }
        for index in prefix.indices where key[index] != prefix[index] { return nil }
        return RecordKey(key.extracting(prefix.count...))?.number
    }

    static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}

extension ReadTransaction {
    /// Looks at the rows of a name from the last one back.
    ///
    /// - Parameters:
    ///   - name: Which rows.
    ///   - environment: The store.
    ///   - body: Called with number and value; what it gives ends the search.
    /// - Returns: What `body` gave; nil if it never did.
    /// - Throws: `LMDBError`, or what `body` throws.
    borrowing func lastRow<Found>(
        _ name: NumberedKey, of environment: Environment,
        _ body: (UInt64, Span<UInt8>) throws -> Found?
    ) throws -> Found? {
        try withCursor(in: environment.meta) { cursor in
            let isBelow = try cursor.move(toOrAfter: name.key(.max))
            var hasEntry = isBelow ? try cursor.moveToPrevious() : try cursor.moveToLast()
            while hasEntry, let number = cursor.withEntry({ key, _ in name.number(of: key) }) {
                if let found = try cursor.withEntry({ try body(number, $1) }) { return found }
                hasEntry = try cursor.moveToPrevious()
            }
            return nil
        }
    }

    /// Hands the rows of a name on, in order of their numbers.
    ///
    /// - Parameters:
    ///   - name: Which rows.
    ///   - start: The first number of interest.
    ///   - environment: The store.
    ///   - body: Called with number and value; false ends it.
    /// - Throws: `LMDBError`, or what `body` throws.
    borrowing func forEachRow(
        _ name: NumberedKey, from start: UInt64 = 0, of environment: Environment,
        _ body: (UInt64, Span<UInt8>) throws -> Bool
    ) throws {
        try withCursor(in: environment.meta) { cursor in
            var hasEntry = try cursor.move(toOrAfter: name.key(start))
            while hasEntry {
                let goesOn = try cursor.withEntry { key, value in
                    try name.number(of: key).map { try body($0, value) } ?? false
                }
                guard goesOn else { return }
                hasEntry = try cursor.moveToNext()
            }
        }
    }

    /// The last leaf of the tree, or the last one that has at most a number; nil if there is none.
    ///
    /// - Throws: ``EventLogError`` `damaged` if a row after it, or its own, is malformed.
    borrowing func lastLeaf(
        upTo ordinal: UInt64 = .max, of environment: Environment
    ) throws -> SealedBlock? {
        let format = try StoreFormat(reading: self, of: environment)
        return try lastRow(.leaf, of: environment) { number, row in
            guard let leaf = SealedBlock(number, row, format) else {
                throw EventLogError.leafMismatch(number)
            }
            return leaf.ordinal <= ordinal ? leaf : nil
        }
    }

    /// Hands leaves on, in order.
    ///
    /// - Parameters:
    ///   - position: Of the blocks from here on.
    ///   - ordinal: The number of the first; nil for any.
    ///   - environment: The store.
    ///   - body: Called with each that follows the one before; false ends it.
    /// - Returns: What is wrong with the next one; nil if nothing is, or `body` ended it.
    /// - Throws: `LMDBError`.
    borrowing func forEachLeaf(
        from position: Position = 0, number ordinal: UInt64? = nil, of environment: Environment,
        _ body: (SealedBlock) -> Bool
    ) throws -> EventLogError? {
        let format = try StoreFormat(reading: self, of: environment)
        let first =
            format == .leavesByPosition
            ? position : try formerNumber(ofLeafAt: position, environment)
        var (position, ordinal, fault) = (position, ordinal, EventLogError?.none)
        try forEachRow(.leaf, from: first, of: environment) { number, row in
            guard let leaf = SealedBlock(number, row, format), leaf.position >= position,
                leaf.ordinal == ordinal ?? leaf.ordinal
            else {
                fault = .leafMismatch(number)
                return false
            }
            (position, ordinal) = (leaf.position + 1, leaf.ordinal + 1)
            return body(leaf)
        }
        return fault
    }

    /// The number of the first leaf from a position on, in a store that has them by their numbers.
    private borrowing func formerNumber(
        ofLeafAt position: Position, _ environment: Environment
    ) throws -> UInt64 {
        var range = 0..<(try lastLeaf(of: environment)?.ordinal ?? 0) + 1
        while position > 0, !range.isEmpty {
            let middle = range.lowerBound + UInt64(range.count) / 2
            let leaf = try get(NumberedKey.leaf.key(middle), in: environment.meta) {
                SealedBlock(middle, $0, .leavesByNumber)
            }
            // Where a row is missing the search goes astray, and the comparison says so.
            range =
                leaf.flatMap { $0?.position } ?? .max < position
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    /// A row of the table `meta` by its name; nil if there is none.
    borrowing func row(
        _ name: String, of environment: Environment
    ) throws -> [UInt8]? {
        try get(Array(name.utf8), in: environment.meta) { [UInt8](copying: $0) }
    }

    /// Whether the last block of the log is sealed.
    ///
    /// - Parameters:
    ///   - last: The positions of its events, none in a log without blocks.
    ///   - environment: The store.
    /// - Returns: Whether the tree's last leaf is that block's.
    /// - Throws: ``EventLogError`` `damaged` if a block that was sealed after it is gone, or the
    ///   last leaf is not as written.
    borrowing func isSealed(
        lastBlock last: Range<Position>, of environment: Environment
    ) throws -> Bool {
        guard let sealed = try lastLeaf(of: environment)?.position else { return false }
        guard last.lowerBound >= sealed, last.upperBound > sealed else {
            throw EventLogError.leafMismatch(last.upperBound)
        }
        return last.lowerBound == sealed
    }
}

extension EventLogError {
    /// A sealed block and its leaf are not next to each other.
    static func leafMismatch(_ position: Position) -> EventLogError {
        damaged(
            "a sealed block, or its leaf in the tree, is missing or not as written",
            at: position < SealedBlock.limit ? position : nil)
    }
}
