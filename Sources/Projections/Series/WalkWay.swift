internal import Events

/// Where a walk went, thinned out: enough to know the way again, in at most 2 kB.
package struct WalkWay: StatePart, Hashable, Sendable {
    /// The most places that are kept.
    private static let limit: UInt64 = 200
    /// Places are at least so far apart, in millimetres.
    private static let leastSpacing: UInt64 = 25_000
    /// As near has a place to be to the other way.
    package static let nearMillimetres: UInt64 = 50_000
    /// How many percent of the places have to be.
    package static let nearPercent = 90
    private static let near = Int64(nearMillimetres / 100)

    private var places: [Place] = []

    init() {}

    /// The places, in degrees times 10^7.
    package var placesE7: [(latitude: Int64, longitude: Int64)] {
        places.map { ($0.latitudeE7, $0.longitudeE7) }
    }

    /// Thins out the track of a walk.
    init(_ series: SessionSeries, of millimetres: UInt64) {
        let spacing = max(Self.leastSpacing, millimetres / Self.limit)
        for point in series.points {
            guard let place = Place(point), UInt64(places.count) < Self.limit else { continue }
            guard let last = places.last else {
                places.append(place)
                continue
            }
            let square = last.squaredMillimetres(to: place)
            if square.map({ $0 >= spacing.times(spacing) }) ?? true { places.append(place) }
        }
    }

    /// Whether two walks went the same way, in whichever direction: most of each is near the other.
    func isSameWay(as other: WalkWay) -> Bool {
        guard let origin = places.first, places.count > 1, other.places.count > 1,
            let way = Way(places, from: origin), let otherWay = Way(other.places, from: origin)
        else { return false }
        return way.x.overlaps(otherWay.x) && way.y.overlaps(otherWay.y)
            && way.mostlyFollows(otherWay) && otherWay.mostlyFollows(way)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&places)
        try coder.require(UInt64(places.count) <= Self.limit)
    }

    /// A track on the plane that touches the Earth where one of them begins.
    private struct Way {
        private let points: [(x: Int64, y: Int64)]
        /// How far east and north it goes, and what is near that.
        let x, y: ClosedRange<Int64>

        /// Nil if it leads further away than anybody walks.
        init?(_ places: [Place], from origin: Place) {
            var points: [(Int64, Int64)] = []
            for place in places {
                guard let offset = origin.decimetres(to: place) else { return nil }
                points.append(offset)
            }
            self.points = points
            func range(_ values: [Int64]) -> ClosedRange<Int64> {
                (values.min() ?? 0) - near...(values.max() ?? 0) + near
            }
            (x, y) = (range(points.map(\.0)), range(points.map(\.1)))
        }

        /// Whether most of its places are near another way.
        func mostlyFollows(_ other: Way) -> Bool {
            var (misses, segment) = (0, 0)
            for point in points {
                if let hit = other.segment(near: point, from: segment) {
                    segment = hit
                } else {
                    misses += 1
                    if misses * 100 > points.count * (100 - nearPercent) { return false }
                }
            }
            return true
        }

        /// The segment that a point is near, looked for from the one before it outwards: whoever
        /// goes the same way is near the next one.
        private func segment(near point: (x: Int64, y: Int64), from start: Int) -> Int? {
            for distance in 0..<points.count {
                for index in [start + distance, start - distance]
                where points.indices.dropLast().contains(index) && isNear(point, index) {
                    return index
                }
            }
            return nil
        }

        private func isNear(_ point: (x: Int64, y: Int64), _ index: Int) -> Bool {
            let (from, to) = (points[index], points[index + 1])
            let (dx, dy) = (to.x - from.x, to.y - from.y)
            let (px, py) = (point.x - from.x, point.y - from.y)
            // Within 10 degrees products of decimetres are below 2^53; only their squares are not.
            let (along, square) = (dx * px + dy * py, dx * dx + dy * dy)
            func isWithin(_ x: Int64, _ y: Int64) -> Bool { x * x + y * y <= near * near }
            if along <= 0 { return isWithin(px, py) }
            if along >= square { return isWithin(px - dx, py - dy) }
            let across = Int128(dx * py - dy * px)
            return across * across <= Int128(near * near) * Int128(square)
        }
    }
}

extension Place {
    /// Where a point of a track was; nil if that is nowhere on Earth.
    fileprivate init?(_ point: SessionSeries.Point) {
        self.init(PositionFixed(latitudeE7: point.latitudeE7, longitudeE7: point.longitudeE7))
    }
}
