package import Projections
internal import Text

/// One walk as a picture in a terminal: its figures, its heart rate over time, its zones, its
/// kilometres or miles.
package struct WalkChart {
    private let session: SessionReport
    private let series: SessionSeries
    private let units: Units
    private var start: LocalTime { session.start }

    /// Shows a walk.
    ///
    /// - Parameters:
    ///   - session: The walk.
    ///   - series: What its figures are made of.
    ///   - units: The walker's.
    package init(_ session: SessionReport, _ series: SessionSeries, units: Units) {
        (self.session, self.series, self.units) = (session, series, units)
    }

    /// The lines, each with its end.
    package var text: String {
        let laps = SplitTable(series.laps, of: session, isLaps: true, units: units).lines
        let parts = [head, figures, heart, zones, Self.beside(splits, laps), fastest + missing]
            .filter { !$0.isEmpty }
        return parts.map { $0.map { line in String.trimmed(line) + "\n" }.joined() }
            .joined(separator: "\n")
    }

    private var head: [String] {
        let keeping = session.keeping
        let name = keeping.name.isEmpty ? "Walk" : shortened(keeping.name, to: 44)
        let words = [capitalized(keeping.sport.words)] + keeping.tags
        return [
            Self.sides(name, "\(start.date.long), \(start.clock)"),
            Self.sides(
                shortened(words.joined(separator: ", "), to: 44),
                "position \(grouped(session.position))"),
        ]
    }

    private static func sides(_ left: String, _ right: String) -> String {
        left + alignedRight(right, 74 - columns(of: left))
    }

    private var figures: [String] {
        let distance = session.knownDistanceMillimetres
        let climb = session.route.hasHeights ? session.route.ascentMillimetres : nil
        let parts = [
            distance.map(units.distance) ?? "distance unknown",
            TimeText.duration(session.activeMilliseconds) + " active",
            units.pace(distance, session.activeMilliseconds),
            session.knownSteps.map { counted($0, "step") } ?? "steps unknown",
            climb.map { "\(units.climb($0)) climb" },
        ]
        let known = parts.compactMap(\.self)
        let wide = "  " + known.joined(separator: "     ")
        let line = columns(of: wide) <= 80 ? wide : "  " + known.joined(separator: "  ")
        return [line, heartFigures].compactMap(\.self)
    }

    private var heartFigures: String? {
        let report = session.heartRate
        guard let mean = report.timeWeightedMean else {
            guard session.hasStrap else { return nil }
            return "  " + (session.contactlessStrap?.sentence ?? session.strapLack + ".")
        }
        let highest = report.supportedMaximum ?? report.maximum
        return "  \(whole(hundredths: mean.value)) BPM mean over time"
            + (report.mean.map { ", \($0) of the values" } ?? "")
            + (highest.map {
                "; highest\(report.supportedMaximum == nil ? "" : ", supported,") \($0.bpm)"
            } ?? "")
    }

    // MARK: - The trace

    private static let traceColumns = 66

    private var heart: [String] {
        let samples = series.samples
        guard let least = samples.map(\.bpm).min(), let most = samples.map(\.bpm).max() else {
            return []
        }
        let duration = max(session.elapsedMilliseconds, 1)
        var cells = [(sum: UInt64, count: UInt64)](
            repeating: (0, 0), count: Self.traceColumns)
        for sample in samples {
            let column = Self.column(of: sample.elapsedMilliseconds, in: duration)
            cells[column].sum += UInt64(sample.bpm)
            cells[column].count += 1
        }
        let span = UInt64(most - least) + 20
        let height = max(5, Plot.rowHeight(for: span, rows: 7))
        let plot = Plot(
            values: cells.map { $0.count > 0 ? ($0.sum + $0.count / 2) / $0.count : nil },
            bottom: UInt64(least) / height * height, rowHeight: height)
        return plot.lines(labelColumns: 5) { "\($0)" } + ["      └" + timeAxis(duration)]
    }

    private static func column(of elapsed: UInt64, in duration: UInt64) -> Int {
        min(Int(elapsed * UInt64(traceColumns) / duration), traceColumns - 1)
    }

    /// The start, the longest pause if it has room, and times that are easy to read.
    private func timeAxis(_ duration: UInt64) -> String {
        var labels = [(column: 0, text: start.clock)]
        let pauses = series.intervals.filter { $0.kind == .paused }
        if let pause = pauses.max(by: { $0.milliseconds < $1.milliseconds }) {
            let from = Self.column(of: pause.startMilliseconds, in: duration)
            let until = Self.column(of: pause.endMilliseconds, in: duration)
            if until - from >= 6 { labels.append((from + (until - from - 6) / 2, "paused")) }
        }
        let minute: UInt64 = 60_000
        let step =
            ([1, 2, 5, 10, 15, 20, 30, 60, 120, 240] as [UInt64]).first {
                duration / ($0 * minute) <= 4
            } ?? max(1_440, duration / (4 * minute))
        let sinceMidnight = UInt64(max(start.millisecondOfDay, 0))
        var next = (sinceMidnight / (step * minute) + 1) * step * minute
        while next < sinceMidnight + duration {
            let clock = series.time(next - sinceMidnight, since: session).clock
            labels.append((Self.column(of: next - sinceMidnight, in: duration), clock))
            next += step * minute
        }
        return Plot.axis(labels, columns: Self.traceColumns)
    }

    // MARK: - Zones and kilometres

    private var zones: [String] {
        let times = session.heartRate.zones
        let rows = zip(times.bounds.legend, times.all).map {
            (name: $0.0, time: $1.milliseconds, shown: TimeText.duration($1.shown), bound: $0.1)
        }
        let most = rows.map(\.time).max() ?? 0
        guard most > 0 else { return [] }
        return rows.map { row in
            let head = "  " + padded(row.name, to: 9) + alignedRight(row.shown, 9)
            return padded(head + "  " + bar(row.time, of: most, to: 33), to: 64) + row.bound
        }
    }

    /// Two tables, the second at the right of the first.
    private static func beside(_ left: [String], _ right: [String]) -> [String] {
        guard !left.isEmpty, !right.isEmpty else { return left + right.map { "  " + $0 } }
        let width = (left.map(columns).max() ?? 0) + 5
        return (0..<max(left.count, right.count)).map { index in
            let row = index < left.count ? left[index] : ""
            return index < right.count ? padded(row, to: width) + right[index] : row
        }
    }

    /// Which kilometre or mile was the fastest, wherever it begins.
    private var fastest: [String] {
        guard
            let (split, start) = series.fastestSplit(
                of: units.distanceMillimetres, by: session.distanceSource)
        else { return [] }
        let clock = series.time(split.startMilliseconds, since: session).clock
        return [
            "  Fastest \(units.distanceNoun): \(TimeText.duration(split.activeMilliseconds)), from "
                + "\(units.distance(start)) on, at \(clock)."
        ]
    }

    /// What the table of kilometres has no column for.
    private var missing: [String] {
        let hasSplits = session.knownDistanceMillimetres != nil && !session.route.hasHeights
        return hasSplits ? ["  No height was recorded, so there is no climb."] : []
    }

    private var splits: [String] {
        let splits = series.splits(of: units.distanceMillimetres)
        let lines = SplitTable(splits, of: session, units: units).lines
        return lines.isEmpty ? tenMinutes : lines
    }

    /// The heart rate of each ten minutes, where nothing measured a distance.
    private var tenMinutes: [String] {
        let tenMinutes: UInt64 = 600_000
        var rest = series.samples[...]
        var lines: [String] = []
        while let first = rest.first {
            let part = first.elapsedMilliseconds / tenMinutes
            let own = rest.prefix { $0.elapsedMilliseconds / tenMinutes == part }
            rest = rest.dropFirst(own.count)
            let mean = Hundredths(own.reduce(0) { $0 + UInt64($1.bpm) }, over: UInt64(own.count))
            let time = series.time(part * tenMinutes, since: session).clock
            lines.append(
                "  " + time + alignedRight(whole(hundredths: mean?.value ?? 0).description, 6))
        }
        return lines.isEmpty ? [] : ["  From   BPM"] + lines
    }
}

extension SessionInterval {
    /// How long it lasts.
    var milliseconds: UInt64 { endMilliseconds - startMilliseconds }
}
