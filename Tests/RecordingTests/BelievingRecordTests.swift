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

    @Test("hold, in which numbers counted that nobody can have walked")
    func believing() async throws {
        for (displayed, holds) in [(536_870_912, true), (536_870_911, false)] as [(UInt64, Bool)] {
            let log = InMemoryEventLog()
            let appender = Appender(log, machine: machine)
            _ = try await appender.record([
                input(counted(100)), input(counted(536_871_012), after: 1_000),
                input(counted(536_871_022), after: Self.day),
            ])
            var ledger = DayLedger(rules: .believing)
            try log.read { event in
                ledger.evolve(event)
                return true
            }
            var record = try #require(ledger.missing.first)
            #expect(record.displayed == 536_870_912)
            record.displayed = displayed
            _ = try await appender.record([input(.dayRecorded(record), after: Self.day + 1)])
            let found = try log.checkDayRecords()
            #expect((found.wrong == nil) == holds)
            #expect(found.formerDates == (holds ? [record.date] : []))
        }
    }
}
