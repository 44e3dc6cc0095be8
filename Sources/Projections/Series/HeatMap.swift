/// A track in segments, coloured by the heart rate in each, with what else is known of them.
///
/// With n points and s = max(2, n / 50), segment k has the points from k s to
/// min((k + 1) s, n - 1), so neighbours share an end. A sample belongs to the segment in whose time
/// it lies; where two segments share an instant, to the later one, so that none counts twice.
package struct HeatMap: Hashable, Sendable {
    /// A part of the track.
    package struct Segment: Hashable, Sendable {
        /// The first point, counted from 0.
        package internal(set) var firstPoint: Int
        /// The last point.
        package internal(set) var lastPoint: Int
        /// The mean of its samples in BPM; nil without one.
        package let mean: Hundredths?
        /// The mean's zone; nil without a sample.
        package let zone: Zone?
        /// How strong the colour is: from 0.40 at the zone's lower bound to 1.00 at its upper one.
        package let opacity: Hundredths
        /// Steps a minute; nil in a pause, and in a session without a step.
        package let cadence: Hundredths?
        /// Milliseconds a kilometre by the session's distance; nil where nobody moved.
        package let paceMilliseconds: UInt64?
        /// The mean height of its points, as their sources give it; nil if none gives one.
        package let altitudeMillimetres: Int64?
        /// RMSSD of the cleaned intervals between beats; nil below five differences.
        package let rmssdMilliseconds: Hundredths?
    }

    /// The segments along the track; none of less than two points.
    package let segments: [Segment]

    /// The fewest points from end to end of a segment, and the part of all points that it has else.
    private static let leastStride = 2
    private static let strideDivisor = 50
    fileprivate static let leastOpacityHundredths: UInt64 = 40
    fileprivate static let opacityRangeHundredths: UInt64 = 60

    /// Makes the segments of a session's track.
    ///
    /// - Parameters:
    ///   - series: The track and the samples.
    ///   - zones: The session's zones.
    package init(_ series: SessionSeries, zones: Zones) {
        let points = series.points
        let stride = max(Self.leastStride, points.count / Self.strideDivisor)
        var samples = series.samples[...]
        var before = RRSums()
        var segments: [Segment] = []
        var first = 0
        while first < points.count - 1 {
            let last = min(first + stride, points.count - 1)
            let isEnd = last == points.count - 1
            while let earlier = samples.first,
                earlier.elapsedMilliseconds < points[first].elapsedMilliseconds
            {
                before = earlier.beats
                samples.removeFirst()
            }
            let own = samples.prefix {
                $0.elapsedMilliseconds < points[last].elapsedMilliseconds
                    || isEnd && $0.elapsedMilliseconds == points[last].elapsedMilliseconds
            }
            segments.append(Segment(first...last, of: series, own, after: before, zones))
            first = last
        }
        self.segments = segments
    }
}

extension HeatMap.Segment {
    /// What a segment's points and samples, and the session's steps and distance, make of it.
    fileprivate init(
        _ range: ClosedRange<Int>, of series: SessionSeries,
        _ samples: ArraySlice<SessionSeries.Sample>, after before: RRSums, _ zones: Zones
    ) {
        let points = series.points[range]
        let (first, last) = (series.points[range.lowerBound], series.points[range.upperBound])
        func grown(_ growth: Growth) -> (amount: UInt64, active: UInt64)? {
            guard growth.amount > 0,
                let start = growth.reading(atElapsed: first.elapsedMilliseconds),
                let end = growth.reading(atElapsed: last.elapsedMilliseconds)
            else { return nil }
            let active = end.activeMilliseconds.minus(start.activeMilliseconds)
            return (end.amount.minus(start.amount), active)
        }
        (firstPoint, lastPoint) = (range.lowerBound, range.upperBound)
        let (sum, count) = (samples.reduce(0) { $0 + UInt64($1.bpm) }, UInt64(samples.count))
        mean = Hundredths(sum, over: count)
        // Rounded down, a mean is in the same zone as the exact one: bounds are whole hundredths.
        zone = count > 0 ? zones.zone(ofHundredths: sum * 100 / count) : nil
        let part = zone.map { zone -> UInt64 in
            let bounds = zones.bounds(of: zone)
            let whole = UInt64(bounds.count) * count
            let part = min((sum * 100).minus(bounds.lowerBound * count), whole)
            return part.scaled(by: HeatMap.opacityRangeHundredths, over: whole)
        }
        opacity = Hundredths(value: HeatMap.leastOpacityHundredths + (part ?? 0))
        cadence = grown(series.steps).flatMap { Hundredths($0.times(60_000), over: $1) }
        paceMilliseconds = grown(series.distance).flatMap { millimetres, active in
            millimetres == 0 ? nil : active.scaled(by: 1_000_000, over: millimetres)
        }
        let altitudes = points.compactMap(\.altitudeMillimetres)
        altitudeMillimetres =
            altitudes.isEmpty ? nil : altitudes.reduce(0, +) / Int64(altitudes.count)
        rmssdMilliseconds = samples.last?.beats.rmssd(since: before)
    }
}

extension Zones {
    /// The upper bound of the highest zone in drawings: 300 BPM.
    private static let drawnToHundredths: UInt64 = 30_000

    /// A zone's bounds in hundredths of a BPM, for drawings; never empty.
    fileprivate func bounds(of zone: Zone) -> Range<UInt64> {
        let limits = [
            0, moderateFromHundredths, vigorousFromHundredths, maximumFromHundredths,
            Self.drawnToHundredths,
        ]
        let lower = limits[Int(zone.rawValue)]
        return lower..<max(limits[Int(zone.rawValue) + 1], lower + 1)
    }
}
