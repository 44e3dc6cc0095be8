internal import Events
internal import Projections
internal import Text

/// TCX, Garmin's TrainingCenterDatabase 2 with ActivityExtension 2: laps, and tracks that may have
/// no positions.
extension WalkFile {
    func writeTCX(_ write: ([UInt8]) throws -> Void) rethrows -> Contents {
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
        text.open("Activity", ["Sport": sport.tcx])
        text.element("Id", text: instant(0))
        var rows = series.rows.makeIterator()
        var row = rows.next()
        var course = WalkCourse(series.intervals.filter { $0.kind == .paused })
        var (held, sharedKilocalories) = (Contents(), UInt64(0))
        for (index, lap) in laps(endingAt: ends).enumerated() {
            let cause = hasLaps ? series.lapEnds.dropFirst(index).first?.cause : .byDistance
            begin(lap, lap.isLast ? nil : cause, &sharedKilocalories, to: &text)
            var stretch: Int?
            while let moment = row,
                moment.elapsedMilliseconds < lap.end.elapsedMilliseconds || lap.isLast
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
                add(moment, &held, to: &text)
                try text.pass(write)
            }
            if stretch != nil { text.close("Track") }
            let steps = lap.grown(\.steps)
            // The extension has no room for more; readers that know no steps skip them.
            if (1...UInt64(UInt16.max)).contains(steps) {
                text.element("Extensions", "ns3:LX", "ns3:Steps", text: "\(steps)")
                held.steps += steps
            }
            text.close("Lap")
        }
        let notes = [
            program == Self.simulator ? program : "", report.keeping.name, report.keeping.note,
        ].filter { !$0.isEmpty }
        if !notes.isEmpty { text.element("Notes", text: notes.joined(separator: ": ")) }
        addNote(within: "Extensions", to: &text)
        text.close("Activity", "Activities", "TrainingCenterDatabase")
        text.add("\n")
        try text.finish(write)
        return held
    }

    /// The ends of the laps, or else kilometres, but for the last, which takes what is left.
    private var ends: [WalkLap.Reach] {
        var reach = WalkLap.Reach()
        return (hasLaps ? series.laps : series.splits).dropLast().map { split in
            reach.elapsedMilliseconds = split.endMilliseconds
            reach.activeMilliseconds += split.activeMilliseconds
            reach.millimetres += split.distanceMillimetres
            reach.steps += split.steps
            return reach
        }
    }

    private var hasLaps: Bool { !series.lapEnds.isEmpty }

    /// Begins a lap, and says what ends it; nil for the end of the walk.
    ///
    /// It has its share of the energy by the time, after what the laps before it have shared, so
    /// that the whole is the walk's.
    private func begin(
        _ lap: WalkLap, _ cause: LapCause?, _ shared: inout UInt64, to text: inout WalkText
    ) {
        let active = lap.end.activeMilliseconds
        let calories = max(1, max(active, report.activeMilliseconds))
            .dividingFullWidth(report.energyCalories.multipliedFullWidth(by: active)).quotient
        let until = calories / 1_000 + (calories % 1_000 >= 500 ? 1 : 0)
        let kilocalories = min(until - shared, UInt64(UInt16.max))
        shared = until
        let count = UInt64(lap.bpm.count)
        let sum = lap.bpm.reduce(count / 2) { $0 + UInt64($1) }
        let mean = count == 0 ? nil : UInt16(sum / count)
        text.open("Lap", ["StartTime": instant(lap.start.elapsedMilliseconds)])
        text.element(
            "TotalTimeSeconds", text: decimal(lap.grown(\.activeMilliseconds), places: 3))
        text.element("DistanceMeters", text: decimal(lap.grown(\.millimetres), places: 3))
        text.element("Calories", text: "\(kilocalories)")
        text.element("AverageHeartRateBpm", "Value", text: garminRate(mean))
        text.element("MaximumHeartRateBpm", "Value", text: garminRate(lap.bpm.max()))
        text.element("Intensity", text: "Active")
        text.element("TriggerMethod", text: (cause ?? .byHand).tcx)
    }

    private func add(
        _ row: SessionSeries.Row, _ held: inout Contents, to text: inout WalkText
    ) {
        text.open("Trackpoint")
        text.element("Time", text: instant(row.elapsedMilliseconds))
        if let point = row.point {
            text.add("<Position>")
            text.element("LatitudeDegrees", text: point.latitude)
            text.element("LongitudeDegrees", text: point.longitude)
            text.close("Position")
            text.element("AltitudeMeters", text: point.altitude)
            held.positions += 1
        }
        text.element("DistanceMeters", text: row.distance)
        if let rate = garminRate(row.sample?.bpm) {
            text.element("HeartRateBpm", "Value", text: rate)
            held.heartRates += 1
        }
        text.element("Extensions", "ns3:TPX", "ns3:RunCadence", text: row.garminCadence)
        text.close("Trackpoint")
    }
}
