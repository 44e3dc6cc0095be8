public import EventStore
internal import Events
public import Projections

extension Appender {
    /// Takes in what a health store told: what is news becomes events, in one transaction.
    ///
    /// What is news is decided behind the last event of the log, so that a report that comes twice
    /// at once, or from two processes, counts once.
    ///
    /// - Parameters:
    ///   - report: What was told.
    ///   - arrival: When.
    /// - Returns: What became of the furthest total of each date, in order of date, when it is
    ///   durable.
    /// - Throws: `EventLogError`, as ``record(_:)`` does.
    public func take(
        _ report: HealthReport, at arrival: Arrival
    ) async throws(EventLogError) -> [HealthReceipt] {
        let totals = report.furthestTotals
        var news: [HealthTotal] = []
        let outcomes = try await record { state in
            news = totals.filter { state.live.isNews($0) }
            return news.map { total in
                let command = Command.healthTotal(
                    total.steps, date: total.date,
                    validUntilMilliseconds: total.validUntilMilliseconds, origin: report.origin,
                    trigger: .observer)
                return Input(command, at: arrival)
            }
        }
        var refusals: [HealthTotal: Refusal] = [:]
        for (total, outcome) in zip(news, outcomes) {
            if case .refused(let refusal) = outcome { refusals[total] = refusal }
        }
        return totals.map { total in
            let outcome: HealthReceipt.Outcome =
                if let refusal = refusals[total] {
                    .refused(refusal)
                } else {
                    news.contains(total) ? .taken : .known
                }
            let displayed = state.live.steps[total.date]?.displayed ?? 0
            return HealthReceipt(total: total, outcome: outcome, displayed: displayed)
        }
    }
}
