internal import Projections
internal import Text

/// The laps of a walk as a table, for terminal and page.
struct LapTable {
    /// The heads of its columns.
    let heads: [String]
    /// Its cells, row by row; none of a walk without laps.
    let rows: [[String]]

    /// What the whole walk has in the same columns.
    let sums: [String]

    private let widths: [Int]

    /// Makes the table; what was not measured has no column.
    init(_ walk: SessionReport, _ series: SessionSeries, units: Units) {
        let laps = series.laps
        let hasLength = laps.contains { $0.distanceMillimetres > 0 }
        let shown = [true, hasLength, true, hasLength, laps.contains { $0.mean != nil }]
        func own<Cell>(_ cells: [Cell]) -> [Cell] { zip(cells, shown).filter(\.1).map(\.0) }
        heads = own(["Lap", units.distanceName, "Time", "Pace", "BPM"])
        widths = own([3, 7, 9, 7, 6])
        let measures: [Measure] = [.distance, .active, .pace, .mean]
        sums = own(["All"] + measures.map { walk.figure($0, units).value })
        rows = laps.enumerated().map { index, lap in
            let cells = lap.cells(at: index, units)
            let length = units.distanceNumber(lap.distanceMillimetres)
            let time = TimeText.duration(lap.activeMilliseconds)
            return own([grouped(UInt64(index + 1)), length, time, cells[1], cells[2]])
        }
    }

    /// Its lines for a terminal: 32 columns, or fewer.
    var lines: [String] {
        guard !rows.isEmpty else { return [] }
        return ([heads] + rows).map { cells in
            zip(cells, widths).map { alignedRight($0, $1) }.joined()
        }
    }
}

extension Split {
    /// Its number, or its length where that is not a whole kilometre or mile; its pace, its mean
    /// heart rate, how much of it went up, and its steps.
    func cells(at index: Int, _ units: Units) -> [String] {
        let isWhole = distanceMillimetres == units.distanceMillimetres
        let pace = units.paceMilliseconds(distanceMillimetres, activeMilliseconds)
        return [
            isWhole ? "\(index + 1)" : units.distanceNumber(distanceMillimetres),
            pace.map(TimeText.duration) ?? "–",
            mean.map { "\(whole(hundredths: $0.value))" } ?? "–",
            units.climbNumber(ascentMillimetres), grouped(steps),
        ]
    }
}
