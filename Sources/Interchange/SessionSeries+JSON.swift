internal import Events
package import JSON
package import Projections

extension SessionSeries {
    /// Writes the marks, the splits, the samples, the track and its heat-map into a session's
    /// object that is open.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - asDrawn: Whether samples and track are those of a drawing, without the intervals between
    ///     beats.
    package func writeFields(to json: inout JSONWriter, asDrawn: Bool = false) {
        let (track, heatMap) =
            asDrawn ? drawnTrack : (points, HeatMap(self, zones: zones).segments)
        json.array("intervals", intervals)
        json.array("markList", marks)
        json.array("splits", splits)
        json.array("samples") { json in
            for sample in asDrawn ? drawnSamples : samples {
                json.object { sample.writeFields(to: &$0, withBeats: !asDrawn) }
            }
        }
        json.array("track", track)
        json.array("heatMap", heatMap)
    }
}

extension SessionInterval: JSONObject {
    /// Writes a stretch without a heart rate that counts.
    package func writeFields(to json: inout JSONWriter) {
        json.field("kind", kind.rawValue)
        json.field("startMilliseconds", startMilliseconds)
        json.field("endMilliseconds", endMilliseconds)
    }
}

extension SessionSeries.Sample {
    /// Writes a heart-rate reading that counts.
    fileprivate func writeFields(to json: inout JSONWriter, withBeats: Bool) {
        json.field("position", position)
        json.field("elapsedMilliseconds", elapsedMilliseconds)
        json.field("bpm", bpm)
        if withBeats, !rrTicks.isEmpty { json.array("rrTicks", rrTicks) }
    }
}

extension SessionSeries.Mark: JSONObject {
    /// Writes a mark that the walker set.
    package func writeFields(to json: inout JSONWriter) {
        json.field("position", position)
        json.field("elapsedMilliseconds", elapsedMilliseconds)
        json.field("text", text)
    }
}

extension Split: JSONObject {
    /// Writes a kilometre of a session; times are since it began, with its pauses.
    package func writeFields(to json: inout JSONWriter) {
        json.field("startMilliseconds", startMilliseconds)
        json.field("endMilliseconds", endMilliseconds)
        json.field("activeMilliseconds", activeMilliseconds)
        json.field("distanceMillimetres", distanceMillimetres)
        json.field("steps", steps)
        json.field("ascentMillimetres", ascentMillimetres)
        json.field("mean", mean?.description)
    }
}

extension SessionSeries.Point: JSONObject {
    /// Writes a point of the track.
    package func writeFields(to json: inout JSONWriter) {
        json.field("position", position)
        json.field("elapsedMilliseconds", elapsedMilliseconds)
        json.field("latitudeE7", latitudeE7)
        json.field("longitudeE7", longitudeE7)
        json.field("altitudeMillimetres", altitudeMillimetres)
        json.field("start", isStart)
    }
}

extension HeatMap.Segment: JSONObject {
    /// Writes a part of the track; its points are counted from 0.
    package func writeFields(to json: inout JSONWriter) {
        json.field("firstPoint", firstPoint)
        json.field("lastPoint", lastPoint)
        json.field("mean", mean?.description)
        json.field("zone", zone?.name)
        json.field("opacity", opacity.description)
        json.field("cadence", cadence?.description)
        json.field("paceMilliseconds", paceMilliseconds)
        json.field("altitudeMillimetres", altitudeMillimetres)
        json.field("rmssdMilliseconds", rmssdMilliseconds?.description)
    }
}
