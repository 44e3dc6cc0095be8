public import Events

/// The steps of the day, and heart rates, by the rules of `Projections`, computed the slow and
/// obvious way.
///
/// It is written in another style than the fold, so that they do not share a mistake. It keeps the
/// whole log and has no state that goes along: each question is answered by looking back over the
/// list of facts. "What did this reading add?" looks back for the reading before it and for what
/// came in between; "what is displayed?" adds up the list from its first event.
public struct NaiveModel {
    /// A mistake to make on purpose, to see that the campaign finds it.
    public enum Fault: CaseIterable, Sendable {
        /// The delta is not reset when baseline and delta wins (T2).
        case keepsDelta
        /// Yesterday's count goes into today's max() (T5).
        case carriesYesterday
        /// The stream is not begun anew at midnight (T5).
        case keepsStreamOverMidnight
        /// Every pedometer counts (T1).
        case countsEveryPedometer
        /// A reconcile takes the health total even if it is lower (T4).
        case believesLowTotals
        /// A total that wins covers nothing of what the pedometer shows next.
        case countsCoveredSteps
        /// A counter that began anew counts nothing (T7).
        case ignoresRestarts
        /// The first reading after a resume counts what was walked in the pause (S8).
        case countsPauses
        /// Nothing is carried in spite of the rule (T9).
        case dropsOverlap
        /// A date that a wrong clock named stays, whatever a trusted one says (T5).
        case believesAnyClock
        /// A counter that goes on counts, however far.
        case believesSpikes
        /// A counter that shows less counts all that it shows (T7).
        case believesFalls
        /// A total of a day counts, however great.
        case believesTotals
        /// Every heart rate counts that is not 0 (S3).
        case countsEveryHeartRate
        /// What was walked in a pause that began by itself counts (S8).
        case countsStandstills
    }

    let facts: [Fact]
    let headers: [EventHeader]
    let carriesOverlap: Bool
    let cadenceMilliseconds: UInt64
    let fault: Fault?

    // What follows from the facts up to each event, and stays true whatever comes later.

    /// The fold time: the boot clock, and over a boot the wall clock.
    var times: [UInt64] = []
    /// The date that the event opened, if it did.
    var opened: [CivilDate?] = []
    /// The pedometer that was read, if one was.
    var readers: [DeviceID?] = []
    /// The pedometer that counts when the event comes: the last one chosen, else the first read.
    var chosen: [DeviceID?] = []
    /// What a reading shows since the reading before it, and whether its counter began anew.
    var differences: [(steps: UInt64, isRestart: Bool, isNone: Bool)] = []
    /// The steps that a reconciliation adds to its total (T9).
    var carried: [UInt64] = []
    /// The steps of a reconciliation's total that the next reading may show once more.
    var covers: [UInt64] = []
    /// The steps that a reading adds to its day.
    var counted: [UInt64] = []

    /// Looks at a log.
    ///
    /// - Parameters:
    ///   - log: Every event from position 0 on.
    ///   - carriesOverlap: The rule of T9.
    ///   - cadenceMilliseconds: How old a reading may be to be recent.
    ///   - countsStandstill: Whether pauses that began by themselves are none.
    ///   - fault: A mistake to make, or nil.
    public init(
        of log: [RecordedEvent], carriesOverlap: Bool, cadenceMilliseconds: UInt64,
        countsStandstill: Bool, fault: Fault? = nil
    ) {
        let told = fault == .believesTotals ? log.map(Fact.init) : Self.credible(log)
        facts = Self.withPauses(told, countsStandstill || fault == .countsStandstills)
        headers = log.map(\.header)
        self.carriesOverlap = carriesOverlap
        self.cadenceMilliseconds = cadenceMilliseconds
        self.fault = fault
        for index in facts.indices {
            times.append(time(of: index))
            opened.append(dateOpened(by: index))
            readers.append(reader(index))
            chosen.append(chosen(at: index))
            differences.append(difference(at: index))
            carried.append(carriedSteps(at: index))
            covers.append(coveredSteps(at: index))
            counted.append(countedSteps(at: index))
        }
    }

    /// What events say, but for totals that nobody walks in a day and that nobody meant before.
    private static func credible(_ log: [RecordedEvent]) -> [Fact] {
        var meant: [CivilDate: UInt64] = [:]
        func total(_ total: UInt64, of date: CivilDate) -> UInt64 {
            total > max(200_000, meant[date] ?? 0) ? 0 : total
        }
        return log.map { recorded in
            switch Fact(recorded) {
            case .meant(let date, let total):
                meant[date] = max(meant[date] ?? 0, total)
                return .corrected(date, 0)
            case .observed(let date, let told): return .observed(date, total(told, of: date))
            case .legacy(let date, let told): return .legacy(date, total(told, of: date))
            case .reconciled(let date, let told?, let until, let trigger):
                return .reconciled(
                    date, total: total(told, of: date), until: until, by: trigger)
            case let fact: return fact
            }
        }
    }

