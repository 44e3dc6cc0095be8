import EventStore
import Events
import Interchange
import LookingBack
import Projections
import Testing
import Words

/// What leaves of a log in one pass over it.
@Suite("Walks that leave in one pass")
struct WalkExportTests {
    private struct NoSnapshots: SnapshotStore {
        func read(where isWanted: (Snapshot.Head) -> Bool) -> Snapshot? { nil }
        func write(_ snapshot: Snapshot) {}
        func remove() {}
    }

    /// The events of walks of a minute, one each hour.
    private static func events(_ count: Int64, offsetMinutes: Int64? = nil) -> EventBatch {
        var facts = WalkFacts()
        facts.offsetMinutes = offsetMinutes
        for hour in 0..<count {
            let start = 1_772_355_600_000 + hour * 3_600_000
            facts.add(.began, at: start)
            facts.add(.heartRate(100, rrTicks: []), at: start + 1_000)
            facts.add(.ended, at: start + 60_000)
        }
        return facts.events(of: ImportBegan(fileName: "a.csv", format: "csv"))
    }

    private static func reports(_ events: EventBatch) -> [SessionReport] {
        var state = LogState()
        for index in 0..<events.count {
            _ = events.withEvent(at: index, from: 0) { state.evolve($0) }
        }
        return state.sessionReports(at: state.lastMoment)
    }

    @Test(
        "come also if the start of an earlier one does not",
        arguments: [nil, Anonymity.Track.turned])
    func missing(_ anonymity: Anonymity.Track?) async throws {
        let events = Self.events(2, offsetMinutes: 60)
        let log = InMemoryEventLog()
        _ = try await log.append(events, expecting: nil)
        let there = Self.reports(events)
        // With no zone before it, it began one position earlier.
        let elsewhere = Self.reports(Self.events(1))
        try #require(there.count == 2 && elsewhere.count == 1)
        try #require(elsewhere[0].position + 1 == there[0].position)
        var taken: [Position] = []
        #expect(throws: CommandFailure.self) {
            try log.exportWalks(
                elsewhere + there, anonymity: anonymity, from: NoSnapshots(), check: {}
            ) { taken.append($1) }
        }
        #expect(taken == there.map(\.position))
        taken = []
        try log.exportWalks(there, anonymity: anonymity, from: NoSnapshots(), check: {}) {
            taken.append($1)
        }
        #expect(taken == there.map(\.position))
    }
}
