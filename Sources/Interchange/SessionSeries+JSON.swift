public import JSON
public import Projections

extension SessionSeries {
    /// Writes the marks, the splits, the samples, the track and its heat-map into a session's
    /// object that is open.
    public func writeFields(to json: inout JSONWriter) {
        json.field("offsetMinutes", offsetMinutes)
        json.array("intervals") { json in
            for interval in intervals { json.value(interval) }
        }
        json.array("markList") { json in
            for mark in marks { json.value(mark) }
        }
        json.array("splits") { json in
            for split in splits { json.value(split) }
        }
        json.array("samples") { json in
            for sample in samples { json.value(sample) }
        }
        json.array("track") { json in
            for point in points { json.value(point) }
        }
        json.array("heatMap") { json in
            for segment in HeatMap(self, zones: zones).segments { json.value(segment) }
        }
    }
}

extension SessionInterval: JSONWritable {
    /// Writes a stretch without a heart rate that counts.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("kind", kind.rawValue)
            json.field("startMilliseconds", startMilliseconds)
            json.field("endMilliseconds", endMilliseconds)
        }
    }
}

extension SessionSeries.Sample: JSONWritable {
    /// Writes a heart-rate reading that counts.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("position", position)
            json.field("elapsedMilliseconds", elapsedMilliseconds)
            json.field("bpm", bpm)
        }
    }
}

extension SessionSeries.Mark: JSONWritable {
    /// Writes a mark that the walker set.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("position", position)
            json.field("elapsedMilliseconds", elapsedMilliseconds)
            json.field("text", text)
        }
    }
}

extension Split: JSONWritable {
    /// Writes a kilometre of a session; times are since it began, with its pauses.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("startMilliseconds", startMilliseconds)
            json.field("endMilliseconds", endMilliseconds)
            json.field("activeMilliseconds", activeMilliseconds)
            json.field("distanceMillimetres", distanceMillimetres)
            json.field("steps", steps)
            json.field("mean", mean?.description)
        }
    }
}

extension SessionSeries.Point: JSONWritable {
    /// Writes a point of the track.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("position", position)
            json.field("elapsedMilliseconds", elapsedMilliseconds)
            json.field("latitudeE7", latitudeE7)
            json.field("longitudeE7", longitudeE7)
            json.field("altitudeMillimetres", altitudeMillimetres)
            json.field("start", isStart)
        }
    }
}

extension HeatMap.Segment: JSONWritable {
    /// Writes a part of the track; its points are counted from 0.
    public func write(to json: inout JSONWriter) {
        json.object { json in
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
}
