package import Events

/// The walker's records, of all time and of a year: each with when it was.
///
/// Walks that are hidden or simulated are in none. The fastest kilometre, mile, 5 and 10 km have a
/// record each for walking and for running; all others are of both. Of several that are as good the
/// first is the record. What was never measured has no record.
package struct Records: Sendable {
    /// What there is a record of.
    package enum Kind: String, CaseIterable, Sendable {
        /// The longest distance of a walk, in millimetres.
        case longestDistance
        /// The longest time of a walk without pauses, in milliseconds.
        case longestTime
        /// The least time for a kilometre on foot, in milliseconds.
        case fastestKilometreWalking
        /// The least time for a mile on foot.
        case fastestMileWalking
        /// The least time for 5 km on foot.
        case fastestFiveKilometresWalking
        /// The least time for 10 km on foot.
        case fastestTenKilometresWalking
        /// The least time for a kilometre of a run.
        case fastestKilometreRunning
        /// The least time for a mile of a run.
        case fastestMileRunning
        /// The least time for 5 km of a run.
        case fastestFiveKilometresRunning
        /// The least time for 10 km of a run.
        case fastestTenKilometresRunning
        /// The most that a walk climbed, in millimetres.
        case mostClimb
        /// The most steps of a day.
        case mostSteps
        /// The most distance from a Monday to a Sunday, in millimetres.
        case furthestWeek
        /// The most days in a row on which the daily goal was reached.
        case longestStreak

        /// The one of ``WalkOutline/lengths`` whose least time it is, and whether of a run; nil
        /// where more is better.
        package var fastest: (length: Int, isRun: Bool)? {
            let kinds: [Kind] = [
                .fastestKilometreWalking, .fastestMileWalking, .fastestFiveKilometresWalking,
                .fastestTenKilometresWalking, .fastestKilometreRunning, .fastestMileRunning,
                .fastestFiveKilometresRunning, .fastestTenKilometresRunning,
            ]
            return kinds.firstIndex(of: self).map { ($0 % 4, $0 >= 4) }
        }
    }

    /// A record.
    package struct Record: Hashable, Sendable {
        /// What it is of.
        package let kind: Kind
        /// How much, in the kind's unit.
        package let value: UInt64
        /// From when to when.
        package let dates: ClosedRange<CivilDate>
        /// The walk, or nil where it is not of one.
        package let walk: Position?
        /// What the walk is called, or empty.
        package let name: String
        /// When in the walk it was, or nil where it is of all of it.
        package var stretch: Stretch?
    }

    /// A part of a walk.
    package struct Stretch: Hashable, Sendable {
        /// When it begins, in milliseconds of UTC since 1970.
        package let startedAtMilliseconds: Int64
        /// When it ends.
        package let endedAtMilliseconds: Int64
        /// Minutes east of UTC where the walk began.
        package let offsetMinutes: Int64

        init(_ fastest: WalkOutline.Fastest, of walk: SessionReport) {
            func wall(_ elapsed: UInt64) -> Int64 {
                walk.startedAtMilliseconds.addingReportingOverflow(Int64(clamping: elapsed))
                    .partialValue
            }
            startedAtMilliseconds = wall(fastest.startMilliseconds)
            endedAtMilliseconds = wall(fastest.endMilliseconds)
            offsetMinutes = walk.offsetMinutes
        }
    }

    private let walks: [SessionReport]
    private let outlines: WalkOutlines
    private let calendar: Calendar

    /// Looks for records.
    ///
    /// - Parameters:
    ///   - walks: All walks, in order of position.
    ///   - outlines: Their outlines.
    ///   - calendar: The walker's days.
    package init(_ walks: [SessionReport], _ outlines: WalkOutlines, _ calendar: Calendar) {
        self.walks = walks.filter {
            $0.isSummed && $0.state == .ended && $0.keeping.isOnFoot
        }
        (self.outlines, self.calendar) = (outlines, calendar)
    }

    /// The records of a span of days, in the order of their kinds.
    ///
    /// - Parameter dates: The days; a week counts by its Monday, a streak by its days among them.
    ///   Nil for all time.
    /// - Returns: The records.
    package func records(in dates: ClosedRange<CivilDate>? = nil) -> [Record] {
        let own = walks.filter { dates?.contains($0.date) ?? true }
        return Kind.allCases.compactMap { kind in
            switch kind {
            case .mostSteps: return mostSteps(in: dates)
            case .furthestWeek: return furthestWeek(in: dates)
            case .longestStreak:
                let all = calendar.counted.first.map { $0.date...max($0.date, calendar.today) }
                return (dates ?? all).flatMap(calendar.longestStreak).map {
                    Record(
                        kind: kind, value: UInt64($0.days), dates: $0.dates, walk: nil, name: "")
                }
            default: return best(of: own, kind)
            }
        }
    }

    private func best(of walks: [SessionReport], _ kind: Kind) -> Record? {
        var best: (walk: SessionReport, value: UInt64)?
        for walk in walks {
            guard let value = value(of: walk, kind), value > 0 else { continue }
            let isBetter = best.map {
                kind.fastest != nil ? value < $0.value : value > $0.value
            }
            if isBetter ?? true { best = (walk, value) }
        }
        return best.map { walk, value in
            Record(
                kind: kind, value: value, dates: walk.date...walk.date, walk: walk.position,
                name: walk.keeping.name,
                stretch: fastest(of: walk, kind).map { Stretch($0, of: walk) })
        }
    }

    private func value(of walk: SessionReport, _ kind: Kind) -> UInt64? {
        switch kind {
        case .longestDistance: walk.knownDistanceMillimetres
        case .longestTime: walk.activeMilliseconds
        case .mostClimb: walk.route.ascentMillimetres
        default: fastest(of: walk, kind)?.activeMilliseconds
        }
    }

    private func fastest(of walk: SessionReport, _ kind: Kind) -> WalkOutline.Fastest? {
        guard let (length, isRun) = kind.fastest,
            isRun ? walk.keeping.sport.known == .run : walk.keeping.isWalked,
            let fastest = outlines[walk.position]?.fastest, fastest.count > length
        else { return nil }
        return fastest[length]
    }

    private func mostSteps(in dates: ClosedRange<CivilDate>?) -> Record? {
        var best: (date: CivilDate, steps: UInt64)?
        for day in calendar.counted where dates?.contains(day.date) ?? true {
            if day.steps > best?.steps ?? 0 { best = day }
        }
        return best.map {
            Record(kind: .mostSteps, value: $0.steps, dates: $0.date...$0.date, walk: nil, name: "")
        }
    }

    private func furthestWeek(in dates: ClosedRange<CivilDate>?) -> Record? {
        let distances = walks.compactMap { walk in
            walk.knownDistanceMillimetres.map { (monday: walk.date.monday, millimetres: $0) }
        }
        var best: (monday: CivilDate, millimetres: UInt64)?
        var week: (monday: CivilDate, millimetres: UInt64)?
        for walk in distances.sorted(by: { $0.monday < $1.monday })
        where dates?.contains(walk.monday) ?? true {
            let before = week?.monday == walk.monday ? week?.millimetres ?? 0 : 0
            let sum = before.plus(walk.millimetres)
            week = (walk.monday, sum)
            if sum > best?.millimetres ?? 0 { best = (walk.monday, sum) }
        }
        return best.map { monday, millimetres in
            Record(
                kind: .furthestWeek, value: millimetres,
                dates: monday...monday.advanced(by: 6), walk: nil, name: "")
        }
    }
}
