internal import Events
package import JSON
package import Projections
internal import Text

/// The ways that were walked more than once, on a page; those of runs are left out.
package struct RoutesView: JSONObject {
    private let routes: [KnownRoutes.Route]
    private let year: Int64
    private let units: Units

    /// Shows them.
    ///
    /// - Parameters:
    ///   - routes: The ways.
    ///   - year: The present one.
    ///   - units: The walker's.
    package init(_ routes: KnownRoutes, year: Int64, units: Units) {
        self.routes = routes.routes.filter { $0.walks[0].keeping.sport.known != .run }
        (self.year, self.units) = (year, units)
    }

    /// Writes the view as an object.
    package func writeFields(to json: inout JSONWriter) {
        let first = routes.compactMap(\.walks.first?.date).min()
        json.field("year", "\(year)")
        json.field(
            "sentence",
            routes.isEmpty
                ? "No route was walked more than once."
                : counted(UInt64(routes.count), "route") + ", walked more than once")
        json.field(
            "since", first.map { "since \($0.monthName) \($0.components.year)" } ?? "")
        json.field(
            "note",
            "Recognized by the track: within \(units.climb(WalkWay.nearMillimetres)) along "
                + "\(WalkWay.nearPercent)\u{A0}% of the way, in either direction. A route has the "
                + "name that most of its walks have. Renaming a route renames its walks, except "
                + "those with another name of their own.")
        json.list("rows", routes) { write($1, to: &$0) }
    }

    private func write(_ route: KnownRoutes.Route, to json: inout JSONWriter) {
        let walks = route.walks
        guard let last = walks.last,
            let best = walks.reversed().min(by: { $0.activeMilliseconds < $1.activeMilliseconds })
        else { return }
        let lengths = walks.compactMap(\.knownDistanceMillimetres).sorted()
        let name = route.name.map { printable($0, limit: 256) }
        let places = walks.map(\.keeping.place).filter { !$0.isEmpty }
        json.field("position", last.position)
        json.field("hasTrack", true)
        json.field("name", route.name ?? "")
        json.field("title", name ?? "Unnamed route")
        json.field("place", places.last.map { printable($0, limit: 256) } ?? "")
        json.field("rename", name == nil ? "Name it" : "Rename")
        json.field("positions", route.named.map(\.position))
        json.array("figures") { json in
            func time(_ key: String, _ name: String, _ walk: SessionReport) {
                let day = walk.date.small + walk.date.year(unless: year)
                let time = TimeText.duration(walk.activeMilliseconds)
                json.figure(key, name, Figure(time), note: day, walk: walk.position)
            }
            json.figure("walks", "Walked", Figure("\(walks.count) times"))
            let middle = lengths.isEmpty ? nil : units.distance(lengths[lengths.count / 2])
            json.figure("distance", "Distance", Figure(middle))
            time("best", "Best", best)
            time("last", "Last", last)
        }
    }
}
