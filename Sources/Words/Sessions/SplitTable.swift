internal import Projections
internal import Text

/// The kilometres or miles of a walk as a table for terminal and page, or its laps.
struct SplitTable {
    /// What its rows are of.
    let parts: [Split]
    /// The heads of its columns; what was not measured has none.
    let heads: [String]
    /// Its cells, row by row; none of a walk without such parts.
    let rows: [[String]]
    /// What the whole walk has in the same columns.
    let sums: [String]

    /// Whether they are laps.
    let isLaps: Bool
    private let widths: [Int]

    /// Makes the table of some parts of a walk.
    init(_ parts: [Split], of walk: SessionReport, isLaps: Bool = false, units: Units) {
        func length(_ part: Split) -> String { units.distanceNumber(part.distanceMillimetres) }
        func pace(_ part: Split) -> String {
            Figure(units.pace(part.distanceMillimetres, part.activeMilliseconds)).value
        }
        let hasLength = !isLaps || parts.contains { $0.distanceMillimetres > 0 }
        let hasMean = parts.contains { $0.mean != nil }
        let hasHeights = !isLaps && walk.route.hasHeights
        let hasSteps = !isLaps && walk.knownSteps != nil
        let all: [(String, width: Int, isShown: Bool, sum: Measure, cell: (Split) -> String)] = [
            (units.distanceName, 7, isLaps && hasLength, .distance, length),
            ("Time", 9, isLaps, .active, { TimeText.duration($0.activeMilliseconds) }),
            ("Pace", isLaps ? 7 : 8, hasLength, .pace, pace),
            ("BPM", 6, hasMean, .mean, { Figure($0.mean?.bpm).value }),
            ("Climb", 7, hasHeights, .climb, { units.climbNumber($0.ascentMillimetres) }),
            ("Steps", 7, hasSteps, .steps, { grouped($0.steps) }),
        ]
        let columns = all.filter(\.isShown)
        (self.parts, self.isLaps, widths) = (parts, isLaps, columns.map(\.width))
        heads = [isLaps ? "Lap" : units.distanceName] + columns.map(\.0)
        sums =
            [isLaps ? "All" : walk.figure(.distance, units).value]
            + columns.map { walk.figure($0.sum, units).value }
        rows = parts.enumerated().map { index, part in
            // The last split is seldom a whole kilometre or mile.
            let isWhole = isLaps || part.distanceMillimetres == units.distanceMillimetres
            let name = isWhole ? "\(index + 1)" : length(part)
            return [name] + columns.map { $0.cell(part) }
        }
    }

    /// Its lines for a terminal: 32 columns of laps and 37 of splits, or fewer.
    var lines: [String] {
        guard !rows.isEmpty else { return [] }
        return ([heads] + rows).map { cells in
            let name = alignedRight(cells[0], isLaps ? 3 : cells[0].contains(".") ? 5 : 2)
            let others = zip(cells.dropFirst(), widths).map { alignedRight($0, $1) }.joined()
            return (isLaps ? name : "  " + padded(name, to: 5)) + others
        }
    }
}
