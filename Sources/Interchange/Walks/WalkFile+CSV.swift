internal import Events
internal import Projections
internal import Text

/// Comma-separated values (RFC 4180), for a spreadsheet.
extension WalkFile {
    private static let heads = [
        "time", "elapsed_s", "bpm", "rr_ms", "latitude_deg", "longitude_deg", "altitude_m",
        "distance_m", "steps", "cadence_spm", "state", "mark", "lap", "sport",
    ]
    /// A stretch without any value is left out if it is longer: an hour.
    private static let longestStretchSeconds: UInt64 = 3_600

    /// A row for each second: what came since the one before, and how things stood then.
    func writeSeconds(_ write: ([UInt8]) throws -> Void) rethrows -> Contents {
        var text = WalkText()
        text.line(Self.heads)
        var rows = series.rows.makeIterator()
        var next = rows.next()
        var turns = turns[...]
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
            let own = turns.prefix { $0.at <= now }
            turns = turns.dropFirst(own.count)
            line.mark = own.compactMap(\.mark).joined(separator: "; ")
            line.lap = own.lazy.compactMap(\.lap).first
            text.line(cells(now, "\(second)", line, series.row(at: now), &course))
            try text.pass(write)
            second += 1
            let times = [next?.elapsedMilliseconds, turns.first?.at]
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
        var turns = turns[...]
        var course = WalkCourse(series.intervals)
        func add(_ row: SessionSeries.Row, _ turn: Turn? = nil) {
            let line = Line(
                sample: row.sample, rrTicks: row.sample?.rrTicks ?? [], point: row.point,
                mark: turn?.mark ?? "", lap: turn?.lap)
            let now = row.elapsedMilliseconds
            text.line(cells(now, decimal(now, places: 3), line, row, &course))
        }
        func addTurns(until elapsed: UInt64) {
            while let turn = turns.first, turn.at < elapsed {
                turns.removeFirst()
                add(series.row(at: turn.at), turn)
            }
        }
        for row in series.rows {
            addTurns(until: row.elapsedMilliseconds)
            add(row)
            try text.pass(write)
        }
        addTurns(until: .max)
        try text.finish(write)
        return tableContents
    }

    /// What a table with a row for each value holds: of marks those that have a text.
    private var tableContents: Contents {
        var held = contents
        held.marks = UInt64(series.marks.count { !$0.text.isEmpty })
        return held
    }

    /// What happens at a moment that no value may have.
    private struct Turn {
        let at: UInt64
        var mark: String?
        var lap: LapCause?
    }

    /// The walk's beginning and end, those of its pauses, its marks and its laps, in order.
    private var turns: [Turn] {
        let pauses = series.intervals.filter { $0.kind == .paused }
        let times = pauses.flatMap { [$0.startMilliseconds, $0.endMilliseconds] }
        let turns =
            ([0] + times + [report.elapsedMilliseconds]).map { Turn(at: $0) }
            + series.marks.map { Turn(at: $0.elapsedMilliseconds, mark: $0.text) }
            + series.lapEnds.map { Turn(at: $0.elapsedMilliseconds, lap: $0.cause) }
        return turns.sorted { $0.at < $1.at }
    }

    /// What a row has of its own.
    private struct Line {
        var sample: SessionSeries.Sample?
        var rrTicks: [UInt16] = []
        var point: SessionSeries.Point?
        var mark = ""
        var lap: LapCause?
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
            line.lap?.name ?? "", sport.name,
        ]
    }
}
