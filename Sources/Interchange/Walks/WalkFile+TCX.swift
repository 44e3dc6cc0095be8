internal import Projections

/// TCX, Garmin's TrainingCenterDatabase 2 with ActivityExtension 2: laps, and tracks that may have
/// no positions.
extension WalkFile {
    func writeTCX(_ write: ([UInt8]) throws -> Void) rethrows {
        let schemas = "http://www.garmin.com/xmlschemas"
        var text = WalkText()
        text.add(#"<?xml version="1.0" encoding="UTF-8"?>"#)
        text.open(
            "TrainingCenterDatabase",
            [
                "xmlns": "\(schemas)/TrainingCenterDatabase/v2",
                "xmlns:ns3": "\(schemas)/ActivityExtension/v2",
            ])
        text.open("Activities")
        // Of walking the schema knows nothing.
        text.open("Activity", ["Sport": "Other"])
        text.element("Id", instant(0))
        let laps = laps
        var rows = series.rows.makeIterator()
        var row = rows.next()
        var course = WalkCourse(series.intervals.filter { $0.kind == .paused })
        for (index, lap) in laps.enumerated() {
            add(lap, to: &text)
            var stretch: Int?
            while let moment = row, moment.elapsedMilliseconds < lap.end || index == laps.count - 1
            {
                row = rows.next()
                let pause = course.interval(at: moment.elapsedMilliseconds)
                // Where a pause begins the stretch before it ends.
                if let pause, pause.startMilliseconds < moment.elapsedMilliseconds { continue }
                if stretch != course.ended {
                    if stretch != nil { text.close("Track") }
                    text.open("Track")
                    stretch = course.ended
                }
                add(moment, to: &text)
                try text.pass(write)
            }
            if stretch != nil { text.close("Track") }
            // Readers that know no steps skip them.
            if lap.steps > 0, lap.holdsSteps {
                text.add("<Extensions><ns3:LX>")
                text.element("ns3:Steps", "\(lap.steps)")
                text.close("ns3:LX", "Extensions")
            }
            text.close("Lap")
        }
        if program == Self.simulator { text.element("Notes", program) }
        text.close("Activity", "Activities", "TrainingCenterDatabase")
        text.add("\n")
        try text.finish(write)
    }

    private func add(_ lap: Lap, to text: inout WalkText) {
        text.open("Lap", ["StartTime": instant(lap.start)])
        text.element("TotalTimeSeconds", decimal(lap.activeMilliseconds, places: 3))
        text.element("DistanceMeters", decimal(lap.distanceMillimetres, places: 3))
        text.element("Calories", "\(min(lap.kilocalories, UInt64(UInt16.max)))")
        addRate("AverageHeartRateBpm", lap.mean, to: &text)
        addRate("MaximumHeartRateBpm", lap.maximum, to: &text)
        text.element("Intensity", "Active")
        text.element("TriggerMethod", lap.isLast ? "Manual" : "Distance")
    }

    private func addRate(_ name: String, _ bpm: UInt64?, to text: inout WalkText) {
        guard let bpm, (1...255).contains(bpm) else { return }
        text.add("<\(name)>")
        text.element("Value", "\(bpm)")
        text.close(name)
    }

    private func add(_ row: SessionSeries.Row, to text: inout WalkText) {
        text.open("Trackpoint")
        text.element("Time", instant(row.elapsedMilliseconds))
        if let point = row.point {
            text.add("<Position>")
            text.element("LatitudeDegrees", decimal(point.latitudeE7, places: 7))
            text.element("LongitudeDegrees", decimal(point.longitudeE7, places: 7))
            text.close("Position")
            if let altitude = point.altitudeMillimetres {
                text.element("AltitudeMeters", decimal(altitude, places: 3))
            }
        }
        if let distance = row.distanceMillimetres {
            text.element("DistanceMeters", decimal(distance, places: 3))
        }
        addRate("HeartRateBpm", row.sample?.garminRate, to: &text)
        if let cadence = row.stepsPerMinute.map({ $0 / 2 }), cadence <= 254 {
            text.add("<Extensions><ns3:TPX>")
            text.element("ns3:RunCadence", "\(cadence)")
            text.close("ns3:TPX", "Extensions")
        }
        text.close("Trackpoint")
    }
}

// MARK: - Laps

/// A kilometre, or the rest at the end; together they are the walk.
private struct Lap {
    var start: UInt64 = 0
    let end: UInt64
    let activeMilliseconds: UInt64
    let distanceMillimetres: UInt64
    let steps: UInt64
    var kilocalories: UInt64 = 0
    var mean: UInt64?
    var maximum: UInt64?
    var isLast = false

    /// Whether the extension has room for its steps.
    var holdsSteps: Bool { steps <= UInt16.max }
}

extension WalkFile {
    /// The steps of the laps that have more than the extension has room for.
    var stepsBeyondLaps: UInt64 { laps.reduce(0) { $0 + ($1.holdsSteps ? 0 : $1.steps) } }

    /// The laps: a split each, of which the last one takes what is left of the walk.
    private var laps: [Lap] {
        var laps = series.splits.dropLast().map { split in
            Lap(
                end: split.endMilliseconds, activeMilliseconds: split.activeMilliseconds,
                distanceMillimetres: split.distanceMillimetres, steps: split.steps)
        }
        func rest(_ whole: UInt64, _ part: (Lap) -> UInt64) -> UInt64 {
            let before = laps.reduce(0) { $0 + part($1) }
            return whole > before ? whole - before : 0
        }
        laps.append(
            Lap(
                end: report.elapsedMilliseconds,
                activeMilliseconds: rest(report.activeMilliseconds) { $0.activeMilliseconds },
                distanceMillimetres: rest(report.distanceMillimetres ?? 0) {
                    $0.distanceMillimetres
                }, steps: rest(report.steps) { $0.steps }))
        var (start, active, shared) = (UInt64(0), UInt64(0), UInt64(0))
        var samples = series.samples[...]
        for index in laps.indices {
            let isLast = index == laps.count - 1
            laps[index].start = start
            laps[index].isLast = isLast
            start = max(start, laps[index].end)
            // By the time, so that the whole is the walk's.
            active += laps[index].activeMilliseconds
            let energy = report.energyCalories.multipliedFullWidth(by: active)
            let whole = max(1, max(active, report.activeMilliseconds))
            let calories = whole.dividingFullWidth(energy).quotient
            let until = calories / 1_000 + (calories % 1_000 >= 500 ? 1 : 0)
            laps[index].kilocalories = until - shared
            shared = until
            let own = samples.prefix { isLast || $0.elapsedMilliseconds < laps[index].end }
            samples = samples.dropFirst(own.count)
            let sum = own.reduce(0) { $0 + UInt64($1.bpm) }
            if !own.isEmpty { laps[index].mean = (sum + UInt64(own.count) / 2) / UInt64(own.count) }
            laps[index].maximum = own.map(\.bpm).max().map(UInt64.init)
        }
        return laps
    }
}
