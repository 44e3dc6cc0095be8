package import Clocks
package import EventStore
package import Events
package import Projections

extension Appender {
    /// Samples that end later than this after they arrived are not taken: where this machine's
    /// clock is set, the one that they were told by is wrong.
    static let futureMilliseconds: Int64 = 86_400_000
    /// The most events that are read for samples without a look at whether anybody still waits.
    static let samplePieceEvents: UInt64 = 4_096
    /// Samples count for today and so many dates before.
    static let datesBeforeToday: Int64 = 5

    /// Makes totals of samples; which instants are of which date, the offset tells.
    package typealias SampleRule =
        @Sendable (
            _ samples: [StepSample], _ offsetMinutes: @escaping @Sendable (Int64) -> Int64
        ) -> [HealthTotal]

    /// Records what a health store reported: what is news becomes events, in one transaction.
    ///
    /// Samples that are news are recorded as they came; then the totals, of the report and those
    /// that its samples and the ones before them give, if they are news. What is news is decided
    /// after the last event of the log, so that a report that comes twice at once, or to two
    /// processes, counts once.
    ///
    /// A total is made of a date's samples only while all of them are at hand: those of earlier
    /// dates, or of days to come, are not recorded, and the outcome says so.
    ///
    /// - Parameters:
    ///   - report: What was told.
    ///   - arrival: When.
    ///   - rule: Makes totals of samples.
    /// - Returns: What became of it, when it is durable.
    /// - Throws: `ClockNotSet` if the wall clock was never set: no date could be judged.
    ///   `CancellationError` if the task was cancelled before anything was decided.
    ///   `EventLogError`, as ``record(_:)`` does.
    package func record(
        _ report: HealthReport, at arrival: Arrival, totals rule: SampleRule
    ) async throws -> HealthOutcome {
        guard arrival.wallMilliseconds >= Arrival.earliestTrustedMilliseconds else {
            throw ClockNotSet()
        }
        if !report.samples.isEmpty { try await foldSamples() }
        var plan = HealthPlan()
        let outcomes = try await append { (state) throws(EventLogError) in
            plan = try self.plan(for: report, at: arrival, rule)
            return plan.inputs(origin: Reporter(report.origin), at: arrival)
        }
        let refused = zip(plan.samples, outcomes).compactMap { sample, outcome -> StepSample? in
            if case .refused = outcome { sample } else { nil }
        }
        plan.ignore(refused, .invalid, date(of:))
        return HealthOutcome(
            days: receipts(for: plan.totals, outcomes.dropFirst(plan.samples.count)),
            newSamples: plan.samples.count - refused.count, ignored: plan.ignored)
    }

    /// Records totals of dates, of which those that are news become events, in one transaction.
    ///
    /// - Parameters:
    ///   - totals: The totals; of several of a date the greatest counts.
    ///   - origin: Who reported them.
    ///   - arrival: When.
    /// - Returns: What became of each date's, in order of date, when it is durable.
    /// - Throws: `EventLogError`, as ``record(_:)`` does.
    package func record(
        _ totals: [HealthTotal], origin: Reporter, at arrival: Arrival
    ) async throws(EventLogError) -> [HealthReceipt] {
        let totals = HealthReport.greatest(of: totals)
        let outcomes = try await record(
            totals.map { Input(.news($0, origin: origin), at: arrival) })
        return receipts(for: totals, outcomes[...])
    }

    private func receipts(
        for totals: [HealthTotal], _ outcomes: ArraySlice<Outcome>
    ) -> [HealthReceipt] {
        zip(totals, outcomes).map { total, outcome in
            HealthReceipt(
                total: total, outcome: HealthReceipt.Outcome(outcome),
                displayed: state.own.steps[total.date]?.displayed ?? 0)
        }
    }

    /// The local date of an instant in UTC milliseconds.
    private func date(at milliseconds: Int64) -> CivilDate {
        CivilDate(
            wallMilliseconds: milliseconds,
            zoneOffsetMinutes: machine.zone(milliseconds).offsetMinutes)
    }

