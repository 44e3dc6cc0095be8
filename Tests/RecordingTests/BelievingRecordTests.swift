import Deciding
import EventStore
import Events
import Projections
import Recording
import TestSupport
import Testing

@Suite("Records of days by the rule of version 8")
struct BelievingRecordTests {
    private static let day: UInt64 = 86_400_000

    private func read(_ count: UInt64, at milliseconds: UInt64) -> Input {
        let device = DeviceID(address: 2, space: .kernel)
        return Input(
            .record(.pedometerRead(PedometerRead(device: device, reading: .counter(count)))),
            at: arrival(after: milliseconds))
    }

    @Test("hold, in which numbers counted that nobody can have walked")
    func believing() async throws {
        for (displayed, holds) in [(536_870_912, true), (536_870_911, false)] as [(UInt64, Bool)] {
            let log = InMemoryEventLog()
            let appender = Appender(log, machine: machine)
            _ = try await appender.record([read(100, at: 0), read(536_871_012, at: 1_000)])
            _ = try await appender.record([read(536_871_022, at: Self.day)])
            var ledger = DayLedger(rules: .believing)
            try log.read { event in
                ledger.evolve(event)
                return true
            }
            var record = try #require(ledger.missing.first)
            #expect(record.displayed == 536_870_912)
            record.displayed = displayed
            _ = try await appender.record([
                Input(.record(.dayRecorded(record)), at: arrival(after: Self.day + 1))
            ])
            let found = try log.checkDayRecords()
            #expect((found.wrong == nil) == holds)
            #expect(found.formerDates == (holds ? [record.date] : []))
        }
    }
}
