internal import EventStore
internal import Events
internal import LMDB
internal import TamperEvidence

/// Compares sealed blocks with their leaves while they are read, so that nobody is handed one that
/// was changed and given a good checksum.
///
/// Only the leaves of blocks that are read are looked at; the first is found by halving.
struct LeafComparison {
    private var salts: SectionSalts?
    /// The number of the next block; nil until one of them is sealed.
    private var ordinal: UInt64?
    /// The leaves of the portion's blocks that were not compared yet.
    private var leaves: ArraySlice<SealedBlock> = []
    /// The position of the last block that is sealed.
    private var lastSealed: Position?
    /// The position of the last block that was read.
    private var lastRead: Position?

    /// Reads the leaves of a portion, in the view that its blocks were taken out of.
    ///
    /// - Throws: ``EventLogError`` `damaged` if the last leaf or the secret is not as written.
    mutating func begin(
        _ portion: borrowing BlockPortion, _ transaction: borrowing ReadTransaction,
        _ environment: Environment
    ) throws {
        leaves = []
        let last = try transaction.lastLeaf(of: environment)
        lastSealed = last?.block.position
        guard let last, let first = portion.firstKey?.number, first <= last.block.position
        else { return }
        if salts == nil {
            let secret = try transaction.row(LogEvidence.secretName, of: environment)
            guard let secret, secret.count == SectionSalts.secretBytes else {
                let detail = "its secret is missing or of impossible length"
                throw EventLogError(.damaged, position: first, detail: detail)
            }
            salts = SectionSalts(secret: secret)
        }
        var start = ordinal
        if start == nil {
            start = try Self.ordinal(at: first, last.ordinal, transaction, environment)
        }
        ordinal = start
        guard let start, start <= last.ordinal else { return }
        let end = min(start + UInt64(portion.count), last.ordinal + 1)
        leaves = try transaction.leaves(start..<end, of: environment)[...]
    }

    /// The number of the last leaf whose block begins at or before a position.
    private static func ordinal(
        at position: Position, _ last: UInt64, _ transaction: borrowing ReadTransaction,
        _ environment: Environment
    ) throws -> UInt64 {
        var range = 0..<last
        while !range.isEmpty {
            let middle = range.lowerBound + (range.upperBound - range.lowerBound + 1) / 2
            // Where a row is missing the search goes astray, and the comparison says so.
            if let leaf = try transaction.leaf(middle, of: environment), leaf.position <= position {
                range = middle..<range.upperBound
            } else {
                range = range.lowerBound..<middle - 1
            }
        }
        return range.lowerBound
    }

    /// What is wrong with the next block; nil if it is the one that was sealed, or is not sealed.
    mutating func mismatch(of block: Span<UInt8>, at position: Position) -> EventLogError? {
        defer { ordinal? += 1 }
        lastRead = position
        guard let lastSealed, position <= lastSealed else { return nil }
        guard let salts, let ordinal, let leaf = leaves.popFirst(), leaf.position == position
        else { return .leafMismatch(position) }
        return leaf.mismatch(with: block, ordinal: ordinal, salts)
    }

    /// Whether the log ends before the last block that was sealed.
    var isCutOff: Bool {
        guard let lastSealed else { return false }
        return lastRead.map { $0 < lastSealed } ?? true
    }
}

extension ReadTransaction {
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
        guard let sealed = try lastLeaf(of: environment)?.block.position else { return false }
        guard last.lowerBound >= sealed, last.upperBound > sealed else {
            throw EventLogError.leafMismatch(last.upperBound)
        }
        return last.lowerBound == sealed
    }
}

extension EventLogError {
    /// A sealed block and its leaf are not next to each other.
    static func leafMismatch(_ position: Position) -> EventLogError {
        EventLogError(
            .damaged, position: position,
            detail: "a sealed block, or its leaf in the tree, is missing or not as written")
    }
}
