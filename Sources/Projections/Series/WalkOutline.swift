package import Events

/// What records and trends need of a walk that has ended, apart from its totals, so that its events
/// are not read again.
package struct WalkOutline: StatePart, Hashable, Sendable {
    /// The shortest time, without pauses, in which a stretch of a length was covered.
    package struct Fastest: StatePart, Hashable, Sendable {
        /// How long it took.
        package internal(set) var activeMilliseconds: UInt64 = 0
        /// When it begins, since the session began, with its pauses.
        package internal(set) var startMilliseconds: UInt64 = 0
        /// When it ends.
        package internal(set) var endMilliseconds: UInt64 = 0

        init() {}

        init(_ start: Growth.Reading, until end: Growth.Reading) {
            activeMilliseconds = end.activeMilliseconds - start.activeMilliseconds
            startMilliseconds = start.elapsedMilliseconds
            endMilliseconds = end.elapsedMilliseconds
        }

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&activeMilliseconds, &startMilliseconds, &endMilliseconds)
        }
    }

    /// The lengths of which the fastest stretches are known: a kilometre, a mile, 5 and 10 km.
    package static let lengths: [UInt64] = [1_000_000, 1_609_344, 5_000_000, 10_000_000]

    /// The session.
    package private(set) var position: Position = 0
    /// Its fastest stretches, of as many of the ``lengths`` as it has; none if its distance is
    /// only by the stride.
    package private(set) var fastest: [Fastest] = []
    /// The lowest mean heart rate over five minutes in which the walker did not move, in hundredths
    /// of a BPM; nil without such minutes in the lowest zone.
    package internal(set) var restingHundredths: UInt64?
    /// The variability of its first five minutes; nil if the walker moved in them.
    package internal(set) var variability: Variability?
    /// Its stretches of five minutes that are flat, with a heart rate of ``comparedHundredths``;
    /// nil without one, or without a distance by positions alone.
    package internal(set) var covered: Laps.Amount?
    /// The mean heart rate over each of some equal parts of its time, in BPM, 0 where there is
    /// none; empty without a heart rate.
    package internal(set) var trace: [UInt64] = []
    /// The straps whose values were left out when it was outlined.
    private(set) var excludedStraps: [DeviceID] = []
    /// Where it went; nil without positions.
    package private(set) var track: WalkWay?

    init() {}

    /// Outlines a walk.
    ///
    /// - Parameters:
    ///   - report: The walk.
    ///   - series: What its figures are made of.
    package init(_ report: SessionReport, _ series: SessionSeries) {
        position = report.position
        excludedStraps = report.excludedStraps
        if series.points.count > 1 {
            track = WalkWay(series, of: report.route.distanceMillimetres)
        }
        let source = report.distanceSource
        for length in Self.lengths {
            guard let (start, end) = series.fastest(length, by: source) else { break }
            fastest.append(Fastest(start, until: end))
        }
        takeHeart(series, source)
        takeTrace(series.samples, report.elapsedMilliseconds)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&position, &fastest)
        try coder.require(fastest.count <= Self.lengths.count)
        try coder(&restingHundredths, &variability, &covered, &track)
        try coder(&excludedStraps, &trace)
        try coder.require(trace.count <= Self.traceParts)
    }
}

extension Growth {
    /// The shortest active time in which it grew by so much; nil if it never did.
    ///
    /// Between two readings it grows evenly, so the fastest stretch begins or ends at one.
    func fastest(_ amount: UInt64) -> (start: Reading, end: Reading)? {
        guard let first = readings.first, self.amount.minus(first.amount) >= amount else {
            return nil
        }
        var best: (start: Reading, end: Reading)?
        var least = UInt64.max
        func take(_ start: Reading?, _ end: Reading?) {
            guard let start, let end, end.amount.minus(start.amount) >= amount else { return }
            let active = end.activeMilliseconds.minus(start.activeMilliseconds)
            guard active > 0, active < least else { return }
            (best, least) = ((start, end), active)
        }
        for reading in readings {
            // What begins as a pause ends is not begun by the pause.
            take(
                self.reading(atAmount: reading.amount, isLast: true),
                self.reading(atAmount: reading.amount + amount))
            if reading.amount >= first.amount + amount {
                take(self.reading(atAmount: reading.amount - amount, isLast: true), reading)
            }
        }
        return best
    }
}

/// The outlines of walks, in order of position.
package struct WalkOutlines: Sendable {
    /// Another one if an outline of the same events would be another one.
    package static let version: UInt32 = 9

    private var outlines: [Position: WalkOutline] = [:]

    /// Begins with none.
    package init() {}

    /// The walks that are outlined, in order.
    package var positions: [Position] { outlines.keys.sorted() }

    /// The outline of a walk, or nil.
    package subscript(position: Position) -> WalkOutline? { outlines[position] }

    /// Walks that have ended and whose outlines are missing, or were made before a strap was left
    /// out or taken in again.
    package func missing(of walks: [SessionReport]) -> [SessionReport] {
        walks.filter {
            $0.state == .ended && outlines[$0.position]?.excludedStraps != $0.excludedStraps
        }
    }

    /// Adds an outline of a walk, in the place of one that it may have had.
    package mutating func take(_ outline: WalkOutline) {
        outlines[outline.position] = outline
    }

    /// The outlines in the form in which they are kept.
    package func bytes() -> [UInt8] {
        StateCoder.bytes(of: CollectionOfOne(positions.compactMap { outlines[$0] }))
    }

    /// Reads outlines that were kept.
    ///
    /// - Parameter bytes: What ``bytes()`` gave under the same version.
    /// - Throws: ``DamagedState`` if no outlines have these bytes.
    package init(bytes: [UInt8]) throws(DamagedState) {
        try self.init(StateCoder(bytes))
    }

    private init(_ reader: consuming StateCoder<Reading>) throws(DamagedState) {
        var reader = reader
        var read: [WalkOutline] = []
        try reader(&read)
        try reader.finish()
        for outline in read { take(outline) }
    }
}
