import EventStore
import Events
import LookingBack
import Synchronization
import Testing

@Suite("A log whose reading is watched")
struct WatchedLogTests {
    @Test("hands everything over, and shows a share that rises and goes away")
    func shares() async throws {
        let log = InMemoryEventLog()
        for number in 0..<40 {
            var batch = EventBatch()
            for _ in 0..<100 {
                try batch.append(
                    .noted(Noted(text: "\(number)")),
                    stamp: Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0),
                    flags: [])
            }
            _ = try await log.append(batch, expecting: nil)
        }
        let shown = Mutex<[Int?]>([])
        let watched = WatchedLog(log, fromEvents: 4_000) { percent in
            shown.withLock { $0.append(percent) }
        }
        var positions: [Position] = []
        try watched.read(from: 1_000) { event in
            positions.append(event.header.position)
            return true
        }
        #expect(positions == Array(1_000..<4_000))
        let shares = shown.withLock { $0 }
        #expect(shares.last == .some(nil))
        let percents = shares.dropLast().compactMap(\.self)
        #expect(percents.count > 3 && percents == Array(Set(percents)).sorted())
        #expect(percents.allSatisfy { (0..<100).contains($0) })

        let short = WatchedLog(log, fromEvents: 4_001) { _ in Issue.record("done in a moment") }
        try short.read { _ in true }
    }
}