    /// Standstills as pauses, unless they count: one that the walker makes last is the same pause.
    private static func withPauses(_ facts: [Fact], _ countsStandstill: Bool) -> [Fact] {
        var (isPaused, isStill) = (false, false)
        return facts.map { fact in
            switch fact {
            case .standstillBegan:
                if isPaused || countsStandstill { return .nothing }
                (isPaused, isStill) = (true, true)
                return .sessionPaused
            case .sessionPaused:
                defer { (isPaused, isStill) = (true, false) }
                return isPaused ? .nothing : fact
            case .standstillEnded, .sessionResumed:
                if case .standstillEnded = fact, !isStill { return .nothing }
                defer { (isPaused, isStill) = (false, false) }
                return isPaused ? .sessionResumed : .nothing
            case .sessionStarted, .sessionEnded:
                (isPaused, isStill) = (false, false)
                return fact
            default: return fact
            }
        }
    }

    // MARK: - The count of a date

    /// The date that counts after some events, or nil.
    func date(after count: Int) -> CivilDate? {
        for index in (0..<count).reversed() {
            if let date = opened[index] { return date }
        }
        return nil
    }

    private func dateOpened(by index: Int) -> CivilDate? {
        let current = date(after: index)
        switch facts[index] {
        case .reconciled(let date, _, _, let trigger):
            guard let current, date <= current, trigger != .clockTrusted else { return date }
            return goesBack(from: current, to: date, before: index, isSure: isSure(index))
                ? date : nil
        case .reading where current == nil:
            let header = headers[index]
            let isTrusted = header.flags.contains(.wallTrusted)
            let said = wall(at: header.stamp, isTrusted: isTrusted, after: index)
            return (fault == .believesAnyClock ? header.stamp.wallMilliseconds : said).map {
                CivilDate(wallMilliseconds: $0, zoneOffsetMinutes: zone(after: index))
            }
        default: return nil
        }
    }

    /// What a date displays after some events, or nil if nothing is known of it.
    public func displayed(_ date: CivilDate, after count: Int) -> UInt64? {
        var shown: UInt64?
        var sinceReconcile: UInt64 = 0
        var current: CivilDate?
        var legacy: UInt64 = 0
        for index in 0..<count {
            if let next = opened[index] {
                if fault == .carriesYesterday, next == date, let current {
                    shown = max(shown ?? 0, displayed(current, after: index) ?? 0)
                }
                current = next
                if next == date { shown = shown ?? 0 }
            }
            switch facts[index] {
            case .observed(let day, let total) where day == date && current != date:
                shown = max(shown ?? 0, total)
            case .legacy(let day, let total) where day == date:
                legacy = max(legacy, total)
                if current != date { shown = max(shown ?? 0, total) }
            case .corrected(let day, _) where day == date:
                shown = shown ?? 0
            case .reading where current == date:
                shown = (shown ?? 0) + counted[index]
                sinceReconcile += counted[index]
            case .reconciled(let day, let told, _, let trigger) where day == date:
                let total = told.map { $0 + carried[index] }
                if current != date {
                    // Too late for its date: only its total is of use, and only to that date.
                    shown = total.map { max(shown ?? 0, $0) } ?? shown
                } else if trigger != .rollover || total != nil {
                    let before = shown ?? 0
                    shown = max(before, total ?? 0, legacy)
                    if fault == .keepsDelta, shown == before { shown = before + sinceReconcile }
                    if fault == .believesLowTotals, let total { shown = total }
                    sinceReconcile = 0
                }
            default: break
            }
        }
        return shown
    }

    private func corrected(_ date: CivilDate, _ displayed: UInt64, after count: Int) -> UInt64 {
        var sum = Int64(displayed)
        for index in 0..<count {
            if case .corrected(let day, let steps) = facts[index], day == date { sum += steps }
        }
        return UInt64(max(0, sum))
    }

    /// What the pedometer counted on a date.
    private func pedometerSteps(_ date: CivilDate, after count: Int) -> UInt64 {
        var sum: UInt64 = 0
        var current: CivilDate?
        for index in 0..<count {
            current = opened[index] ?? current
            if current == date { sum += counted[index] }
        }
        return sum
    }

    private func dates(after count: Int) -> [CivilDate] {
        var dates: [CivilDate] = []
        for index in 0..<count {
            var named = opened[index]
            switch facts[index] {
            case .observed(let date, _), .legacy(let date, _), .corrected(let date, _):
                named = date
            case .reconciled(let date, .some, _, _): named = date
            default: break
            }
            if let named, !dates.contains(named) { dates.append(named) }
        }
        return dates.sorted()
    }

    // MARK: - Everything

    /// All that is compared, after some events.
    public func answer(after count: Int) -> Answer {
        let days = dates(after: count).map { date in
            let shown = displayed(date, after: count) ?? 0
            return DayAnswer(
                date: date, displayed: shown, corrected: corrected(date, shown, after: count),
                pedometerSteps: pedometerSteps(date, after: count))
        }
        var sessions: [SessionAnswer] = []
        for start in 0..<count {
            guard case .sessionStarted = facts[start] else { continue }
            let header = headers[start]
            let baseline = today(
                after: start + 1, at: header.stamp, isTrusted: header.flags.contains(.wallTrusted))
            sessions.append(
                SessionAnswer(
                    position: header.position, steps: sessionSteps(from: start, after: count),
                    baseline: baseline.shown, hearts: hearts(from: start, after: count)))
        }
        return Answer(days: days, sessions: sessions)
    }
}
