public import Certification
public import EventStore
public import Events
public import Projections

/// The days of a log, audited as far as it has been read: whoever asks again has only what came
/// since read.
///
/// One reading serves the fold that displays counts, the audit that explains each change of them,
/// and the certifier that is held against them.
public struct AuditedDays: Sendable {
    /// The most audits that are kept.
    private static let limit = 32

    /// How many events are between them; twice as many when there are too many audits.
    private var interval: Position
    private var audit = StepsAudit()
    /// The audit after some events, in the order of the log.
    private var kept: [StepsAudit] = []
    private var certifier = StepsCertifier()
    /// The first one of each date.
    private var counterExamples: [CounterExample] = []
    /// The last event that was read.
    private var last: EventHeader?

    /// Begins before the first event.
    ///
    /// - Parameter interval: How many events of before a day are read again at most; it doubles
    ///   whenever so many audits are kept that they take too much memory.
    public init(interval: Position = 1 << 15) {
        self.interval = interval
    }

    private var next: Position { audit.state.next }

    /// Reads what a log has more than was read; another log than before is read from its first
    /// event on.
    ///
    /// - Parameter log: The log.
    /// - Throws: `EventLogError`; what was read before the fault stays.
    public mutating func read(_ log: some EventLog) throws(EventLogError) {
        if let last, try log.events(in: last.position..<next).first?.header != last {
            self = AuditedDays(interval: interval)
        }
        try log.read(from: next) { event in
            take(event)
            return true
        }
    }

    private mutating func take(_ event: borrowing EventView) {
        _ = audit.evolve(event)
        last = event.header
        do throws(CounterExample) {
            try Self.compare(event, &certifier, audit.state)
        } catch {
            if !counterExamples.contains(where: { $0.date == error.date }) {
                counterExamples.append(error)
            }
        }
        guard next.isMultiple(of: interval) else { return }
        if kept.count == Self.limit {
            interval *= 2
            kept.removeAll { [interval] in !$0.state.next.isMultiple(of: interval) }
        }
        if next.isMultiple(of: interval) { kept.append(audit) }
    }

    private static func compare(
        _ event: borrowing EventView, _ certifier: inout StepsCertifier, _ state: LogState
    ) throws(CounterExample) {
        try certifier.take(event) { state.own.steps[$0]?.displayed }
    }

    /// Whether the second calculation agrees with what was displayed.
    ///
    /// - Parameter date: The day of interest, or nil for all.
    /// - Returns: The certificates, in order of date, or the first counter-example.
    public func certified(_ date: CivilDate?) -> Result<[Certificate], CounterExample> {
        func isOfInterest(_ other: CivilDate) -> Bool { date == nil || date == other }
        if let found = counterExamples.first(where: { isOfInterest($0.date) }) {
            return .failure(found)
        }
        var certifier = certifier
        do throws(CounterExample) {
            let certificates = try certifier.finish { audit.state.own.steps[$0]?.displayed }
            return .success(certificates.filter { isOfInterest($0.date) })
        } catch {
            guard !isOfInterest(error.date) else { return .failure(error) }
            return .success(date.flatMap(certifier.certificate).map { [$0] } ?? [])
        }
    }

    /// What is known of a day once all that a log has was read.
    public struct Answer {
        /// The changes of its count, in order.
        public let staircase: [StepsChange]
        /// Whether the second calculation agrees with what was displayed.
        public let certified: Result<[Certificate], CounterExample>
    }

    /// Reads what a log has more than was read, and then the day once more.
    ///
    /// - Parameters:
    ///   - day: A day of the log.
    ///   - log: The log.
    /// - Returns: The same as from the first event on.
    /// - Throws: `EventLogError`; what was read before the fault stays.
    public mutating func audit(
        _ day: DayReport, in log: some EventLog
    ) throws(EventLogError) -> Answer {
        try read(log)
        let first = day.positions?.lowerBound ?? 0
        let before = kept.last { $0.state.next <= first } ?? StepsAudit()
        return Answer(
            staircase: try log.staircase(of: day, after: before), certified: certified(day.date))
    }
}
