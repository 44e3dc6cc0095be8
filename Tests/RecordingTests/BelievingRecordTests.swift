import Deciding
import EventStore
import Events
import Projections
import Testing

@Suite("Records of days by the rules of earlier versions")
struct BelievingRecordTests {
    private static let day: UInt64 = 86_400_000

    @Test(
        "hold, in which steps counted that nobody can have walked",
        arguments: [[15, 30, 45], [536_870_912]] as [[UInt64]], [0, 1] as [UInt64])
    func formerly(shown: [UInt64], off: UInt64) async throws {
        let log = InMemoryEventLog()
        let appender = Appender(log, machine: machine)
        // Fifteen steps of each second, or all at once.
        var inputs = [input(counted(100))]
        for (index, count) in shown.enumerated() {
            inputs.append(input(counted(100 + count), after: 1_000 * UInt64(index + 1)))
        }
        inputs.append(input(counted(110 + (shown.last ?? 0)), after: Self.day))
        _ = try await appender.record(inputs)
        var ledger = DayLedger(rules: Rules.formerly[shown.count > 1 ? 1 : 2])
        try log.read { event in
            ledger.evolve(event)
            return true
        }
        var record = try #require(ledger.missing.first)
        #expect(record.displayed == shown.last)
        record.displayed -= off
        _ = try await appender.record([input(.dayRecorded(record), after: Self.day + 1)])
        let found = try log.checkDayRecords()
        #expect((found.wrong == nil) == (off == 0))
        #expect(found.formerDates == (off == 0 ? [record.date] : []))
    }
}
