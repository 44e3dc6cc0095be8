import Events
import TestSupport
import Testing

@testable import Projections

/// A stranger's log of nothing but what a state keeps for good.
@Suite("Memory of a hostile log")
struct HostileMemoryTests {
    enum Named: String, CaseIterable {
        case sessions
        case dates
        case daysThatCount
        case imports
    }

    private static func events(_ named: Named, _ index: Int) -> (source: UInt32, [Event]) {
        let date = CivilDate(daysSinceEpoch: Int64(index) * 7_919 % 30_011) ?? .epoch
        let session = [
            Event.sessionStarted(SessionStarted()), .sessionEnded(SessionEnded(reason: .requested)),
        ]
        switch named {
        case .sessions: return (0, session)
        case .dates:
            return (0, [.healthTotalObserved(HealthTotalObserved(date: date, total: 7))])
        case .daysThatCount:
            let trigger = ReconciliationTriggered(trigger: .clockTrusted, date: date)
            return (0, [.reconciliationTriggered(trigger)])
        case .imports: return (UInt32(1 + index), [.sessionPaused(SessionPaused())])
        }
    }

    @Test("is at most eight bytes for each of its own", arguments: Named.allCases)
    func bound(_ named: Named) throws {
        var (state, batch) = (LogState(), EventBatch())
        for index in 0..<8_000 {
            let (source, events) = Self.events(named, index)
            for event in events {
                let milliseconds = UInt64(batch.count)
                let stamp = Stamp(boot: milliseconds, wall: Int64(milliseconds))
                try batch.append(event, source: source, stamp: stamp, flags: [])
            }
        }
        var builder = BlockBuilder()
        var (logBytes, index) = (0, 0)
        while index < batch.count {
            index = builder.append(batch, from: index)
            try builder.withBytes { block throws(DamagedBlock) in
                logBytes += block.count
                try state.evolve(block: block)
            }
            builder.startNextBlock()
        }
        let bytes = state.snapshotBytes()
        #expect(bytes.count <= 8 * logBytes, "\(bytes.count) of \(logBytes)")
        #expect(try LogState(snapshotBytes: bytes) == state)
    }
}
