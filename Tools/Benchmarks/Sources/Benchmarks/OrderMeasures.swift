import Events
import Projections

/// What a stranger's log costs whose events name days or sources from the last to the first,
/// against the same from the first to the last.
extension Measures {
    /// What the events name: each a day or a source that no other names.
    private enum Named: String, CaseIterable {
        case days
        case countedDays = "days that count"
        case sources
    }

    /// Sources are told apart up to 16,384 of them.
    private static let named = 12_000

    func measureOrder() throws -> [Measure] {
        try Named.allCases.map { named in
            let ascending = Self.log(named)
            let descending = zip(ascending, ascending.reversed()).map { at, event in
                var event = event
                event.header.position = at.header.position
                return event
            }
            var pair = Pair()
            for round in 0...options.rounds {
                progress("folding \(named.rawValue) in both orders, round \(round)")
                try pair.time(.processor, round: round) {
                    try Self.fold(descending)
                } reference: {
                    try Self.fold(ascending)
                }
            }
            return Measure(
                name: "\(named)Descending", title: "\(named.rawValue), last first",
                unit: .microseconds, swift: pair.swift.median, reference: pair.reference.median,
                ratio: pair.timeRatio, must: .atMost(2), rival: "ascending")
        }
    }

    private static func log(_ named: Named) -> [RecordedEvent] {
        (0..<Self.named).map { index in
            let date = CivilDate(daysSinceEpoch: Int64(2 * index)) ?? .epoch
            let event: Event =
                switch named {
                case .days: .healthTotalObserved(HealthTotalObserved(date: date, total: 7))
                case .countedDays:
                    .reconciliationTriggered(ReconciliationTriggered(trigger: .manual, date: date))
                case .sources: .sessionPaused(SessionPaused())
                }
            // No clock that is trusted, so that a day that counts gives way.
            let header = EventHeader(
                position: Position(index), source: named == .sources ? UInt32(1 + index) : 0,
                stamp: Stamp(bootMilliseconds: 5, wallMilliseconds: 5, bootNumber: 0), flags: [],
                kind: event.kind, version: 1)
            return RecordedEvent(header: header, event: event)
        }
    }

    private static func fold(_ log: [RecordedEvent]) throws {
        var state = LogState()
        for event in log { try state.evolve(event) }
        precondition(
            state.own.steps.days.count + state.sources.count == 1 + named, "All are kept.")
    }
}