    /// The local date of a sample: that of its last millisecond.
    private func date(of sample: StepSample) -> CivilDate { date(at: sample.lastMilliseconds) }

    /// Folds the samples of the log next to the appender: a long log would hold up whoever appends.
    ///
    /// Piece by piece: one report reads the next piece, and all others that need it wait for it. If
    /// the one that reads is given up, another continues where it stopped.
    ///
    /// - Throws: `CancellationError` at the end of a piece; `EventLogError`.
    private func foldSamples() async throws {
        while case let next = samples.next, case let end = try log.next, next < end {
            try Task.checkCancellation()
            guard !areSamplesRead else {
                await withCheckedContinuation { waitingForSamples.append($0) }
                continue
            }
            areSamplesRead = true
            defer {
                areSamplesRead = false
                for follower in waitingForSamples { follower.resume() }
                waitingForSamples = []
            }
            let folded = try await Self.folded(
                samples, log, until: min(end, next + Self.samplePieceEvents))
            if samples.next < folded.next { samples = folded }
        }
    }

    @concurrent
    private static func folded(
        _ samples: StepSamples, _ log: any EventLog, until end: Position
    ) async throws(EventLogError) -> StepSamples {
        var samples = samples
        try log.fold(from: samples.next, until: end, into: &samples)
        return samples
    }

    /// Finds the samples that are news, and the totals of the report and of the dates that its
    /// samples touch.
    private func plan(
        for report: HealthReport, at arrival: Arrival, _ rule: SampleRule
    ) throws(EventLogError) -> HealthPlan {
        var plan = HealthPlan(ignored: report.ignored)
        plan.totals = HealthReport.greatest(of: report.totals)
        guard !report.samples.isEmpty else { return plan }
        try log.fold(from: samples.next, into: &samples)
        let machine = machine
        let latest = arrival.wallMilliseconds + Self.futureMilliseconds
        let valid = report.samples.filter(\.isRecordable)
        let current = valid.filter { $0.endedAtMilliseconds <= latest }
        let oldestDay = date(at: arrival.wallMilliseconds).daysSinceEpoch - Self.datesBeforeToday

        // A fraction that is sent again may be rounded otherwise: one step more is not news.
        let repeated = Set(
            report.roundedSamples.map { report.samples[$0] }.filter { sample in
                var less = sample
                less.steps -= min(1, less.steps)
                return !samples.isNews(less)
            })
        var known = samples
        let news = known.add(
            current.filter { date(of: $0).daysSinceEpoch >= oldestDay && !repeated.contains($0) })
        // Of the date up to which samples are missing a sum would be a part.
        let missing = known.incompleteUntilMilliseconds.map { date(at: $0).daysSinceEpoch }
        let firstDay = max(oldestDay, missing.map { $0 + 1 } ?? oldestDay)
        func isWhole(_ date: CivilDate) -> Bool { date.daysSinceEpoch >= firstDay }

        plan.samples = news.filter { isWhole(date(of: $0)) }
        plan.ignore(report.samples.filter { !$0.isRecordable }, .invalid, date(of:))
        plan.ignore(valid.filter { $0.endedAtMilliseconds > latest }, .inFuture, date(of:))
        let partial = current.filter { !isWhole(date(of: $0)) && samples.isNews($0) }
        plan.ignore(partial, .tooOld, date(of:))
        let touched = Set(current.flatMap { [date(at: $0.beganAtMilliseconds), date(of: $0)] })
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
    /// The samples that are not recorded though they may be news, in order of date.
    var ignored: [IgnoredSamples] = []

    mutating func ignore(
        _ samples: [StepSample], _ reason: IgnoredSamples.Reason, _ date: (StepSample) -> CivilDate
    ) {
        let counts = samples.reduce(into: [CivilDate: Int]()) { counts, sample in
            counts[date(sample), default: 0] += 1
        }
        ignored += counts.map { IgnoredSamples(date: $0.key, count: $0.value, reason: reason) }
        ignored.sort { $0.date ?? .epoch < $1.date ?? .epoch }
    }

    func inputs(origin: Reporter, at arrival: Arrival) -> [Input] {
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
