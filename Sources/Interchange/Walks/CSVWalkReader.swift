package import Events
internal import Text

/// Reads walks out of tables: those of this program, of HRV Logger, intervals.icu, Polar Flow and
/// two sensor loggers, and others that name their columns alike.
package struct CSVWalkReader: WalkReader {
    /// What a column tells.
    private enum Column {
        case time
        case elapsed(timesTenTo: Int)
        case heartRate
        case intervals
        case latitude
        case longitude
        case altitude
        case distance
        case steps
        case state
        case mark
        case lap
        case sport
        /// It repeats what others tell.
        case repeated
    }

    /// Names of columns, and who writes them.
    private static let names: [(name: String, column: Column)] = [
        // Our own.
        ("time", .time), ("elapsed_s", .elapsed(timesTenTo: 3)), ("bpm", .heartRate),
        ("rr_ms", .intervals), ("latitude_deg", .latitude), ("longitude_deg", .longitude),
        ("altitude_m", .altitude), ("distance_m", .distance), ("steps", .steps),
        ("cadence_spm", .repeated), ("state", .state), ("mark", .mark),
        ("lap", .lap), ("sport", .sport),
        // HRV Logger, old and new.
        ("date", .time), ("timestamp", .time), ("rr", .intervals),
        ("since start", .elapsed(timesTenTo: 0)), ("since_start", .elapsed(timesTenTo: 0)),
        // The streams of intervals.icu; its time counts from 0.
        ("heartrate", .heartRate), ("hrv", .intervals), ("lat", .latitude), ("lng", .longitude),
        ("altitude", .altitude), ("distance", .distance),
        // Polar Flow; a rate of samples in seconds is no more than their times say.
        ("hr (bpm)", .heartRate), ("altitude (m)", .altitude), ("distances (m)", .distance),
        ("sample rate", .repeated), ("pace (min/km)", .repeated), ("speed (km/h)", .repeated),
        // Sensor Logger, and Polar Sensor Logger.
        ("seconds_elapsed", .repeated), ("phone timestamp", .time), ("hr [bpm]", .heartRate),
        ("rr-interval [ms]", .intervals),
        // What others call them.
        ("heart_rate", .heartRate), ("heart rate", .heartRate), ("heart rate (bpm)", .heartRate),
        ("hr", .heartRate), ("latitude", .latitude), ("longitude", .longitude), ("lon", .longitude),
    ]
    /// So many rows may stand before the heads of the columns.
    private static let rowsBeforeHeads = 10

    private var times: StatedTimes
    private var rows = CSVRows()
    private var columns: [Column?] = []
    private var rowsSoFar: [[String]] = []
    private var points: WalkPoints

    /// Why nothing can be read any further.
    package private(set) var damage: String?

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - times: What somebody says of its times.
    ///   - end: As of ``WalkFacts/init(until:keptIn:)``.
    ///   - keeper: Where facts are kept; nil for memory.
    package init(_ times: StatedTimes, until end: Int64, keptIn keeper: ByteKeeper? = nil) {
        self.times = times
        points = WalkPoints(until: end, keptIn: keeper)
    }

    /// Recognizes a table of a walk.
    ///
    /// - Parameter start: Its first rows.
    /// - Returns: Whether it is one.
    static func recognizes(_ start: [UInt8]) -> Bool {
        var rows = CSVRows()
        var (count, isFound) = (0, false)
        rows.push(start.span) { cells in
            count += 1
            if count <= rowsBeforeHeads, heads(of: cells) != nil { isFound = true }
        }
        return isFound
    }

    /// What the columns tell; nil if these are no heads of a walk.
    private static func heads(of cells: [String]) -> [Column?]? {
        let columns = cells.map { cell in
            names.first { $0.name == cell.lowercased() }?.column
        }
        var (hasTime, hasValue) = (false, false)
        for column in columns {
            switch column {
            case .time, .elapsed: hasTime = true
            case .heartRate, .intervals, .latitude: hasValue = true
            default: break
            }
        }
        return hasTime && hasValue ? columns : nil
    }

    /// Reads the next bytes.
    package mutating func push(_ bytes: Span<UInt8>) {
        guard damage == nil else { return }
        read { rows, body in rows.push(bytes, body) }
    }

    /// Says that no bytes follow.
    package mutating func finish() {
        if damage == nil { read { rows, body in rows.finish(body) } }
        if columns.isEmpty, damage == nil { damage = "It has no heads of columns that are known." }
        points.endWalk()
    }

    /// What the file says.
    package var facts: WalkFacts { points.facts }

    private mutating func read(_ body: (inout CSVRows, ([String]) -> Void) -> Void) {
        var found: [[String]] = []
        body(&rows) { found.append($0) }
        for cells in found where damage == nil {
            if columns.isEmpty { takeHeads(cells) } else { take(cells) }
        }
        if damage == nil { damage = rows.damage }
    }

    private mutating func takeHeads(_ cells: [String]) {
        guard let heads = Self.heads(of: cells) else {
            rowsSoFar.append(cells)
            if rowsSoFar.count > Self.rowsBeforeHeads {
                damage = "It has no heads of columns that are known."
            }
            return
        }
        columns = heads
        let unknown = zip(heads, cells).count { $0.0 == nil && !$0.1.isEmpty }
        if unknown > 0 {
            points.facts.leaveOut("columns that are not known", count: UInt64(unknown))
        }
        takeSummary()
    }

    /// The rows of Polar Flow before its table say the sport, and when it began: `29-08-2026`,
    /// `22:00:00`, by the clock on the wall.
    private mutating func takeSummary() {
        guard rowsSoFar.count >= 2, let values = rowsSoFar.last else { return }
        let cells = Dictionary(zip(rowsSoFar[0], values)) { first, _ in first }
        points.sport = cells["Sport"].flatMap { Sport(named: $0) }
        guard times.beganAtMilliseconds == nil,
            let parts = cells["Date"]?.split(separator: "-"), parts.count == 3,
            let day = CivilDate("\(parts[2])-\(parts[1])-\(parts[0])"),
            let start = cells["Start time"].flatMap({ InstantText.timeOfDayMilliseconds($0) })
        else { return }
        times.beganAtMilliseconds = times.utc(ofLocal: day.daysSinceEpoch * 86_400_000 + start)
        if times.beganAtMilliseconds == nil { damage = StatedTimes.withoutZone }
    }

    // MARK: - Rows

    private mutating func take(_ cells: [String]) {
        guard let now = moment(cells) else {
            if damage == nil { points.facts.leaveOut("rows without a time") }
            return
        }
        guard points.facts.isPossible(now) else { return }
        var (point, isPaused) = (WalkPoints.Point(), false)
        var (latitude, longitude, altitude): (String?, String?, String?) = (nil, nil, nil)
        for (column, cell) in zip(columns, cells) where !cell.isEmpty {
            switch column {
            case .heartRate:
                point.heartRateBPM = number(cell).heartRateBPM ?? point.heartRateBPM
            case .intervals: take(intervals: cell, into: &point)
            case .latitude: latitude = number(cell)
            case .longitude: longitude = number(cell)
            case .altitude: altitude = number(cell)
            case .distance: point.distanceMillimetres = number(cell).distanceMillimetres()
            case .steps: point.steps = number(cell).whole(upTo: 1 << 53 - 1)
            case .state: isPaused = cell == "paused"
            case .mark: points.mark(WalkText.typed(cell), at: now)
            case .lap:
                if let cause = LapCause.allCases.first(where: { $0.name == cell }) {
                    points.endLap(at: now, cause)
                }
            case .sport:
                points.sport = Sport.allCases.first { $0.name == cell } ?? Sport(named: cell)
            case .time, .elapsed, .repeated, nil: break
            }
        }
        point.fix = points.fix(latitude, longitude, altitude, at: now)
        // What came up to a pause, or between two of them, stands in a row of the pause.
        let hasValue = point.heartRateBPM != nil || point.fix != nil
        if !isPaused || hasValue || points.pausedAt == nil { points.add(point, at: now) }
        if isPaused { points.pause(at: now) }
    }

    /// Takes `635:646`, of which a heart rate is made where no other column tells it.
    private mutating func take(intervals cell: String, into point: inout WalkPoints.Point) {
        let texts = pointed(cell).split { ": ".contains($0) }.prefix(WalkFacts.intervalLimit)
        let intervals = texts.compactMap { BeatInterval(String($0)) }
        if intervals.count < texts.count {
            points.facts.leaveOut(
                "intervals that no heart makes", count: UInt64(texts.count - intervals.count))
        }
        point.rrTicks = intervals.map(\.ticks)
        let sum = intervals.reduce(0) { $0 + $1.microseconds }
        if point.heartRateBPM == nil, sum > 0 {
            point.heartRateBPM =
                UInt16((60_000_000 * Int64(intervals.count) + sum / 2) / sum)
        }
    }

    /// Where something else stands between cells, a comma stands in numbers.
    private func pointed(_ cell: String) -> String {
        rows.separator == UInt8(ascii: ",") ? cell : String(cell.map { $0 == "," ? "." : $0 })
    }

    /// The number of a cell; what is none is counted.
    private mutating func number(_ cell: String) -> String {
        let number = pointed(cell)
        if DecimalText(number) == nil { points.facts.leaveOut("cells that cannot be read") }
        return number
    }

    /// When a row's values came; nil if it does not say, or nobody knows.
    private mutating func moment(_ cells: [String]) -> Int64? {
        var elapsed: Int64?
        for (index, (column, cell)) in zip(columns, cells).enumerated() where !cell.isEmpty {
            switch column {
            case .time:
                // The date may stand in one column, and the time in the next.
                let next = cells.dropFirst(index + 1).first ?? ""
                switch WalkTime(cell, isDayFirst: times.isDayFirst)
                    ?? WalkTime("\(cell) \(next)", isDayFirst: times.isDayFirst)
                {
                case .utc(let milliseconds, let offset):
                    if points.facts.offsetMinutes == nil { points.facts.offsetMinutes = offset }
                    return milliseconds
                case .local(let milliseconds):
                    let utc = times.utc(ofLocal: milliseconds)
                    if utc == nil { damage = StatedTimes.withoutZone }
                    return utc
                case .elapsed(let milliseconds): elapsed = milliseconds
                case .undecided:
                    damage = StatedTimes.withoutOrder
                    return nil
                case nil: return nil
                }
            case .elapsed(let places):
                let milliseconds = pointed(cell).whole(upTo: 1 << 40, timesTenTo: places)
                elapsed = elapsed ?? milliseconds.map { Int64($0) }
            default: break
            }
        }
        guard let elapsed else { return nil }
        if times.beganAtMilliseconds == nil { damage = StatedTimes.withoutDate }
        return times.beganAtMilliseconds.map { $0 + elapsed }
    }
}
