internal import Events
internal import Interchange
package import JSON
package import Projections
internal import Text

/// A walk looked back at: its figures, its route, its heart rate, its splits.
///
/// What was not recorded is said in a sentence, and never shown as 0.
package struct SessionView: JSONObject {
    let session: SessionReport
    let series: SessionSeries
    let units: Units

    /// Shows a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - series: What its figures are made of.
    ///   - units: The walker's.
    package init(_ session: SessionReport, _ series: SessionSeries, units: Units) {
        (self.session, self.series, self.units) = (session, series, units)
    }

    /// Writes the view as an object.
    package func writeFields(to json: inout JSONWriter) {
        session.writeHead(to: &json)
        let walk = WalkFile(session, series)
        json.list("files", WalkFormat.allCases) { json, format in
            let refusal = walk.refusal(format)
            json.field("format", format.rawValue)
            json.field("name", format.name)
            json.field("words", refusal ?? format.words)
            json.field("file", "\(walk.fileName).\(format.fileExtension)")
            json.field("offered", refusal == nil)
        }
        json.field("made", session.provenance == .simulated ? Self.simulated : nil)
        let figures = session.known(session.sensors.figures, by: session.sensors)
        json.array("figures") { $0.figures(figures, of: session, units: units) }
        let hasWay = session.knownDistanceMillimetres != nil && session.sensors.lead != .active
        let isPlain = session.otherMeasures.isEmpty && session.way.countedMeasures.count < 2
        let lengths = session.knownDistanceMillimetres.flatMap {
            isPlain ? nil : units.distance($0) + session.lengths(units) + "."
        }
        let lack = session.energyLack.map {
            "Energy is left out: working it out by the heart rate takes \($0), which were not in "
                + "your profile then."
        }
        let notes = [lengths, lack].compactMap(\.self)
        json.field("lengths", notes.isEmpty ? nil : notes.joined(separator: " "))
        json.field("loud", hasWay ? "distance" : "active")
        if let goal = session.goal, let reason = session.goalSentence {
            json.field("unmeasured", "Goal of \(goal.text(units)): not measured. \(reason)")
        }
        json.field("reached", series.reachedSentence(of: session, units))
        writeMarks(to: &json)
        let lanes = LanesView(
            session: session, series: series, stretches: series.stretches, units: units)
        let splits = series.splits(of: units.distanceMillimetres)
        json.object("along") { json in
            lanes.write(to: &json)
            writeKilometres(splits, to: &json)
        }
        let hasHeart = session.heartRate.samples > 0
        if hasHeart {
            json.object("heart") { HeartView(session: session, series: series).write(to: &$0) }
        } else {
            json.field("noHeart", session.contactlessStrap?.sentence ?? noHeart)
        }
        json.field("absent", absence)
        if series.points.count > 1 {
            json.object("route") { writeRoute(to: &$0, hasHeart) }
            json.object("picture") { writePicture(figures, to: &$0) }
        }
        if !splits.isEmpty { json.object("splits") { write(splits, to: &$0) } }
        let laps = SplitTable(series.laps, of: session, isLaps: true, units: units)
        if !laps.rows.isEmpty { json.object("laps") { write(laps, "Laps", to: &$0) } }
        writeSources(to: &json)
    }

    private static let simulated =
        "Nobody walked this. A simulation or a capture made it up; it is in no day, trend, "
        + "certificate or proof."

    /// What measured neither a way nor steps, and what the walk counts with.
    private var absence: String? {
        guard session.sensors.lead == .active else { return nil }
        return "Nothing measured your way or counted your steps. This walk counts with its time"
            + (session.sensors.hasHeart ? " and its heart rate." : ".")
    }

    /// Why there is no heart rate; nil where nothing else was measured either, and no strap.
    private var noHeart: String? {
        let none = ", so there is no heart rate to show."
        if !session.straps.isEmpty { return session.strapLack + none }
        if session.sensors.lead == .active { return nil }
        let strap = session.strapLack + " during this walk" + none
        return (session.hasStrap ? strap : "Nothing measured your heart rate.")
            + " What else was recorded is complete."
    }

    private func writeMarks(to json: inout JSONWriter) {
        json.list("marks", series.marks.indices) { json, index in
            let elapsed = series.marks[index].elapsedMilliseconds
            series.writeMark(index, to: &json)
            json.field("elapsedMilliseconds", elapsed)
            json.field("time", series.time(elapsed, since: session).clock)
        }
    }

    private func writeRoute(to json: inout JSONWriter, _ hasHeart: Bool) {
        let length = session.knownDistanceMillimetres.map(units.distance) ?? "unknown length"
        json.field("label", "Route of \(length)")
        let map = HeatMap(series, zones: series.zones)
        HeatView(segments: map.segments, zones: series.zones, units: units).write(to: &json)
        json.field(
            "hint",
            hasHeart
                ? "Off. Choose what to show, or switch it on."
                : "Off. There is no heart rate in this walk; choose what else to show.")
    }

    /// What a picture to share can show: four figures at most, each with words of its own.
    private func writePicture(_ figures: [Measure], to json: inout JSONWriter) {
        let known = figures.filter { $0.number(session, units) != nil }
        let first: [Measure] = [.distance, .active, .steps, .mean].filter(known.contains)
        let shown = (first + known.filter { !first.contains($0) }).prefix(4)
        json.field("day", session.start.date.long)
        // What is left out at either end of the way, as it is said and in degrees of latitude.
        let hidden = units.climb(200_000)
        json.field("hidden", "The first and last \(hidden) are left out of the picture.")
        json.field("hiddenE7", 17_986)
        json.list("figures", known) { json, measure in
            let (figure, note) = (session.figure(measure, units), measure.note(session, units))
            let name = note.isEmpty ? measure.name.lowercased() : note
            let words = [figure.unit, [.distance, .steps].contains(measure) ? "" : name]
            json.field("name", measure == .mean ? "Mean heart rate" : measure.name)
            json.field("value", figure.value)
            json.field("words", words.filter { !$0.isEmpty }.joined(separator: ", "))
            json.field("isShown", shown.contains(measure))
        }
    }

    /// Where each kilometre or mile is over; of a long walk where each fifth or tenth is.
    private func writeKilometres(_ splits: [Split], to json: inout JSONWriter) {
        let whole = splits.count { $0.distanceMillimetres == units.distanceMillimetres }
        let every = whole > 60 ? 10 : whole > 12 ? 5 : 1
        json.list("kilometres", stride(from: every, through: whole, by: every)) { json, number in
            let end = splits[number - 1].endMilliseconds
            let after = series.points.partitioningIndex { $0.elapsedMilliseconds > end }
            json.field("name", "\(number)")
            json.field("at", end)
            json.field("place", after > 0 ? TrackPlace(series.points[after - 1]) : nil)
        }
    }

    /// A table; the pace of its rows is drawn unless they are laps.
    private func write(_ table: SplitTable, _ name: String, to json: inout JSONWriter) {
        json.field("name", name)
        json.field("heads", table.heads)
        json.field("sums", table.sums)
        json.list("rows", zip(table.parts, table.rows)) { json, row in
            json.field("from", row.0.startMilliseconds)
            json.field("to", row.0.endMilliseconds)
            json.field("cells", row.1)
            let (length, time) = (row.0.distanceMillimetres, row.0.activeMilliseconds)
            json.field(
                "paceMilliseconds", table.isLaps ? nil : units.paceMilliseconds(length, time))
        }
    }

    private func write(_ splits: [Split], to json: inout JSONWriter) {
        let table = SplitTable(splits, of: session, units: units)
        write(table, "\(capitalized(units.distanceNoun))s", to: &json)
        json.field("note", "distance\(session.lengths(units).prefix { $0 != ";" })")
        if splits.count > 1,
            let (fastest, start) = series.fastestSplit(
                of: units.distanceMillimetres, by: session.distanceSource)
        {
            let from = units.distanceNumber(start)
            let end = units.distanceNumber(start.plus(units.distanceMillimetres))
            let isLast = session.knownDistanceMillimetres.map(units.distanceNumber) == end
            let place =
                start == 0
                ? "the first" : isLast ? "the last" : "begun at \(from) \(units.distanceName)"
            let time = TimeText.duration(fastest.activeMilliseconds)
            json.field("fastest", "Fastest \(units.distanceNoun) \(time), \(place).")
        }
        json.shownFirst(25, of: splits.count)
    }
}

