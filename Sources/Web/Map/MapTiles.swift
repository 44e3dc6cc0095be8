internal import SQLite
package import Words

/// The tiles of a map in a file of this machine: MBTiles 1.3, with pictures.
///
/// The file is a stranger's: a question about it ends after a bounded number of steps, a tile has
/// at most a mebibyte, and what is not a picture is not passed on. Nothing of it is kept open.
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

    /// The first level that has tiles.
    let leastZoom: UInt64
    /// The last one; deeper ones are shown by stretching it.
    let greatestZoom: UInt64
    /// Who made the map, as its file says; empty if it does not.
    let attribution: String
    private let path: String

    /// A question that takes more steps of SQLite's machine is given up: a second or so.
    private static let stepLimit: Int32 = 20_000_000

    /// Looks into a file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: `CommandFailure` if it cannot be read, is no MBTiles file or has no pictures.
    package init(reading path: String) throws(CommandFailure) {
        self.path = path
        var attribution: String?
        var levels: [UInt64] = []
        var sample: [UInt8]?
        do throws(SQLiteError) {
            let database = try SQLiteDatabase(readingUnchanged: path, stepLimit: Self.stepLimit)
            let credit = "SELECT value FROM metadata WHERE name = 'attribution' LIMIT 1"
            attribution = try database.first(of: credit) { $0.text(at: 0) }
            // One by one: of each alone SQLite finds the answer in the index.
            for end in ["min", "max"] {
                let level = try database.first(of: "SELECT \(end)(zoom_level) FROM tiles") {
                    $0.integer(at: 0)
                }
                if let level, level >= 0 { levels.append(UInt64(level)) }
            }
            let any = "SELECT tile_data FROM tiles WHERE length(tile_data) > 0 LIMIT 1"
            sample = try database.first(of: any) { $0.bytes(at: 0) }
        } catch {
            let isUnreadable = error.code == .cannotOpen || error.code == .inputOutput
            throw CommandFailure(
                isUnreadable ? .noInput : .badData, ofMap: path, error.description)
        }
        guard levels.count == 2, levels[0] <= levels[1], let sample else {
            throw CommandFailure(.badData, ofMap: path, "It has no tiles.")
        }
        guard Self.type(of: sample) != nil else {
            throw CommandFailure(
                .badData, ofMap: path,
                "Its tiles are not pictures: PNG, JPEG or WebP is needed, not vector tiles.")
        }
        (leastZoom, greatestZoom) = (levels[0], min(levels[1], Place.greatestZoom))
        self.attribution = Self.text(ofMarkup: attribution ?? "")
    }

    /// What files have there is often a link (MBTiles 1.3, 2.1): its text, on one line.
    private static func text(ofMarkup markup: String) -> String {
        var text = ""
        var isTag = false
        for character in markup {
            switch character {
            case "<": isTag = true
            case ">" where isTag: isTag = false
            default: if !isTag { text.append(character) }
            }
        }
        for (name, meaning) in [
            ("&copy;", "©"), ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""),
            ("&amp;", "&"), ("&#169;", "©"),
        ] {
            text = text.split(separator: name, omittingEmptySubsequences: false)
                .joined(separator: meaning)
        }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Takes a tile out of the file.
    ///
    /// - Returns: The tile; nil if the file has none there, or none that can be shown.
    func tile(at place: Place) -> Tile? {
        let row = (UInt64(1) << place.zoom) - 1 - place.row
        do throws(SQLiteError) {
            let database = try SQLiteDatabase(readingUnchanged: path, stepLimit: Self.stepLimit)
            let bytes = try database.first(
                of: """
                    SELECT tile_data FROM tiles WHERE zoom_level = CAST(?1 AS INTEGER)
                    AND tile_column = CAST(?2 AS INTEGER) AND tile_row = CAST(?3 AS INTEGER)
                    LIMIT 1
                    """,
                binding: [String(place.zoom), String(place.column), String(row)]
            ) { $0.bytes(at: 0) }
            guard let bytes, let type = Self.type(of: bytes) else { return nil }
            return Tile(type: type, bytes: bytes)
        } catch {
            // A map with a hole in it is still the walk's map.
            return nil
        }
    }

    /// The media type by a picture's first bytes: PNG (ISO 15948, 5.2), JPEG (T.81, B.1.1.3), or
    /// WebP (RFC 9649, 2.3).
    private static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            return "image/png"
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            return "image/webp"
        }
        return nil
    }
}

extension CommandFailure {
    /// A file's tiles cannot be shown.
    fileprivate init(_ code: Code, ofMap path: String, _ reason: String) {
        self.init(code, "\(path) cannot be used as a map: \(reason)")
    }
}
