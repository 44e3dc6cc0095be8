internal import Events
internal import JSON
package import Projections
internal import Text

/// The heart rate of a walk: its course with the gaps, where the time went, means, zones and
/// variability.
struct HeartView {
    let session: SessionReport
    let series: SessionSeries

    private var report: HeartRateReport { session.heartRate }

    package func write(to json: inout JSONWriter) {
        json.field("range", "\(lowest) to \(highest) BPM")
        json.object("chart") { writeChart(to: &$0) }
        writeMeans(to: &json)
        json.object("zones") { writeZones(to: &$0) }
        if session.rr.count > 0 { writeVariability(to: &json) }
    }

    private var lowest: UInt64 { UInt64(report.minimum ?? 0) }
    private var highest: UInt64 { UInt64(report.maximum?.bpm ?? 0) }
    /// Whether no other value comes near to the highest.
    private var standsAlone: Bool { highest > report.supportedMaximum?.bpm ?? 0 }
    private var highestSample: SessionSeries.Sample? {
        series.samples.first { $0.position == report.maximum?.position }
    }

    private func time(_ elapsed: UInt64) -> LocalTime { series.time(elapsed, since: session) }

    // MARK: - The course

    private func writeChart(to json: inout JSONWriter) {
        let gaps = series.intervals.map { (gap: $0, text: $0.text) }
        let list = gaps.map { "\($0.gap.name) \($0.text)" }.joined(separator: ", ")
        let until = session.endedAtMilliseconds.map {
            " to \(LocalTime($0, offsetMinutes: series.offsetMinutes).clock)"
        }
        json.field(
            "label",
            "Heart rate from \(time(0).clock)\(until ?? ""), from \(lowest) to \(highest) beats "
                + "per minute. \(list.isEmpty ? "No gaps." : "Gaps: \(list).")")
        let high = max(190, (highest + 19) / 10 * 10)
        let low = min(60, (lowest - min(lowest, 5)) / 10 * 10)
        let limits = zip(series.zones.starts.dropFirst().map { ($0 + 50) / 100 }, Zone.allCases)
            .filter { $0.0 > low }
        json.field("unit", "BPM")
        json.field("nothing", "no heart rate")
        json.field("low", low)
        json.field("high", high)
        json.ticks(([low] + limits.map(\.0)).map { ($0, "\($0)") })
        json.list("zones", limits + [(.max, .maximum)]) { json, limit in
            json.field("zone", limit.1.number)
            json.field("to", min(limit.0, high))
            json.field("name", limit.0 < high ? limit.1.label : "")
        }
        json.list("bands", gaps) { json, band in
            json.field("kind", band.gap.kind.rawValue)
            json.field("name", band.gap.name)
            json.field("from", band.gap.startMilliseconds)
            json.field("to", band.gap.endMilliseconds)
            json.field("length", band.text)
        }
        if standsAlone, let sample = highestSample {
            json.object("lone") { json in
                json.field("at", sample.elapsedMilliseconds)
                json.field("text", "\(sample.bpm), alone")
            }
        }
    }

    /// What the clock showed at each whole minute, or at fewer moments of a very long walk.
    func writeClock(to json: inout JSONWriter) {
        let elapsed = session.elapsedMilliseconds
        let steps: [UInt64] = [1, 10, 60, 360, 1_440]
        let minutes = steps.first { elapsed / 60_000 / $0 < 3_000 } ?? 14_400
        let step = Int64(minutes) * 60_000
        let (minute, sinceMinute) = time(0).millisecondOfDay.quotientAndRemainder(
            dividingBy: 60_000)
        let before = minute % Int64(minutes)
        json.field("from", -(sinceMinute + before * 60_000))
        json.field("minute", minute - before)
        json.field("stepMinutes", minutes)
        json.array("texts") { json in
            let start = session.startedAtMilliseconds - sinceMinute - before * 60_000
            for index in 0...min(Int64(clamping: elapsed / UInt64(step)) + 1, 3_001) {
                let at = start.addingReportingOverflow(index * step).partialValue
                json.value(LocalTime(at, offsetMinutes: series.offsetMinutes).clock)
            }
        }
    }

    // MARK: - Figures

