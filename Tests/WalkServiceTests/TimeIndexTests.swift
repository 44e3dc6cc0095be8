import Clocks
import EventStore
import Events
import TestSupport
import Testing

@testable import WalkService

@Suite("When events came")
struct TimeIndexTests {
    private func past(_ times: [Int64]) async throws -> LogHistory {
        var batch = EventBatch()
        for time in times {
            try batch.append(
                .noted(Noted(text: "", author: "")), source: 1,
                stamp: Stamp(bootMilliseconds: 0, wallMilliseconds: time, bootNumber: 0), flags: [])
        }
        let log = InMemoryEventLog()
        _ = try await log.append(batch, expecting: 0)
        return LogHistory(log, nil)
    }

    @Test("is found in logs whose imports are older than what stands before them")
    func order() async throws {
        let past = try await past([90_000, 10_000, 10_500, 20_000, 200_000, 15_000, 200_000])
        for (time, position) in [
            (Int64.min, 1), (10_000, 1), (10_001, 2), (10_501, 5), (15_001, 3), (20_001, 0),
            (90_000, 0), (90_001, 4), (200_000, 4), (200_001, 6), (.max, 6),
        ] as [(Int64, Position)] {
            #expect(try past.firstPosition(notBefore: time) == position, "\(time)")
        }
        for (time, position) in [
            (Int64.min, nil), (10_000, nil), (10_001, 1), (10_501, 2), (15_001, 5), (20_001, 3),
            (90_001, 0), (200_000, 0), (.max, 6),
        ] as [(Int64, Position?)] {
            #expect(try past.lastPosition(before: time) == position, "\(time)")
        }
        let imported = try await self.past([90_000, 10_000])
        #expect(try imported.firstPosition(notBefore: 90_001) == 0, "not the import's event")
        let index = try past.timeIndex()
        #expect(index.span == 10_000...200_000 && index.next == 7)
        #expect(index.counts(in: 3) == [4, 1, 2])
    }

    @Test("leaves out what came before a clock was set, and nothing is found in an empty log")
    func unset() async throws {
        var index = TimeIndex()
        let set = Arrival.earliestTrustedMilliseconds
        for (position, time) in [set - 1, set].enumerated() {
            index.count(
                EventHeader(.noted, Stamp(boot: 0, wall: time), at: Position(position)))
        }
        #expect(index.span == set...set && index.runs.map(\.positions) == [1..<2])
        let empty = try await past([])
        #expect(try empty.firstPosition(notBefore: 0) == 0 && empty.timeIndex().span == nil)
    }

    @Test("is in few runs, however long the log, and no event is lost")
    func years() async throws {
        let times = (0..<60_000).map { Int64($0) * 1_000 }
        let past = try await past(times)
        let index = try past.timeIndex()
        #expect(index.runs.count == 235)
        #expect(index.counts(in: 96) == Array(repeating: 625, count: 96))
        for position in [1, 255, 256, 257, 59_999] as [Position] {
            let time = Int64(position) * 1_000
            #expect(try past.firstPosition(notBefore: time - 1) == position)
        }
        let far = try await self.past((0..<60_000).map { $0 * 7_919_000 % 300_000_000_000 })
        #expect(try far.timeIndex().counts(in: 96).reduce(0, +) == 60_000)
    }
}
