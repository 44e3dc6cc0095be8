internal import Projections
internal import Text

/// The laps of a walk as a table, for terminal and page.
struct LapTable {
    /// The heads of its columns.
    let heads: [String]
    /// Its cells, row by row; none of a walk without laps.
    let rows: [[String]]

    /// Makes the table; without a distance it has neither lengths nor paces.
    init(_ series: SessionSeries, units: Units) {
        let laps = series.laps
        let hasDistance = laps.contains { $0.distanceMillimetres > 0 }
        heads =
            hasDistance
            ? ["Lap", units.distanceName, "Time", "Pace", "BPM"] : ["Lap", "Time", "BPM"]
        rows = laps.enumerated().map { index, lap in
            let pace = units.paceMilliseconds(lap.distanceMillimetres, lap.activeMilliseconds)
            let length = units.distanceNumber(lap.distanceMillimetres)
            let time = TimeText.duration(lap.activeMilliseconds)
            let mean = lap.mean.map { "\(whole(hundredths: $0.value))" } ?? "–"
            let number = grouped(UInt64(index + 1))
            return hasDistance
                ? [number, length, time, pace.map(TimeText.duration) ?? "–", mean]
                : [number, time, mean]
        }
    }

    /// Its lines for a terminal: 32 columns, or fewer.
    var lines: [String] {
        guard !rows.isEmpty else { return [] }
        let widths = heads.count == 5 ? [3, 7, 9, 7, 6] : [3, 9, 6]
        return ([heads] + rows).map { cells in
            zip(cells, widths).map { alignedRight($0, $1) }.joined()
        }
    }
}
