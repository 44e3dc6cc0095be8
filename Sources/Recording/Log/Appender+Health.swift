public import Clocks
public import EventStore
internal import Events
public import Projections

extension Appender {
    /// Samples that end later than this after they arrived are not taken: a phone's clock is wrong.
    static let futureMilliseconds: Int64 = 86_400_000

    /// Makes totals of samples; which instants are of which date, the offset tells.
    public typealias SampleRule =
        @Sendable (
            _ samples: [StepSample], _ offsetMinutes: @escaping @Sendable (Int64) -> Int64
        ) -> [HealthTotal]

    /// Takes in what a health store told: what is news becomes events, in one transaction.
    ///
    /// Samples that are news are recorded as they came; then the totals, of the report and those
    /// that its samples and the ones before them give, if they are news. What is news is decided
    /// after the last event of the log, so that a report that comes twice at once, or to two
    /// processes, counts once.
    ///
    /// - Parameters:
    ///   - report: What was told.
    ///   - arrival: When.
    ///   - rule: Makes totals of samples.
    /// - Returns: What became of it, when it is durable.
    /// - Throws: `EventLogError`, as ``record(_:)`` does.
    public func take(
        _ report: HealthReport, at arrival: Arrival, rule: SampleRule
    ) async throws(EventLogError) -> HealthOutcome {
        var plan = HealthPlan()
        let outcomes = try await append { (state) throws(EventLogError) in
            plan = HealthPlan()
            try addSamples(of: report, at: arrival, rule, to: &plan)
            plan.add(report.totals, state.live)
            return plan.inputs(origin: report.origin, at: arrival)
        }
        var refusals: [HealthTotal: Refusal] = [:]
        for (total, outcome) in zip(plan.news, outcomes.dropFirst(plan.samples.count)) {
            if case .refused(let refusal) = outcome { refusals[total] = refusal }
        }
        let days = plan.totals.map { total in
            let outcome: HealthReceipt.Outcome =
                if let refusal = refusals[total] {
                    .refused(refusal)
                } else {
                    plan.news.contains(total) ? .taken : .known
                }
            let displayed = state.live.steps[total.date]?.displayed ?? 0
            return HealthReceipt(total: total, outcome: outcome, displayed: displayed)
        }
        return HealthOutcome(days: days, newSamples: plan.samples.count)
    }

    /// Finds the samples that are news, and the totals of the dates that the report's touch.
    private func addSamples(
        of report: HealthReport, at arrival: Arrival, _ rule: SampleRule, to plan: inout HealthPlan
    ) throws(EventLogError) {
        guard !report.samples.isEmpty else { return }
        try log.fold(from: samples.next, into: &samples)
        let latest = arrival.wallMilliseconds + Self.futureMilliseconds
        let earliest = arrival.wallMilliseconds - StepSamples.keptMilliseconds
        var known = samples
        for sample in report.samples where sample.endedAtMilliseconds <= latest {
            guard known.isNews(sample) else { continue }
            known.add(sample)
            // What is older is soon forgotten, and would be news each time it is told.
            if sample.endedAtMilliseconds > earliest { plan.samples.append(sample) }
        }
        let machine = machine
        func date(at milliseconds: Int64) -> CivilDate {
            CivilDate(
                wallMilliseconds: milliseconds,
                zoneOffsetMinutes: machine.zone(milliseconds).offsetMinutes)
        }
        let touched = Set(
            report.samples.flatMap {
                [date(at: $0.beganAtMilliseconds), date(at: $0.endedAtMilliseconds)]
            })
        let totals = rule(known.all) { machine.zone($0).offsetMinutes }
        plan.totals = totals.filter { touched.contains($0.date) }
    }
}

/// What is to be recorded of a report.
private struct HealthPlan {
    /// The samples that are news.
    var samples: [StepSample] = []
    /// The furthest total of each date that the report tells of, in order of date.
    var totals: [HealthTotal] = []
    /// Those of them that are news.
    var news: [HealthTotal] = []

    mutating func add(_ told: [HealthTotal], _ live: SourceState) {
        totals = HealthReport.furthest(of: totals + told)
        news = totals.filter { live.isNews($0) }
    }

    func inputs(origin: String, at arrival: Arrival) -> [Input] {
        samples.map { Input(.record($0.event), at: arrival) }
            + news.map { total in
                let command = Command.healthTotal(
                    total.steps, date: total.date,
                    validUntilMilliseconds: total.validUntilMilliseconds, origin: origin,
                    trigger: .observer)
                return Input(command, at: arrival)
            }
    }
}
