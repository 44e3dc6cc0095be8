
/// The ways that were walked more than once, what was walked the most often first.
///
/// What is hidden or simulated is in none, and each is of one sport.
package struct KnownRoutes: Sendable {
    /// A way.
    package struct Route: Sendable {
        /// Those that went it, in order.
        package fileprivate(set) var walks: [SessionReport]
        fileprivate let way: WalkWay

        /// What most of its walks that have a name are called; nil if there is no such name.
        package var name: String? {
            let names = walks.map(\.keeping.name).filter { !$0.isEmpty }
            return names.first { name in 2 * names.count { $0 == name } > names.count }
        }

        /// The walks that get its name: those that have no other one of their own.
        package var named: [SessionReport] {
            walks.filter { $0.keeping.name.isEmpty || $0.keeping.name == name }
        }
    }

    /// The ways.
    package let routes: [Route]

    /// Finds them.
    ///
    /// - Parameters:
    ///   - reports: All walks.
    ///   - outlines: Their outlines.
    package init(_ reports: [SessionReport], _ outlines: WalkOutlines) {
        let walks = reports.filter { $0.state == .ended && $0.isSummed }
            .sorted { $0.startedAtMilliseconds < $1.startedAtMilliseconds }
        var routes: [Route] = []
        for walk in walks {
            guard let way = outlines[walk.position]?.track else { continue }
            let length = walk.knownDistanceMillimetres ?? 0
            let index = routes.firstIndex { route in
                // What is half as long again is another way, which is seen at once.
                let other = route.walks[0].knownDistanceMillimetres ?? 0
                return route.walks[0].keeping.sport == walk.keeping.sport
                    && max(length, other).times(2) <= min(length, other).times(3)
                    && route.way.isSameWay(as: way)
            }
            if let index {
                routes[index].walks.append(walk)
            } else {
                routes.append(Route(walks: [walk], way: way))
            }
        }
        self.routes = routes.filter { $0.walks.count > 1 }
            .sorted { $0.walks.count > $1.walks.count }
    }
}
