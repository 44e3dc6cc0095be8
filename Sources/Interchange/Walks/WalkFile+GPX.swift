internal import Projections
internal import Text

/// GPX 1.1 with Garmin's TrackPointExtension 1: the track.
extension WalkFile {
    /// What GoldenCheetah and others look for by these very letters.
    private static let prefix = "gpxtpx"
    private static let namespace = "http://www.garmin.com/xmlschemas/TrackPointExtension/v1"

    func writeGPX(_ write: ([UInt8]) throws -> Void) rethrows {
        let topografix = "http://www.topografix.com/GPX/1/1"
        var text = WalkText()
        text.add(#"<?xml version="1.0" encoding="UTF-8"?>"#)
        text.open(
            "gpx",
            [
                "version": "1.1", "creator": program, "xmlns": topografix,
                "xmlns:\(Self.prefix)": Self.namespace,
            ])
        text.open("metadata")
        text.element("time", instant(0))
        text.close("metadata")
        // A mark is where the walker was: at the last point before it, or at the first one.
        var points = series.points[...]
        var place = points.first
        for mark in series.marks {
            while let point = points.first, point.position < mark.position {
                place = point
                points.removeFirst()
            }
            if let place { add(mark, at: place, to: &text) }
        }
        text.open("trk")
        let start = localInstant(0)
        text.element("name", "Walk of \(start.prefix(10)), \(start.dropFirst(11).prefix(5))")
        text.element("type", "walking")
        var isFirst = true
        for (row, sample) in track {
            guard let point = row.point else { continue }
            if isFirst || point.isStart {
                if !isFirst { text.close("trkseg") }
                text.open("trkseg")
            }
            isFirst = false
            add(point, "trkpt", to: &text)
            addExtension(sample, row.stepsPerMinute, to: &text)
            text.close("trkpt")
            try text.pass(write)
        }
        if !isFirst { text.close("trkseg") }
        text.close("trk", "gpx")
        text.add("\n")
        try text.finish(write)
    }

    /// Begins a point.
    private func add(_ point: SessionSeries.Point, _ name: String, to text: inout WalkText) {
        text.open(
            name,
            [
                "lat": decimal(point.latitudeE7, places: 7),
                "lon": decimal(point.longitudeE7, places: 7),
            ])
        if let altitude = point.altitudeMillimetres {
            text.element("ele", decimal(altitude, places: 3))
        }
        if name == "trkpt" { text.element("time", instant(point.elapsedMilliseconds)) }
    }

    private func add(
        _ mark: SessionSeries.Mark, at point: SessionSeries.Point, to text: inout WalkText
    ) {
        add(point, "wpt", to: &text)
        text.element("time", instant(mark.elapsedMilliseconds))
        text.element("name", mark.text.isEmpty ? "Mark" : mark.text)
        text.close("wpt")
    }

    /// Heart rate and cadence, in the order and the limits of the schema: no heart rate of 0, and
    /// the cadence of one foot.
    private func addExtension(
        _ sample: SessionSeries.Sample?, _ stepsPerMinute: UInt64?, to text: inout WalkText
    ) {
        let rate = sample?.garminRate
        let cadence = stepsPerMinute.flatMap { $0 / 2 <= 254 ? $0 / 2 : nil }
        guard rate != nil || cadence != nil else { return }
        text.add("<extensions><\(Self.prefix):TrackPointExtension>")
        if let rate { text.element("\(Self.prefix):hr", "\(rate)") }
        if let cadence { text.element("\(Self.prefix):cad", "\(cadence)") }
        text.close("\(Self.prefix):TrackPointExtension", "extensions")
    }

    /// The track, with the heart rate that was shown at each point: the last one, no older than
    /// what the live view holds.
    var track: some Sequence<(row: SessionSeries.Row, sample: SessionSeries.Sample?)> {
        TrackRows(
            rows: series.rows.makeIterator(), holdMilliseconds: series.state.rules.graceMilliseconds
        )
    }
}

/// The rows that have a point.
private struct TrackRows<Rows: IteratorProtocol<SessionSeries.Row>>: Sequence, IteratorProtocol {
    var rows: Rows
    let holdMilliseconds: UInt64
    private var last: SessionSeries.Sample?

    init(rows: Rows, holdMilliseconds: UInt64) {
        (self.rows, self.holdMilliseconds) = (rows, holdMilliseconds)
    }

    mutating func next() -> (row: SessionSeries.Row, sample: SessionSeries.Sample?)? {
        while let row = rows.next() {
            last = row.sample ?? last
            guard row.point != nil else { continue }
            let isHeld = last.map {
                row.elapsedMilliseconds <= $0.elapsedMilliseconds + holdMilliseconds
            }
            return (row, isHeld == true ? last : nil)
        }
        return nil
    }
}
