/// The tiles of a map in one or several files: each is that of the first file that has it.
package struct MapTiles: Sendable {
    /// Where a tile is: MBTiles counts rows from the south, the web from the north.
    struct Place: Hashable, Sendable {
        /// The deepest level that is asked for.
        static let greatestZoom: UInt64 = 24

        /// 0 shows the world in one tile, each further level four for one.
        let zoom: UInt64
        /// Counted from the west.
        let column: UInt64
        /// Counted from the north.
        let row: UInt64

        /// Names a tile; nil if the level has none there.
        init?(zoom: UInt64, column: UInt64, row: UInt64) {
            guard zoom <= Self.greatestZoom, column < 1 << zoom, row < 1 << zoom else {
                return nil
            }
            (self.zoom, self.column, self.row) = (zoom, column, row)
        }
    }

    /// A picture and its media type.
    struct Tile: Sendable {
        let type: String
        let bytes: [UInt8]
    }

    private let files: [MapFile]
    /// The levels that have tiles; deeper ones are shown by stretching the last.
    let zooms: ClosedRange<UInt64>

    /// Joins files.
    ///
    /// - Parameter files: The files; nil without any.
    package init?(_ files: [MapFile]) {
        guard let first = files.map(\.zooms.lowerBound).min(),
            let last = files.map(\.zooms.upperBound).max()
        else { return nil }
        (self.files, zooms) = (files, first...last)
    }

    /// Who made the map, as its files say, each once; empty if none does.
    var attribution: String {
        files.map(\.attribution).reduce(into: [String]()) { all, one in
            if !one.isEmpty, !all.contains(one) { all.append(one) }
        }.joined(separator: " · ")
    }

    /// Takes a tile out of a file; nil if none has one there that can be shown.
    func tile(at place: Place) -> Tile? {
        for file in files {
            if let tile = file.tile(at: place) { return tile }
        }
        return nil
    }
}
