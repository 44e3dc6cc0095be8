internal import Events

/// The blocks of a log that were found in a file, put in order: those from its beginning without a
/// gap, and those beyond the first gap.
///
/// Of a block that was written again with more events there may be several versions. Where every
/// page of LMDB's own holds, the one that its tree leads to is the block. Otherwise it is one after
/// which the log continues, or else the longest; what it holds was written to the log in any case.
struct BlockChain {
    /// From position 0, each where the one before ended.
    private(set) var kept: [BlockSearch.Found] = []
    /// What follows after a gap, in order and without overlaps.
    private(set) var beyond: [BlockSearch.Found] = []
    /// What the file says of the log's end.
    private(set) var end = LogEnd.doubtful

    /// The position after the last event that is kept.
    var next: Position { kept.last?.next ?? 0 }

    /// Puts blocks in order.
    ///
    /// - Parameters:
    ///   - found: The blocks of the file.
    ///   - places: Where the tree leads to, by first positions.
    ///   - areAllPlaces: Whether it leads to all blocks.
    ///   - heads: Reads what the heads of a block say; nil if it is no longer there.
    init(
        _ found: [BlockSearch.Found], places: [Position: Int], areAllPlaces: Bool,
        heads: (BlockSearch.Found) -> BlockHeads?
    ) {
        let sorted = found.sorted {
            ($0.first, $0.count, $0.offset) < ($1.first, $1.count, $1.offset)
        }
        let versions = Dictionary(grouping: sorted, by: \.first)
        /// The best of the versions that begin at a position, which may be asked for more.
        func best(at first: Position, where fits: (BlockSearch.Found) -> Bool) -> BlockSearch.Found?
        {
            let candidates = (versions[first] ?? []).filter(fits)
            let placed = candidates.last { $0.offset == places[first] }
            if areAllPlaces, let placed { return placed }
            return candidates.last { versions[$0.next] != nil } ?? candidates.last
        }

        var before: BlockHeads?
        while let block = best(at: next, where: { heads($0)?.goesOn(after: before) ?? false }),
            let heads = heads(block)
        {
            kept.append(block)
            before = heads
        }
        var reach = next
        for first in versions.keys.sorted() where first >= reach {
            guard let block = best(at: first, where: { _ in true }) else { continue }
            beyond.append(block)
            reach = block.next
        }
        let isPlaced = kept.last.map { places[$0.first] == $0.offset } ?? false
        if !beyond.isEmpty || places.keys.contains(where: { $0 >= next }) {
            end = .cut
        } else if areAllPlaces {
            end = isPlaced ? .whole : .cut
        }
    }
}

extension BlockHeads {
    /// Whether each lane continues where it ended before.
    fileprivate func goesOn(after before: BlockHeads?) -> Bool {
        Lane.allCases.allSatisfy {
            indices(in: $0).lowerBound == before?.indices(in: $0).upperBound ?? 0
        }
    }
}
