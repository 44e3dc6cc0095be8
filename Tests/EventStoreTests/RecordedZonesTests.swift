import EventStore
import Events
import Testing

/// Where the walker was, as the log tells it.
@Suite("Recorded zones")
struct RecordedZonesTests {
    /// A log of so many marks, with a change of the zone at some positions.
    private func log(_ count: Int, _ changes: [Int: Int64]) async throws -> InMemoryEventLog {
        var batch = EventBatch()
        for position in 0..<count {
            let event: Event =
                changes[position].map { .zoneOffsetChanged(ZoneOffsetChanged(toMinutes: $0)) }
                ?? .sessionMarked(SessionMarked())
            let stamp = Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0)
            try batch.append(event, stamp: stamp, flags: [])
        }
        let log = InMemoryEventLog()
        _ = try await log.append(batch, expecting: 0)
        return log
    }

    @Test("are the last one before, else the first one after, however far away it is")
    func offsets() async throws {
        let log = try await log(20_000, [100: 60, 101: 120, 4_200: 60, 4_201: -300])
        let zones = try ZoneHistory(log)
        for (position, expected) in [
            (0, 60), (99, 60), (100, 60), (101, 120), (4_199, 120), (4_200, 60), (4_201, -300),
            (8_297, -300), (19_999, -300), (20_000, -300), (.max, -300),
        ] as [(Position, Int64)] {
            #expect(zones.minutes(at: position) == expected, "\(position)")
            #expect(try log.zoneOffsetMinutes(at: position) == expected, "\(position)")
        }
    }

    @Test("are UTC where a log knows none")
    func none() async throws {
        for count in [0, 5] {
            let log = try await log(count, [:])
            #expect(try ZoneHistory(log).minutes(at: 3) == 0)
            #expect(try log.zoneOffsetMinutes(at: 3) == 0)
        }
    }
}