extension SessionSeries {
    /// A moment of a session, where it began.
    func time(_ elapsed: UInt64, since session: SessionReport) -> LocalTime {
        let at = session.startedAtMilliseconds.addingReportingOverflow(Int64(clamping: elapsed))
        return LocalTime(at.partialValue, offsetMinutes: offsetMinutes)
    }

    /// That the goal was reached, and when; nil if it was not.
    func reachedSentence(of walk: SessionReport, _ units: Units) -> String? {
        guard let goal = walk.goal, walk.isGoalReached else { return nil }
        let elapsed =
            goal.kind == .duration
            ? intervals.filter { $0.kind == .paused }.reduce(goal.target) { end, pause in
                pause.startMilliseconds < end ? end + pause.milliseconds : end
            }
            : rows.first { row in
                (goal.kind == .distance ? row.distanceMillimetres : row.steps) ?? 0 >= goal.target
            }?.elapsedMilliseconds
        let at = elapsed.map { " at \(time($0, since: walk).clock)" } ?? ""
        return "Goal of \(goal.text(units)) reached\(at)."
    }

    /// Writes a mark of the walker into an object that is open: its name, its text, and where it
    /// was set, which is at the last point before it, or at the first one.
    ///
    /// - Parameters:
    ///   - index: Which one it is, from 0 on.
    ///   - json: What it is written to.
    package func writeMark(_ index: Int, to json: inout JSONWriter) {
        let mark = marks[index]
        let after = points.partitioningIndex { $0.position > mark.position }
        json.field("position", mark.position)
        json.field("name", "Mark \(index + 1)")
        json.field("text", printable(mark.text, limit: 512))
        let point = after > 0 ? points[after - 1] : points.first
        json.field("place", point.map(TrackPlace.init))
    }
}

/// A place on a map.
package struct TrackPlace: JSONObject {
    private let point: SessionSeries.Point

    /// Shows where a point of a track is.
    package init(_ point: SessionSeries.Point) {
        self.point = point
    }

    /// Writes its coordinates, and whether it continues from no other.
    package func writeFields(to json: inout JSONWriter) {
        json.field("latitudeE7", point.latitudeE7)
        json.field("longitudeE7", point.longitudeE7)
        if point.isStart { json.field("start", true) }
    }
}