    private func writeMeans(to json: inout JSONWriter) {
        let when = highestSample.map { " at \(time($0.elapsedMilliseconds).seconds)" } ?? ""
        json.array("means") { json in
            json.figure(
                "mean", "Mean of the values", Figure(report.mean?.description),
                note: "\(counted(report.samples, "value")), each counts once")
            json.figure(
                "weighted", "Mean over time", Figure(report.timeWeightedMean?.description),
                note: "each second counts once")
            json.figure(
                "supported", "Highest, supported",
                Figure(report.supportedMaximum.map { "\($0.bpm)" }),
                note: "another value within 5 s and 10 BPM")
            json.figure(
                "highest", "Highest value", Figure("\(highest)"),
                note: "\(standsAlone ? "stood alone" : "was reached")\(when). ")
        }
        json.field("highestPosition", report.maximum?.position)
    }

    private func writeZones(to json: inout JSONWriter) {
        let times = report.zones.all
        let sum = times.reduce(0) { $0 + $1.milliseconds }
        json.field("note", "\(TimeText.duration(sum)) with a heart rate")
        json.list("rows", zip(report.zones.bounds.legend, times)) { json, row in
            json.field("name", row.0.0)
            json.field("from", row.0.1)
            json.field("milliseconds", row.1.milliseconds)
            json.field("time", TimeText.duration(row.1.shown))
        }
    }

    private func writeVariability(to json: inout JSONWriter) {
        let (raw, clean) = (session.rr, session.filteredRR)
        let figures = [clean, raw].map { report in
            report.measures.map { Figure("\($0.value?.description ?? "–") \($0.unit)") }
                + [Figure(grouped(report.count))]
        }
        let names = raw.measures.map(\.name) + ["Beats"]
        json.list("variability", names.indices) { json, index in
            json.field("name", names[index])
            json.field("clean", figures[0][index])
            json.field("raw", figures[1][index])
        }
        let rule = Rules().artefacts
        json.field(
            "cleaned",
            "Cleaned: a beat counts from \(grouped(rule.fromMilliseconds)) to "
                + "\(grouped(rule.toMilliseconds)) ms and within \(rule.percent) % of the last "
                + "one that counted.")
    }
}

extension Accounting {
    /// Where the time went, in whole seconds: what each part is called, and how a page marks it.
    ///
    /// What was measured is as long as the zones are together.
    var parts: [(milliseconds: UInt64, word: String, mark: String)] {
        let active = [
            freshMilliseconds, silentMilliseconds, noContactMilliseconds, heldMilliseconds,
            disconnectedMilliseconds,
        ]
        let words = ["measured", "silent", "no contact", "held", "disconnected", "paused"]
        let marks = ["", "", "sw caution", "", "sw", "sw"]
        let times = TimeText.whole(active, cutting: 0) + [shownPauses]
        return words.indices.map { (times[$0], words[$0], marks[$0]) }
    }

    /// What the active time, in whole seconds, leaves of the elapsed one.
    var shownPauses: UInt64 { (elapsedMilliseconds / 1_000 - activeMilliseconds / 1_000) * 1_000 }
}

extension HeartRateReport.ZoneTimes {
    /// How long the heart rate was in each zone, and in whole seconds.
    package var all: [(zone: Zone, milliseconds: UInt64, shown: UInt64)] {
        let times = [
            restingMilliseconds, moderateMilliseconds, vigorousMilliseconds, maximumMilliseconds,
        ]
        let shown = TimeText.whole(times)
        return Zone.allCases.indices.map { (Zone.allCases[$0], times[$0], shown[$0]) }
    }
}

extension RRReport {
    /// The measures of the variability.
    var measures: [(name: String, value: Hundredths?, unit: String)] {
        [
            ("RMSSD", rmssdMilliseconds, "ms"), ("SDNN", sdnnMilliseconds, "ms"),
            ("pNN50", pnn50Percent, "%"),
        ]
    }
}

extension SessionInterval {
    /// What a stretch without a heart rate is called.
    fileprivate var name: String { inWords(kind.rawValue) }
    /// How long it is.
    fileprivate var text: String { TimeText.duration(endMilliseconds.minus(startMilliseconds)) }
}
