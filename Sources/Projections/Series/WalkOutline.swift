public import Events

/// What lists, records and comparisons want of a walk that has ended, so that nobody reads its
/// events again: constant in size, however long it lasted.
public struct WalkOutline: OrderedPart, Hashable, Sendable {
    /// The shortest time, without pauses, in which a stretch of a length was covered.
    public struct Fastest: StatePart, Hashable, Sendable {
        /// How long it took.
        public internal(set) var activeMilliseconds: UInt64 = 0
        /// When it begins, since the session began, with its pauses.
        public internal(set) var startMilliseconds: UInt64 = 0
        /// When it ends.
        public internal(set) var endMilliseconds: UInt64 = 0

        init() {}

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&activeMilliseconds, &startMilliseconds, &endMilliseconds)
        }
    }

    /// A point of its track.
    public struct Point: StatePart, Hashable, Sendable {
        /// Degrees north times 10^7.
        public internal(set) var latitudeE7: Int64 = 0
        /// Degrees east times 10^7.
        public internal(set) var longitudeE7: Int64 = 0
        /// Whether it continues from no other.
        public internal(set) var isStart = false

        init() {}

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&latitudeE7, &longitudeE7, &isStart)
        }
    }

    /// How many parts of its time the heart rate is told for.
    public static let traceParts = 60
    /// The most points of its track.
    public static let trackPoints = 96
    /// A mile, in millimetres.
    public static let mileMillimetres: UInt64 = 1_609_344

    /// The session.
    public private(set) var position: Position = 0
    /// The straps that are left out of the heart rate.
    private var excludedStraps: [DeviceID] = []
    /// The fastest kilometre; nil if it has none, or its distance is only by the stride.
    public private(set) var fastestKilometre: Fastest?
    /// The fastest mile, likewise.
    public private(set) var fastestMile: Fastest?
    /// The mean heart rate of each part of its time, in BPM; 0 where none came.
    public private(set) var trace: [UInt64] = []
    /// Its track.
    public private(set) var track: [Point] = []

    var key: Position { position }

    init() {}

    /// Outlines a walk.
    ///
    /// - Parameters:
    ///   - report: The walk.
    ///   - series: What its figures are made of.
    public init(_ report: SessionReport, _ series: SessionSeries) {
        position = report.position
        excludedStraps = report.straps.filter(\.isExcluded).map(\.device)
        if report.distanceSource != .stride {
            fastestKilometre = series.distance.fastest(1_000_000)
            fastestMile = series.distance.fastest(Self.mileMillimetres)
        }
        trace = Self.trace(series.samples, over: report.elapsedMilliseconds)
        track = Self.track(series.points)
    }

    /// Whether it is that of a walk as it is now: with the straps that are left out.
    func isCurrent(for report: SessionReport) -> Bool {
        excludedStraps == report.straps.filter(\.isExcluded).map(\.device)
    }

    private static func trace(
        _ samples: [SessionSeries.Sample], over elapsed: UInt64
    ) -> [UInt64] {
        guard !samples.isEmpty else { return [] }
        var parts = [(sum: UInt64, count: UInt64)](repeating: (0, 0), count: traceParts)
        for sample in samples {
            let part = sample.elapsedMilliseconds.times(UInt64(traceParts)) / max(elapsed, 1)
            let index = Int(min(part, UInt64(traceParts - 1)))
            parts[index].sum += UInt64(sample.bpm)
            parts[index].count += 1
        }
        return parts.map { $0.count > 0 ? ($0.sum + $0.count / 2) / $0.count : 0 }
    }

    /// The points at equal distances in their order, the first and the last among them.
    private static func track(_ points: [SessionSeries.Point]) -> [Point] {
        let count = min(points.count, trackPoints)
        var last = -1
        return (0..<count).map { number in
            let index = count == 1 ? 0 : number * (points.count - 1) / (count - 1)
            var point = Point()
            point.latitudeE7 = points[index].latitudeE7
            point.longitudeE7 = points[index].longitudeE7
            point.isStart = points[(last + 1)...index].contains(where: \.isStart)
            last = index
            return point
        }
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&position, &excludedStraps, &fastestKilometre, &fastestMile, &trace, &track)
    }
}

extension Growth {
    /// The shortest active time in which it grew by so much; nil if it never did.
    ///
    /// Between two readings it grows evenly, so the fastest stretch begins or ends at one.
    func fastest(_ amount: UInt64) -> WalkOutline.Fastest? {
        guard let first = readings.first, self.amount.minus(first.amount) >= amount else {
            return nil
        }
        var best: WalkOutline.Fastest?
        func take(_ start: Reading?, _ end: Reading?) {
            guard let start, let end, end.amount.minus(start.amount) >= amount else { return }
            let active = end.activeMilliseconds.minus(start.activeMilliseconds)
            guard active > 0, active < best?.activeMilliseconds ?? .max else { return }
            var fastest = WalkOutline.Fastest()
            fastest.activeMilliseconds = active
            fastest.startMilliseconds = start.elapsedMilliseconds
            fastest.endMilliseconds = end.elapsedMilliseconds
            best = fastest
        }
        for reading in readings {
            take(reading, self.reading(atAmount: reading.amount + amount))
            if reading.amount >= first.amount + amount {
                take(self.reading(atAmount: reading.amount - amount, isLast: true), reading)
            }
        }
        return best
    }
}

/// The outlines of walks, in order of position.
public struct WalkOutlines: Sendable {
    /// Another one if an outline of the same events would be another one.
    public static let version: UInt32 = 1

    private var parts = OrderedParts<WalkOutline>()

    /// Begins with none.
    public init() {}

    /// The outline of a walk, or nil.
    public subscript(position: Position) -> WalkOutline? { parts[position] }

    /// Walks that have ended and whose outlines are missing, or are those of other straps.
    public func missing(of walks: [SessionReport]) -> [SessionReport] {
        walks.filter { walk in
            walk.state == .ended && parts[walk.position]?.isCurrent(for: walk) != true
        }
    }

    /// Adds an outline, in the place of the one that there was.
    public mutating func take(_ outline: WalkOutline) {
        _ = parts.remove(outline.position)
        parts.insert(outline)
    }

    /// The outlines in the form in which they are kept.
    public func bytes() -> [UInt8] { StateCoder.bytes(of: CollectionOfOne(parts)) }

    /// Reads outlines that were kept.
    ///
    /// - Parameter bytes: What ``bytes()`` gave under the same version.
    /// - Throws: ``DamagedState`` if no outlines have these bytes.
    public init(bytes: [UInt8]) throws(DamagedState) {
        try self.init(StateCoder(bytes[...]))
    }

    private init(_ reader: consuming StateCoder<Reading>) throws(DamagedState) {
        var reader = reader
        try reader(&parts)
        try reader.finish()
    }
}
