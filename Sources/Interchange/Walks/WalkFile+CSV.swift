internal import Projections
internal import Text

/// Comma-separated values (RFC 4180), for a spreadsheet.
extension WalkFile {
    private static let heads = [
        "time", "elapsed_s", "bpm", "rr_ms", "latitude_deg", "longitude_deg", "altitude_m",
        "distance_m", "steps", "cadence_spm", "state", "mark",
    ]
    /// A stretch without any value is left out if it is longer: an hour.
    private static let longestStretchSeconds: UInt64 = 3_600

    /// A row for each second: what came since the one before, and how things stood then.
    func writeSeconds(_ write: ([UInt8]) throws -> Void) rethrows -> Contents {
        var text = WalkText()
        text.line(Self.heads)
        var rows = series.rows.makeIterator()
        var next = rows.next()
        var marks = series.marks[...]
        var course = WalkCourse(series.intervals)
        let end = (report.elapsedMilliseconds + 999) / 1_000
        var (second, held) = (UInt64(0), tableContents)
        while second <= end || next != nil {
            let now = second * 1_000
            var line = Line()
            while let row = next, row.elapsedMilliseconds <= now {
                if line.sample != nil, row.sample != nil { held.heartRates -= 1 }
                if line.point != nil, row.point != nil { held.positions -= 1 }
                line.sample = row.sample ?? line.sample
                line.rrTicks += row.sample?.rrTicks ?? []
                line.point = row.point ?? line.point
                next = rows.next()
            }
            let own = marks.prefix { $0.elapsedMilliseconds <= now }
            marks = marks.dropFirst(own.count)
            line.mark = own.map(\.text).joined(separator: "; ")
            text.line(cells(now, "\(second)", line, series.row(at: now), &course))
            try text.pass(write)
            second += 1
            let times = [next?.elapsedMilliseconds, marks.first?.elapsedMilliseconds]
            let later = times.compactMap { $0.map { ($0 + 999) / 1_000 } }.min() ?? end
            if later > second + Self.longestStretchSeconds { second = later }
        }
        try text.finish(write)
        return held
    }

    /// A row for each value.
    func writeSamples(_ write: ([UInt8]) throws -> Void) rethrows -> Contents {
        var text = WalkText()
        text.line(Self.heads)
        var marks = series.marks[...]
        var course = WalkCourse(series.intervals)
        func add(_ row: SessionSeries.Row, mark: String = "") {
            let line = Line(
                sample: row.sample, rrTicks: row.sample?.rrTicks ?? [], point: row.point, mark: mark
            )
            let now = row.elapsedMilliseconds
            text.line(cells(now, decimal(now, places: 3), line, row, &course))
        }
        func addMarks(until elapsed: UInt64) {
            while let mark = marks.first, mark.elapsedMilliseconds < elapsed {
                marks.removeFirst()
                add(series.row(at: mark.elapsedMilliseconds), mark: mark.text)
            }
        }
        for row in series.rows {
            addMarks(until: row.elapsedMilliseconds)
            add(row)
            try text.pass(write)
        }
        addMarks(until: .max)
        try text.finish(write)
        return tableContents
    }

    /// What a table with a row for each value holds: of marks those that have a text.
    private var tableContents: Contents {
        var held = contents
        held.marks = UInt64(series.marks.count { !$0.text.isEmpty })
        return held
    }

    /// What a row has of its own.
    private struct Line {
        var sample: SessionSeries.Sample?
        var rrTicks: [UInt16] = []
        var point: SessionSeries.Point?
        var mark = ""
    }

    private func cells(
        _ now: UInt64, _ elapsed: String, _ line: Line, _ row: SessionSeries.Row,
        _ course: inout WalkCourse
    ) -> [String] {
        let point = line.point
        return [
            localInstant(now), elapsed, line.sample.map { "\($0.bpm)" } ?? "",
            line.rrTicks.map { "\((UInt32($0) * 1_000 + 512) / 1_024)" }.joined(separator: ":"),
            point?.latitude ?? "", point?.longitude ?? "", point?.altitude ?? "",
            row.distance ?? "",
            row.steps.map { "\($0)" } ?? "", row.stepsPerMinute.map { "\($0)" } ?? "",
            course.interval(at: now)?.kind.fileWord ?? "running", WalkText.cell(line.mark),
        ]
    }
}
