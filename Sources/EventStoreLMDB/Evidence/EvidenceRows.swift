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
    /// The leaf.
    let leaf: TreeHash

    init(position: Position, leaf: TreeHash) {
        self.position = position
        self.leaf = leaf
    }

    init?(_ row: Span<UInt8>) {
        guard row.count == 8 + TreeHash.byteCount, let key = RecordKey(row.extracting(..<8)),
            let leaf = TreeHash(bytes: row.extracting(8...))
        else { return nil }
        self.init(position: key.number, leaf: leaf)
    }

    var bytes: [UInt8] { NumberedKey.bytes(of: position) + leaf.bytes }
}

/// A key of the table `meta` that ends with a number: a name, a slash, eight bytes.
struct NumberedKey {
    /// The leaves of the tree, by their number from 0; see ``SealedBlock``.
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
    /// The last row of a name, of which the number is known then.
    ///
    /// - Returns: Its number and its value; nil if there is none.
    borrowing func lastRow(
        _ name: NumberedKey, of environment: Environment
    ) throws -> (number: UInt64, value: [UInt8])? {
        try withCursor(in: environment.meta) { cursor in
            let isBelow = try cursor.move(toOrAfter: name.key(.max))
            guard isBelow ? try cursor.moveToPrevious() : try cursor.moveToLast() else {
                return nil
            }
            return cursor.withEntry { key, value in
                name.number(of: key).map { ($0, [UInt8](copying: value)) }
            }
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

    /// The last leaf of the tree; nil if nothing is sealed.
    ///
    /// - Throws: ``EventLogError`` `damaged` if its row is malformed.
    borrowing func lastLeaf(
        of environment: Environment
    ) throws -> (ordinal: UInt64, block: SealedBlock)? {
        guard let row = try lastRow(.leaf, of: environment) else { return nil }
        guard let block = SealedBlock(row.value.span), row.number < SealedBlock.limit else {
            throw EventLogError.damagedLeaf(row.number)
        }
        return (row.number, block)
    }

    /// A leaf by its number; nil if its row is missing or malformed.
    borrowing func leaf(
        _ number: UInt64, of environment: Environment
    ) throws -> SealedBlock? {
        try get(NumberedKey.leaf.key(number), in: environment.meta) { SealedBlock($0) } ?? nil
    }

    /// The leaves of a range, in order, up to one that is missing or not as written.
    borrowing func leaves(
        _ range: Range<UInt64>, of environment: Environment
    ) throws -> [SealedBlock] {
        guard !range.isEmpty else { return [] }
        var leaves: [SealedBlock] = []
        try forEachRow(.leaf, from: range.lowerBound, of: environment) { number, row in
            guard number == range.lowerBound + UInt64(leaves.count), let leaf = SealedBlock(row)
            else { return false }
            leaves.append(leaf)
            return number + 1 < range.upperBound
        }
        return leaves
    }

    /// A row of the table `meta` by its name; nil if there is none.
    borrowing func row(
        _ name: String, of environment: Environment
    ) throws -> [UInt8]? {
        try get(Array(name.utf8), in: environment.meta) { [UInt8](copying: $0) }
    }
}

extension EventLogError {
    static func damagedLeaf(_ ordinal: UInt64) -> EventLogError {
        EventLogError(.damaged, detail: "leaf \(ordinal) of its tree is not as written")
    }
}
