public import Clocks
public import EventStore
internal import Events
public import Projections

extension Appender {
    /// Samples that end later than this after they arrived are not taken: a phone's clock is wrong.
    static let futureMilliseconds: Int64 = 86_400_000
    /// Samples count for today and so many dates before.
    static let datesBeforeToday: Int64 = 5

    /// Makes totals of samples; which instants are of which date, the offset tells.
    public typealias SampleRule =
        @Sendable (
            _ samples: [StepSample], _ offsetMinutes: @escaping @Sendable (Int64) -> Int64
        ) -> [HealthTotal]

    /// Records what a health store told: what is news becomes events, in one transaction.
    ///
    /// Samples that are news are recorded as they came; then the totals, of the report and those
    /// that its samples and the ones before them give, if they are news. What is news is decided
    /// after the last event of the log, so that a report that comes twice at once, or to two
    /// processes, counts once.
    ///
    /// A total is made of a date's samples only while all of them are at hand: those of earlier
    /// dates, or of days to come, are not looked at, and the outcome says so.
    ///
    /// - Parameters:
    ///   - report: What was told.
    ///   - arrival: When.
    ///   - rule: Makes totals of samples.
    /// - Returns: What became of it, when it is durable.
    /// - Throws: `EventLogError`, as ``record(_:)`` does.
    public func record(
        _ report: HealthReport, at arrival: Arrival, totals rule: SampleRule
    ) async throws(EventLogError) -> HealthOutcome {
        if !report.samples.isEmpty { try await foldSamples() }
        var plan = HealthPlan()
        let outcomes = try await append { (state) throws(EventLogError) in
            plan = try self.plan(for: report, at: arrival, rule)
            return plan.inputs(origin: report.origin, at: arrival)
        }
        let newSamples = outcomes.prefix(plan.samples.count).count {
            if case .recorded = $0 { true } else { false }
        }
        let totalOutcomes = outcomes.dropFirst(plan.samples.count)
        let days = zip(plan.totals, totalOutcomes).map { total, outcome in
            HealthReceipt(
                total: total, outcome: HealthReceipt.Outcome(outcome),
                displayed: state.live.steps[total.date]?.displayed ?? 0)
        }
        return HealthOutcome(days: days, newSamples: newSamples, ignored: plan.ignored)
    }

    /// Folds the samples of the log beside the appender: a long log would hold up whoever appends.
    private func foldSamples() async throws(EventLogError) {
        let folded = try await Self.folded(samples, log)
        if samples.next < folded.next { samples = folded }
    }

    @concurrent
    private static func folded(
        _ samples: StepSamples, _ log: any EventLog
    ) async throws(EventLogError) -> StepSamples {
        var samples = samples
        try log.fold(from: samples.next, into: &samples)
        return samples
    }

    /// Finds the samples that are news, and the totals of the report and of the dates that its
    /// samples touch.
    private func plan(
        for report: HealthReport, at arrival: Arrival, _ rule: SampleRule
    ) throws(EventLogError) -> HealthPlan {
        var plan = HealthPlan()
        plan.totals = HealthReport.greatest(of: report.totals)
        guard !report.samples.isEmpty else { return plan }
        try log.fold(from: samples.next, into: &samples)
        let machine = machine
        func date(at milliseconds: Int64) -> CivilDate {
            CivilDate(
                wallMilliseconds: milliseconds,
                zoneOffsetMinutes: machine.zone(milliseconds).offsetMinutes)
        }
        let latest = arrival.wallMilliseconds + Self.futureMilliseconds
        let current = report.samples.filter { $0.endedAtMilliseconds <= latest }
        let oldestDay = date(at: arrival.wallMilliseconds).daysSinceEpoch - Self.datesBeforeToday

        var known = samples
        var news: [StepSample] = []
        for sample in current where date(at: sample.endedAtMilliseconds).daysSinceEpoch >= oldestDay
        {
            guard known.isNews(sample) else { continue }
            known.add(sample)
            news.append(sample)
        }
        // Of the date up to which samples are missing a sum would be a part.
        let missing = known.incompleteUntilMilliseconds.map { date(at: $0).daysSinceEpoch }
        let firstDay = max(oldestDay, missing.map { $0 + 1 } ?? oldestDay)
        func isWhole(_ date: CivilDate) -> Bool { date.daysSinceEpoch >= firstDay }

        plan.samples = news.filter { isWhole(date(at: $0.endedAtMilliseconds)) }
        plan.ignore(report.samples.filter { $0.endedAtMilliseconds > latest }, .toCome, date)
        plan.ignore(
            current.filter { !isWhole(date(at: $0.endedAtMilliseconds)) }, .tooOld, date)
        let touched = Set(
            current.flatMap {
                [date(at: $0.beganAtMilliseconds), date(at: $0.endedAtMilliseconds)]
            }
        )
        let made = rule(known.all) { machine.zone($0).offsetMinutes }
            .filter { touched.contains($0.date) && isWhole($0.date) }
        plan.totals = HealthReport.greatest(of: made + report.totals)
        return plan
    }
}

/// What is to be recorded of a report.
private struct HealthPlan {
    /// The samples that are news.
    var samples: [StepSample] = []
    /// The greatest total of each date that the report tells of, in order of date.
    var totals: [HealthTotal] = []
    /// The samples that are not looked at, in order of date.
    var ignored: [IgnoredSamples] = []

    mutating func ignore(
        _ samples: [StepSample], _ reason: IgnoredSamples.Reason, _ date: (Int64) -> CivilDate
    ) {
        let counts = samples.reduce(into: [CivilDate: Int]()) { counts, sample in
            counts[date(sample.endedAtMilliseconds), default: 0] += 1
        }
        ignored += counts.map { IgnoredSamples(date: $0.key, count: $0.value, reason: reason) }
        ignored.sort { $0.date < $1.date }
    }

    func inputs(origin: String, at arrival: Arrival) -> [Input] {
        samples.map { Input(.record($0.event), at: arrival) }
            + totals.map { Input(.news($0, origin: origin), at: arrival) }
    }
}

extension HealthReceipt.Outcome {
    /// What became of a total that was told as news.
    fileprivate init(_ outcome: Outcome) {
        switch outcome {
        case .recorded(let range): self = range.isEmpty ? .known : .taken
        case .refused(let refusal): self = .refused(refusal)
        }
    }
}
