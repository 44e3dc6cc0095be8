package import Events
internal import Glibc
internal import JSON
internal import SQLite
internal import Text
internal import Words

/// What a file of a map holds, and which walks it shows.
package struct MapReport: Answer {
    /// A walk: its date, and where it went in degrees times 10^7.
    package typealias Walk = (date: CivilDate, way: [(latitude: Int64, longitude: Int64)])

    /// So many tiles are looked for, and an index finds each in some dozens of steps.
    private static let lookups = (count: 2_000, limit: (steps: Int32(50_000), time: Duration.zero))

    private let file: MapFile
    private let count: Int
    /// The dates of the walks that were looked for, the latest first: with a picture wherever they
    /// went, without some within the bounds, and elsewhere, at least in part.
    private var whole: [CivilDate] = []
    private var gaps: [CivilDate] = []
    private var outside: [CivilDate] = []

    /// Looks for walks in a file, where the page begins to show them: for all, or the first of so
    /// many that it would take long.
    ///
    /// - Parameters:
    ///   - walks: The walks, the latest first.
    ///   - file: The file.
    package init(of walks: [Walk], in file: MapFile) {
        (self.file, count) = (file, walks.count)
        var known: [MapTiles.Place: Bool] = [:]
        for (date, way) in walks {
            let tiles = MapTiles.Place.below(way, in: file.zooms)
            for place in tiles where known[place] == nil {
                guard known.count < Self.lookups.count else { return }
                do throws(SQLiteError) {
                    known[place] = try file.tile(at: place, within: Self.lookups.limit) != nil
                } catch {
                    // What is too long for a picture is a hole in the map.
                    guard error.code == .tooLong else { return }
                    known[place] = false
                }
            }
            if !tiles.isEmpty, tiles.allSatisfy({ known[$0] == true }) {
                whole.append(date)
            } else if way.allSatisfy(file.states) {
                gaps.append(date)
            } else {
                outside.append(date)
            }
        }
    }

    package var text: String {
        let kind = file.type.dropFirst(6).uppercased()
        let zooms = "zoom \(file.zooms.lowerBound) to \(file.zooms.upperBound)"
        let size = grouped((file.bytes + 999_999) / 1_000_000)
        let degrees = file.bounds.map { decimal($0 / 100_000, places: 2) }
        let area = zip(["longitude", "latitude"], degrees.indices.prefix(2)).map { name, index in
            "\(name) \(degrees[index]) to \(degrees[index + 2])"
        }
        let credit = file.attribution.isEmpty ? "none; see `pulselog map`" : file.attribution
        let rows = [
            ("Pictures", "\(kind), \(zooms), \(size) MB"),
            ("Bounds", area.isEmpty ? "not stated" : area.joined(separator: ", ")),
            ("Attribution", credit), ("Shows", shown),
        ]
        return printable(file.path, limit: .max) + (file.name.isEmpty ? "" : ": \(file.name)")
            + "\n" + rows.map { labelled($0.0, to: 13, indent: 2, $0.1) }.joined()
    }

    private var shown: String {
        guard count > 0 else { return "no walk: there is no log, or none in it has a route." }
        let seen = whole.count + gaps.count + outside.count
        guard seen > 0 else {
            return "unknown: the file is damaged, or has no index to find a tile by."
        }
        var text =
            "\(whole.count) of \(seen < count ? "the latest " : "")"
            + "\(counted(UInt64(seen), "walk")) with a route"
        for (dates, place) in [(outside, "outside"), (gaps, "where pictures are missing")] {
            guard let last = dates.first else { continue }
            text += "; \(dates.count) \(place), the last on \((last...last).words())"
        }
        return text + "."
    }

    package var jsonLine: [UInt8] {
        JSONWriter.line { json in
            json.field("path", file.path)
            json.field("name", file.name)
            json.field("type", file.type)
            json.field("bytes", file.bytes)
            json.field("minZoom", file.zooms.lowerBound)
            json.field("maxZoom", file.zooms.upperBound)
            json.array("boundsE7", file.bounds)
            json.field("attribution", file.attribution)
            json.field("walks", count)
            json.array("whole", whole.map(\.description))
            json.array("gaps", gaps.map(\.description))
            json.array("outside", outside.map(\.description))
        }
    }
}

extension MapTiles.Place {
    /// The tiles below a way, at the level at which it fits into 512 pixels.
    ///
    /// With that, or the next one, the page begins to show it. None if the levels begin deeper.
    fileprivate static func below(
        _ way: [(latitude: Int64, longitude: Int64)], in zooms: ClosedRange<UInt64>
    ) -> Set<Self> {
        // The sphere, without what is nearer to a pole, on a square of side 1 (EPSG 3857).
        let xs = way.map { max(0, Double($0.longitude) / 3.6e9 + 0.5) }
        let ys = way.map { max(0, 0.5 - asinh(tan(Double($0.latitude) * .pi / 1.8e9)) / .pi / 2) }
        let sides = [xs, ys].map { ($0.max() ?? 0) - ($0.min() ?? 0) }
        let fitting = UInt64(min(max(log2(2 / max(sides[0], sides[1], 1e-9)), 0), 17))
        guard zooms.lowerBound <= fitting else { return [] }
        let zoom = min(fitting, zooms.upperBound)
        let side = Double(1 << zoom)
        return Set(
            zip(xs, ys).compactMap { x, y in
                Self(zoom: zoom, column: UInt64(x * side), row: UInt64(y * side))
            })
    }
}
