package import Events
package import Projections
internal import TamperEvidence

/// Keeps what the records of the walker's days are made of: their figures, and a hash over the
/// events of each day.
///
/// A fold over the whole log. An event is a day's own if it names its date, or was read by the
/// pedometer that counted while it was the day; what an import tells of a date is the date's as
/// well, and what is simulated is no day's. So nothing that a record is made of tells of another
/// day.
package struct DayLedger {
    /// What is known of a date.
    private struct Page {
        var hash = FileDigest()
        var eventCount: UInt64 = 0
        /// The bytes that were hashed, where they are wanted.
        var bytes: [UInt8] = []
        var stepsPerCadenceCount: UInt8 = 1
        /// What was displayed when another date began to count; nil if this one never did.
        var displayedAtEnd: UInt64?
        /// Where another date began to count.
        var endPosition: Position?
        /// The last record of it, of any version.
        var recordPosition: Position?
    }

    /// The state after the last event.
    package private(set) var state: LogState
    private var pages: [CivilDate: Page] = [:]
    /// The date whose events are kept; nil if none is wanted.
    private let keptDate: CivilDate?

    /// Begins before the first event.
    ///
    /// - Parameters:
    ///   - rules: What counts.
    ///   - date: The date whose events are kept for ``canonicalEvents``; nil for none.
    package init(rules: Rules = Rules(), keepingEventsOf date: CivilDate? = nil) {
        state = LogState(rules: rules)
        keptDate = date
    }

    /// Goes on after events that were none of the date of interest.
    package mutating func goOn(after state: LogState) { self.state = state }

    /// The position of the first event that was not taken in.
    package var next: Position { state.next }

    /// The canonical bytes of the events of the date that was named, one after the other.
    package var canonicalEvents: [UInt8] { keptDate.flatMap { pages[$0]?.bytes } ?? [] }

    /// Takes one event in.
    ///
    /// - Parameter event: The event that comes next.
    package mutating func evolve(_ event: borrowing EventView) {
        let header = event.header
        let index = state.stepsIndex
        let effects = state.evolve(event)
        if header.kind.lane == .day { noteRecord(event) }
        guard header.kind.lane == .steps, !effects.isSimulated else { return }
        if let date = effects.begun { begin(date, after: effects.ended, at: header.position) }
        guard let date = effects.date else { return }
        let bytes = event.withPayload { header.canonicalBytes(laneIndex: index, payload: $0) }
        let isKept = date == keptDate
        change(date) { page in
            page.hash.take(bytes.span)
            page.eventCount += 1
            if isKept { page.bytes += bytes }
        }
    }

    /// Notes that another date counts from now on.
    private mutating func begin(
        _ date: CivilDate, after ended: Effects.Ended?, at position: Position
    ) {
        if let ended {
            change(ended.date) {
                ($0.displayedAtEnd, $0.endPosition) = (ended.displayed, position)
            }
        }
        let factor = state.walked.steps.stepsPerCadenceCount
        change(date) { page in
            if page.endPosition == nil { page.stepsPerCadenceCount = factor }
        }
    }

    private mutating func noteRecord(_ event: borrowing EventView) {
        guard event.header.source == 0 else { return }
        let position = event.header.position
        switch event.decoded {
        case .dayClosed(let day): change(day.date) { $0.recordPosition = position }
        case .dayRecorded(let day): change(day.date) { $0.recordPosition = position }
        default: return
        }
    }

    private mutating func change(_ date: CivilDate, _ change: (inout Page) -> Void) {
        change(&pages[date, default: Page()])
    }

    // MARK: - Records

    /// The record of a date as of now.
    ///
    /// - Parameter date: The date.
    /// - Returns: The record; nil if the date counts now, or nothing is known of it.
    package func record(of date: CivilDate) -> DayRecorded? {
        guard let day = state.walked.steps[date], state.walked.steps.current?.date != date,
            let page = pages[date]
        else { return nil }
        return DayRecorded(
            date: date, offsetMinutes: day.offsetMinutes, displayed: day.displayed,
            corrected: day.corrected, displayedAtEnd: page.displayedAtEnd,
            corrections: day.corrections, walked: day.pedometerSteps,
            stepsPerCadenceCount: page.stepsPerCadenceCount, eventCount: page.eventCount,
            eventsSHA256: page.hash.bytes)
    }

    /// The records of dates that have counted and were not recorded since, in order of date.
    package var missing: [DayRecorded] {
        pages.filter { _, page in
            guard let end = page.endPosition else { return false }
            return page.recordPosition.map { $0 < end } ?? true
        }.keys.sorted().compactMap { record(of: $0) }
    }
}
