public import Events

extension EventLog {
    /// How many events of each lane are in a part of the log; of any size, two blocks are read.
    ///
    /// - Parameter range: Its end is the position of an event.
    /// - Returns: A number for each of `Lane.allCases`.
    /// - Throws: ``EventLogError``.
    public func laneCounts(in range: Range<Position>) throws(EventLogError) -> [UInt64] {
        let (before, until) = (
            try laneCounts(before: range.lowerBound), try laneCounts(before: range.upperBound)
        )
        return zip(before, until).map { $1 - min($0, $1) }
    }

    /// How many there are in all before an event.
    private func laneCounts(before position: Position) throws(EventLogError) -> [UInt64] {
        var counts = [UInt64](repeating: 0, count: Lane.allCases.count)
        try openBlocks(from: position) { block throws(DamagedBlock) in
            let heads = try BlockReader.heads(of: block)
            counts = Lane.allCases.map { heads.indices(in: $0).lowerBound }
            try BlockReader.forEach(in: block) { event in
                guard event.header.position < position else { return false }
                if let lane = event.header.kind.lane { counts[Int(lane.rawValue)] += 1 }
                return true
            }
            return false
        }
        return counts
    }
}
