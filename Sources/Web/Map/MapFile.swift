internal import SQLite
internal import Text
package import Words

/// A file of this machine with tiles of a map: MBTiles 1.3, with pictures.
///
/// The file is a stranger's: a question about it ends after a bounded number of steps, a tile has
/// at most a mebibyte, and what is not a picture is not passed on. Nothing of it is kept open.
package struct MapFile: Sendable {
    let path: String
    /// What the file calls the map, on one line; may be empty.
    let name: String
    /// Who made the map, as its file says, on one line; may be empty.
    let attribution: String
    /// The media type of its pictures.
    let type: String
    let bytes: UInt64
    /// The levels that have tiles.
    let zooms: ClosedRange<UInt64>
    /// West, south, east and north, in degrees times 10^7; empty if it states none that make sense.
    let bounds: [Int64]

    /// What is asked of a file is given up after so long.
    private static let limit = (steps: Int32(1_000), time: Duration.seconds(3))

    /// Looks into a file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: `CommandFailure` if it cannot be read, is no MBTiles file or has no pictures.
    package init(reading path: String) throws(CommandFailure) {
        var found: [String: String] = [:]
        var levels: [Int64] = []
        var sample: [UInt8]?
        var bytes: Int64 = 0
        do throws(SQLiteError) {
            let database = try SQLiteDatabase(readingUnchanged: path, within: Self.limit)
            for name in ["name", "format", "bounds", "attribution"] {
                let value = "SELECT value FROM metadata WHERE name = ?1 LIMIT 1"
                found[name] = try database.first(of: value, binding: [name]) { $0.text(at: 0) }
            }
            // One by one: of each alone SQLite finds the answer in the index.
            let usable = "zoom_level BETWEEN 0 AND \(MapTiles.Place.greatestZoom)"
            for end in ["min", "max"] {
                let query = "SELECT \(end)(zoom_level) FROM tiles WHERE \(usable)"
                levels += [try database.first(of: query) { $0.integer(at: 0) }].compactMap(\.self)
            }
            let any = "SELECT tile_data FROM tiles WHERE length(tile_data) > 0 LIMIT 1"
            sample = try database.first(of: any) { $0.bytes(at: 0) }
            let size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            bytes = try database.first(of: size) { $0.integer(at: 0) } ?? 0
        } catch {
            let isUnreadable = error.code == .cannotOpen || error.code == .inputOutput
            throw CommandFailure(
                isUnreadable ? .noInput : .badData, ofMap: path, error.description)
        }
        // A view may give what its own query has left out.
        guard levels.count == 2, levels[0] <= levels[1], let sample,
            levels.allSatisfy({ (0...Int64(MapTiles.Place.greatestZoom)).contains($0) })
        else {
            throw CommandFailure(.badData, ofMap: path, "It has no tiles.")
        }
        guard let type = Self.type(of: sample) else {
            let isGzip = sample.starts(with: [0x1F, 0x8B])
            let isVector = ["pbf", "mvt"].contains(found["format"]) || isGzip
            throw CommandFailure(
                .badData, ofMap: path,
                "Its tiles are \(isVector ? "vectors (pbf)" : "in an unknown format"); PNG, JPEG "
                    + "or WebP is needed.")
        }
        (self.path, self.type, self.bytes) = (path, type, UInt64(clamping: bytes))
        zooms = UInt64(levels[0])...UInt64(levels[1])
        name = printable(found["name"] ?? "", limit: 60)
        attribution = Self.text(ofMarkup: found["attribution"] ?? "")
        bounds = Self.bounds(found["bounds"] ?? "")
    }

    private static func bounds(_ text: String) -> [Int64] {
        let degrees = text.prefix(200).split { ", ".contains($0) }.compactMap { Double($0) }
            .filter { abs($0) <= 180 }.map { Int64(($0 * 1e7).rounded()) }
        let isSound = degrees.count == 4 && degrees[0] < degrees[2] && degrees[1] < degrees[3]
        return isSound ? degrees : []
    }

    /// Whether a place, in degrees times 10^7, is within the bounds that it states.
    func states(_ place: (latitude: Int64, longitude: Int64)) -> Bool {
        bounds.count == 4 && (bounds[0]...bounds[2]).contains(place.longitude)
            && (bounds[1]...bounds[3]).contains(place.latitude)
    }

    /// What files have there is often a link (MBTiles 1.3, 2.1): its text, on one line.
    private static func text(ofMarkup markup: String) -> String {
        var text = ""
        var isTag = false
        for character in markup.prefix(4_096) {
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
        return printable(
            text.split(whereSeparator: \.isWhitespace).joined(separator: " "), limit: 200)
    }

    /// Takes a tile out of the file.
    ///
    /// - Returns: The tile; nil if the file has none there, or none that can be shown.
    func tile(at place: MapTiles.Place) -> MapTiles.Tile? {
        do throws(SQLiteError) {
            return try tile(at: place, within: Self.limit)
        } catch {
            // A map with a hole in it is still the walk's map.
            return nil
        }
    }

    /// The same; an error where the file does not answer.
    func tile(
        at place: MapTiles.Place, within limit: (steps: Int32, time: Duration)
    ) throws(SQLiteError) -> MapTiles.Tile? {
        let row = (UInt64(1) << place.zoom) - 1 - place.row
        let database = try SQLiteDatabase(readingUnchanged: path, within: limit)
        let bytes = try database.first(
            of: """
                SELECT tile_data FROM tiles WHERE zoom_level = CAST(?1 AS INTEGER)
                AND tile_column = CAST(?2 AS INTEGER) AND tile_row = CAST(?3 AS INTEGER)
                LIMIT 1
                """,
            binding: [String(place.zoom), String(place.column), String(row)]
        ) { $0.bytes(at: 0) }
        guard let bytes, let type = Self.type(of: bytes) else { return nil }
        return MapTiles.Tile(type: type, bytes: bytes)
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
        let advice = code == .badData ? " `pulselog map` says where to get one." : ""
        self.init(code, "\(path) cannot be used as a map: \(reason)\(advice)")
    }
}
