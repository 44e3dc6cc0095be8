import Certification
import Events
import TestSelection
import TestSupport
import Testing

@testable import Projections

/// A stranger's log whose events name days or sources from the last to the first.
///
/// What it costs is measured by `Tools/Benchmarks`.
@Suite("Days and sources in descending order")
struct DescendingOrderTests {
    /// What the events name from the last to the first.
    enum Named: String, CaseIterable {
        case days
        case daysThatCount
        case sources
    }

    private static let count = 12_000

    private static func event(_ named: Named, _ index: Int) -> (source: UInt32, event: Event) {
        let date = CivilDate(daysSinceEpoch: 100_000 - 2 * Int64(index)) ?? .epoch
        return switch named {
        case .days: (0, .healthTotalObserved(HealthTotalObserved(date: date, total: 7)))
        case .daysThatCount:
            (0, .reconciliationTriggered(ReconciliationTriggered(trigger: .manual, date: date)))
        case .sources: (UInt32(100_000 - index), .sessionPaused(SessionPaused()))
        }
    }

    private static func header(
        of event: Event, at position: Position, source: UInt32
    ) -> EventHeader {
        let stamp = Stamp(bootMilliseconds: 5, wallMilliseconds: 5, bootNumber: 0)
        return RecordedEvent(event, at: position, stamp, source: source).header
    }

    /// Folds and certifies a log.
    ///
    /// - Returns: The state, and the number of certificates.
    private static func run(_ named: Named) throws -> (state: LogState, certificates: Int) {
        var state = LogState()
        var certifier = StepsCertifier()
        for index in 0..<count {
            let (source, event) = event(named, index)
            let payload = try event.encodedPayload()
            // No clock that is trusted, so that a day that counts gives way.
            let header = Self.header(of: event, at: Position(index), source: source)
            state.evolve(header, payload.span)
            try certifier.take(header, payload.span) { state.own.steps[$0]?.displayed }
        }
        let certificates = try certifier.finish { state.own.steps[$0]?.displayed }
        return (state, certificates.count)
    }

    @Test("are all kept, in ascending order", arguments: sample(Named.allCases, 3))
    func kept(_ named: Named) throws {
        let many = try Self.run(named)
        let days = many.state.own.steps.days.map(\.date)
        let sources = many.state.sources.map(\.provenance.number)
        #expect(days == days.sorted() && sources == sources.sorted())
        #expect(days.count == (named == .sources ? 0 : Self.count))
        #expect(sources.count == (named == .sources ? Self.count + 1 : 1))
        #expect(many.certificates == days.count)
    }

    @Test("stand in chunks, so that one more moves the parts of one chunk only")
    func chunks() throws {
        let chunks = try Self.run(.sources).state.shared.folds.imports.states.chunks
        let limit = OrderedParts<SourceState>.chunkLimit
        #expect(chunks.allSatisfy { $0.count <= limit })
        #expect(chunks.count <= 4 * Self.count / limit)
    }

    @Test("are told apart up to a limit, beyond which only totals of the days count")
    func limit() throws {
        var state = LogState()
        let read = Event.pedometerRead(PedometerRead(reading: .counter(5)))
        let bytes = try read.encodedPayload()
        for source in 1...16_400 as ClosedRange<UInt32> {
            let header = Self.header(of: read, at: Position(source - 1), source: source)
            state.evolve(header, bytes.span)
        }
        #expect(state.sources.count == 1 + 16_384)
        #expect(state.findings.total == 16)
        #expect(state.findings.counts.last == 16)
        #expect(state.findings.kept.first?.code == .tooManyImports)
        #expect(state.findings.kept.first?.position == 16_384)
        let total = Event.healthTotalObserved(HealthTotalObserved(date: .epoch, total: 70))
        let payload = try total.encodedPayload()
        let header = Self.header(of: total, at: 16_400, source: 16_400)
        state.evolve(header, payload.span)
        #expect(state.own.steps.days.map(\.date) == [.epoch])
        #expect(state.findings.total == 16)
        let again = try LogState(canonicalBytes: state.canonicalBytes().span)
        #expect(again == state)
    }

    @Test(
        "fold to the same state, whether it was stored on the way or not",
        arguments: sample(Named.allCases, 1))
    func snapshots(_ named: Named) throws {
        var state = LogState()
        for index in 0..<600 {
            let (source, event) = Self.event(named, index * 7 % 400)
            let payload = try event.encodedPayload()
            let header = Self.header(of: event, at: Position(index), source: source)
            guard index % 5 == 0 else {
                state.evolve(header, payload.span)
                continue
            }
            #expect(try LogState(canonicalBytes: state.canonicalBytes().span) == state)
            var stored = try LogState(snapshotBytes: state.snapshotBytes())
            #expect(stored == state && stored.hashValue == state.hashValue)
            stored.evolve(header, payload.span)
            state.evolve(header, payload.span)
            #expect(stored.canonicalBytes() == state.canonicalBytes())
        }
    }
}
