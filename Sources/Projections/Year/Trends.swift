package import Events

/// One measure of the walker's days, as far back as the log goes, until yesterday.
///
/// Walks that are hidden or simulated are in none. What was not measured is not 0: a day on which
/// nothing was counted has no part in a mean of days, and a walk without a heart rate has no load.
package struct Trends: Sendable {
    /// What is measured.
    package enum Measure: String, CaseIterable, Sendable {
        /// The corrected steps of whole days.
        case steps
        /// How far walks went, in millimetres.
        case distance
        /// How long they took without pauses, in milliseconds.
        case active
        /// How much they climbed, in millimetres; of those with positions.
        case climb
        /// The heart rate over time, in hundredths of a BPM; not of runs and mornings at rest.
        case heart
        /// The lowest mean over five minutes of a morning, in hundredths of a BPM.
        case resting
        /// RMSSD of the first five minutes of a morning, in hundredths of a millisecond.
        case hrv
        /// TRIMP by zones (Edwards 1993), in 1/60,000: milliseconds times 1 to 4.
        case load
        /// Milliseconds a kilometre at 115 to 125 BPM, on foot.
        case pace

        /// Whether days add up; else they have a mean only.
        package var isSum: Bool {
            switch self {
            case .steps, .distance, .active, .climb, .load: true
            case .heart, .resting, .hrv, .pace: false
            }
        }
        /// Whether it comes from the outlines of walks.
        package var isOutlined: Bool { self == .resting || self == .hrv || self == .pace }
        /// Over how many days a line of means goes: walks are rarer than mornings.
        package var lineDays: Int64 { self == .heart || self == .pace ? 21 : 7 }

        /// How many times its amount over its weight a mean is: sums of walks are for a week.
        fileprivate var factor: UInt64 {
            switch self {
            case .steps, .resting, .hrv: 1
            case .distance, .active, .climb, .load: 7
            case .heart: 100
            case .pace: 1_000_000
            }
        }
    }

    /// From when on a walk may be one of the morning, to when, in milliseconds since midnight.
    package static let morning: Range<Int64> = 4 * 3_600_000..<10 * 3_600_000
    /// For how long a strap has to be worn in a morning: ten minutes.
    package static let leastWornMilliseconds: UInt64 = 600_000
    /// How much of the beats may be missing in a morning that counts, in hundredths of a percent.
    package static let mostMissingHundredths: UInt64 = 5_00
    /// So many days of a line, or a span, need a value for a mean of them.
    package static let leastValues: UInt64 = 3
    /// So many days of each span need a count, for the two to be compared.
    package static let leastDays: UInt64 = 14
    /// How far back it goes: a clock that was wrong must not make centuries.
    private static let mostDays: Int64 = 36_525

    /// What days add up to.
    package struct Sums: Hashable, Sendable {
        /// Those with a value.
        package fileprivate(set) var days: UInt64 = 0
        /// The walks that have the measure.
        package fileprivate(set) var walks: UInt64 = 0
        /// The sum; of rates, the dividend of the mean.
        package fileprivate(set) var amount: UInt64 = 0
        /// The divisor of the mean.
        fileprivate var weight: UInt64 = 0
        /// The lowest value of a day; of rates.
        package fileprivate(set) var lowest: UInt64?
        /// The highest one.
        package fileprivate(set) var highest: UInt64?
        /// The days that are left out, because too many beats are missing.
        package fileprivate(set) var excluded: UInt64 = 0

        fileprivate mutating func add(_ other: Sums) {
            days.add(other.days)
            walks.add(other.walks)
            amount.add(other.amount)
            weight.add(other.weight)
            lowest = [lowest, other.lowest].compactMap(\.self).min()
            highest = [highest, other.highest].compactMap(\.self).max()
            excluded.add(other.excluded)
        }
    }

    /// The measure.
    package let measure: Measure
    /// The first day of which anything is known; today where nothing is known before.
    package let first: CivilDate
    /// Yesterday.
    package let last: CivilDate
    /// Whether nothing at all is known, not even of today.
    package let isEmpty: Bool
    private var days: [Sums]
    /// The variability of mornings that are left out, by the day since the first.
    private var variabilities: [WalkOutline.Variability?] = []

    /// Takes one measure of days and walks.
    ///
    /// - Parameters:
    ///   - measure: Which one.
    ///   - walks: All walks, in order of position.
    ///   - outlines: Their outlines; of no use unless the measure ``Measure/isOutlined``.
    ///   - calendar: The walker's days.
    package init(
        _ measure: Measure, _ walks: [SessionReport], _ outlines: WalkOutlines, _ calendar: Calendar
    ) {
        self.measure = measure
        last = calendar.today.advanced(by: -1)
        let earliest = calendar.today.advanced(by: -Self.mostDays)
        let own = walks.filter { $0.isSummed && $0.date >= earliest }
        let firsts = [
            calendar.counted.first { $0.date >= earliest }?.date, own.lazy.map(\.date).min(),
        ]
        isEmpty = firsts.allSatisfy { $0 == nil }
        first = min(firsts.compactMap(\.self).min() ?? calendar.today, calendar.today)
        let count = Int(last.daysSinceEpoch - first.daysSinceEpoch + 1)
        days = Array(repeating: Sums(), count: count)
        variabilities = Array(repeating: nil, count: measure == .hrv ? count : 0)
        for day in calendar.counted where day.date >= first && day.date <= last {
            let index = index(of: day.date)
            days[index].days = 1
            if measure == .steps { (days[index].amount, days[index].weight) = (day.steps, 1) }
        }
        for walk in own where walk.date <= last {
            take(walk, outlines[walk.position], at: index(of: walk.date))
        }
        for index in days.indices { settle(index) }
    }

    private func index(of date: CivilDate) -> Int {
        Int(date.daysSinceEpoch - first.daysSinceEpoch)
    }

    // MARK: - Walks

    private mutating func take(_ walk: SessionReport, _ outline: WalkOutline?, at index: Int) {
        let (amount, weight) = amount(of: walk, outline)
        if measure != .steps, measure.isSum { days[index].days = 1 }
        if measure == .hrv, days[index].walks == 0, walk.isOfMorning {
            variabilities[index] = outline?.variability
            if outline?.variability != nil { days[index].walks = 1 }
        }
        guard let amount else { return }
        days[index].walks.add(1)
        days[index].amount.add(amount)
        days[index].weight.add(weight)
        guard measure == .resting, let resting = outline?.restingHundredths else { return }
        days[index].lowest = min(days[index].lowest ?? resting, resting)
    }

    /// What a walk adds to its day; nil if it does not have the measure.
    private func amount(
        of walk: SessionReport, _ outline: WalkOutline?
    ) -> (amount: UInt64?, weight: UInt64) {
        let (heart, isRun) = (walk.heartRate, !walk.keeping.isWalked)
        switch measure {
        case .steps, .hrv: return (nil, 0)
        case .distance: return (walk.knownDistanceMillimetres, 0)
        case .active: return (walk.activeMilliseconds, 0)
        case .climb: return (walk.knownAscentMillimetres, 0)
        case .heart:
            let isKnown = heart.weightedMilliseconds > 0 && !isRun && !walk.isAtRest
            return (isKnown ? heart.weightedSum : nil, heart.weightedMilliseconds)
        case .resting: return (walk.isOfMorning ? heart.weightedMilliseconds : nil, 0)
        case .load:
            let zones = heart.zones
            let sum = zones.restingMilliseconds.plus(zones.moderateMilliseconds.times(2))
                .plus(zones.vigorousMilliseconds.times(3)).plus(zones.maximumMilliseconds.times(4))
            return (heart.samples > 0 ? sum : nil, 0)
        case .pace:
            let covered = isRun ? nil : outline?.covered
            return (covered?.milliseconds, covered?.millimetres ?? 0)
        }
    }

    /// A day of which all walks are known.
    private mutating func settle(_ index: Int) {
        var day = days[index]
        switch measure {
        case .steps: return
        case .distance, .active, .climb, .load: day.weight = 1
        case .heart, .pace: day.days = 0
        case .resting:
            let resting = day.amount >= Self.leastWornMilliseconds ? day.lowest : nil
            day = Sums()
            if let resting { (day.amount, day.weight) = (resting, 1) }
        case .hrv:
            day = Sums()
            guard let variability = variabilities[index] else { break }
            if variability.missingHundredths > Self.mostMissingHundredths {
                day.excluded = 1
            } else {
                (day.amount, day.weight) = (variability.rmssdHundredths, 1)
                variabilities[index] = nil
            }
        }
        if !measure.isSum, day.weight > 0 {
            day.days = 1
            (day.lowest, day.highest) = (mean(of: day), mean(of: day))
        }
        days[index] = day
    }

    // MARK: - What days add up to

    /// What the known days of a span add up to.
    package func sums(_ dates: ClosedRange<CivilDate>) -> Sums {
        var sums = Sums()
        let (from, until) = (max(dates.lowerBound, first), min(dates.upperBound, last))
        guard from <= until else { return sums }
        for day in days[index(of: from)...index(of: until)] { sums.add(day) }
        return sums
    }

    /// The mean of days: of steps a day, of other sums a week, of rates in which each value has its
    /// weight; nil without a value.
    package func mean(of sums: Sums) -> UInt64? {
        // Who recorded no height has climbed nobody knows how much; who did not walk, nothing.
        let isMeasured = ![.climb, .load].contains(measure) || sums.walks > 0
        let isKnown = sums.days > 0 && sums.weight > 0 && isMeasured
        return isKnown ? sums.amount.scaled(by: measure.factor, over: sums.weight) : nil
    }

    /// How many days a mean is of: those with a value; of sums of walks all, for those without a
    /// walk are in it.
    package func daysOfMean(_ sums: Sums) -> UInt64 { measure.isSum ? sums.weight : sums.days }

    /// The mean of the days up to one of them, for a line; nil where fewer than three have a value.
    package func line(at date: CivilDate) -> UInt64? {
        let sums = sums(date.advanced(by: 1 - measure.lineDays)...date)
        return sums.days >= Self.leastValues ? mean(of: sums) : nil
    }

    /// What a morning would have if it were not left out; nil unless it is.
    package func excluded(at date: CivilDate) -> WalkOutline.Variability? {
        guard (first...max(first, last)).contains(date), measure == .hrv else { return nil }
        return variabilities.isEmpty ? nil : variabilities[index(of: date)]
    }
}

extension SessionReport {
    /// Whether it is no walk but a morning at rest: nobody moved, in the lowest zone.
    fileprivate var isAtRest: Bool {
        isOfMorning && knownSteps == nil && knownDistanceMillimetres == nil
            && heartRate.timeWeightedMean.map { $0 < heartRate.zones.bounds.moderateFrom } ?? false
    }

    /// Whether it began in the morning, by the time of day where it began.
    fileprivate var isOfMorning: Bool {
        let midnight = date.daysSinceEpoch * 86_400_000
        let local = startedAtMilliseconds.addingReportingOverflow(offsetMinutes * 60_000)
        return Trends.morning.contains(local.partialValue &- midnight)
    }
}
