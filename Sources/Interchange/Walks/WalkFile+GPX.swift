internal import Projections

/// GPX 1.1 with Garmin's TrackPointExtension 1: the track.
extension WalkFile {
    /// What GoldenCheetah and others look for by these very letters.
    private static let prefix = "gpxtpx"
    private static let namespace = "http://www.garmin.com/xmlschemas/TrackPointExtension/v1"

    func writeGPX(_ write: ([UInt8]) throws -> Void) rethrows -> Contents {
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
        text.element("time", text: instant(0))
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
        text.element(
            "name",
            text: report.keeping.name.isEmpty
                ? "Walk of \(start.prefix(10)), \(start.dropFirst(11).prefix(5))"
                : report.keeping.name)
        if !report.keeping.note.isEmpty { text.element("desc", text: report.keeping.note) }
        text.element("type", text: sport.gpx)
        addNote(within: "extensions", to: &text)
        // The heart rate that was shown at a point: the last one, while the live view holds it.
        let holdMilliseconds = series.state.rules.graceMilliseconds
        var held = Contents(positions: UInt64(series.points.count))
        held.marks = UInt64(series.marks.count)
        var (isFirst, last, told) = (true, SessionSeries.Sample?.none, SessionSeries.Sample?.none)
        for row in series.rows {
            last = row.sample ?? last
            guard let point = row.point else { continue }
            if isFirst || point.isStart {
                if !isFirst { text.close("trkseg") }
                text.open("trkseg")
            }
            isFirst = false
            add(point, "trkpt", to: &text)
            if let sample = last,
                row.elapsedMilliseconds > sample.elapsedMilliseconds + holdMilliseconds
            {
                last = nil
            }
            let rate = garminRate(last?.bpm)
            if rate != nil, last != told { (told, held.heartRates) = (last, held.heartRates + 1) }
            addExtension(rate, row.garminCadence, to: &text)
            text.close("trkpt")
            try text.pass(write)
        }
        if !isFirst { text.close("trkseg") }
        text.close("trk", "gpx")
        text.add("\n")
        try text.finish(write)
        return held
    }

    /// Begins a point.
    private func add(_ point: SessionSeries.Point, _ name: String, to text: inout WalkText) {
        text.open(name, ["lat": point.latitude, "lon": point.longitude])
        text.element("ele", text: point.altitude)
        if name == "trkpt" { text.element("time", text: instant(point.elapsedMilliseconds)) }
    }

    private func add(
        _ mark: SessionSeries.Mark, at point: SessionSeries.Point, to text: inout WalkText
    ) {
        add(point, "wpt", to: &text)
        text.element("time", text: instant(mark.elapsedMilliseconds))
        text.element("name", text: mark.text.isEmpty ? "Mark" : mark.text)
        text.close("wpt")
    }

    /// Heart rate and cadence, in the order and the limits of the schema: no heart rate of 0, and
    /// the cadence of one foot.
    private func addExtension(_ rate: String?, _ cadence: String?, to text: inout WalkText) {
        guard rate != nil || cadence != nil else { return }
        text.add("<extensions><\(Self.prefix):TrackPointExtension>")
        text.element("\(Self.prefix):hr", text: rate)
        text.element("\(Self.prefix):cad", text: cadence)
        text.close("\(Self.prefix):TrackPointExtension", "extensions")
    }
}
