import Events
import Projections
import Testing

@Suite("The audit of a day's steps")
struct StepsAuditTests {
    private func changes(_ tape: Tape) throws -> [StepsChange] {
        var audit = StepsAudit(rules: tape.state.rules)
        let changes = try tape.recorded.compactMap { recorded in
            let payload = try recorded.event.encodedPayload()
            return audit.evolve(recorded.header, payload.span)
        }
        #expect(audit.state == tape.state)
        return changes
    }

    @Test("tells cause, operands, winner, before and after of each change")
    func staircase() throws {
        var tape = Tape()
        try tape.command(.refresh(.start))
        tape.count(1_000)
        tape.count(1_400)
        try tape.command(.healthTotal(5_000))
        tape.count(1_500)
        try tape.command(.healthTotal(4_800))
        let date = try #require(tape.live.steps.current?.date)
        try tape.command(.legacyTotal(5_200, date: date))
        try tape.command(.refresh())
        try tape.command(.correct(date: date, by: -40, reason: "shaken", author: "walker"))
        tape.count(1_510)

        let changes = try changes(tape)
        #expect(
            changes.map(\.cause.name) == [
                "rollover", "start", "pedometer", "observer", "pedometer", "observer", "manual",
                "correction", "pedometer",
            ])
        #expect(changes.map(\.before) == [0, 0, 0, 400, 5_000, 5_100, 5_100, 5_200, 5_200])
        #expect(changes.map(\.after) == [0, 0, 400, 5_000, 5_100, 5_100, 5_200, 5_200, 5_210])
        #expect(
            changes.map(\.corrected) == [0, 0, 400, 5_000, 5_100, 5_100, 5_200, 5_160, 5_170])
        #expect(
            changes.map { $0.reconciliation?.health }
                == [nil, nil, nil, 5_000, nil, 5_000, 5_000, nil, nil])
        #expect(
            changes.map { $0.reconciliation?.persisted }
                == [nil, 0, nil, 400, nil, 5_100, 5_200, nil, nil])
        #expect(
            changes.map { $0.reconciliation?.winner }
                == [
                    nil, .baselinePlusDelta, nil, .health, nil, .baselinePlusDelta, .persisted,
                    nil, nil,
                ])
        #expect(changes.allSatisfy { $0.date == date })
    }

    @Test("tells totals of days that are not the current one, and an import's")
    func otherDays() throws {
        var tape = Tape()
        tape.count(0)
        tape.count(500)
        let yesterday = try #require(tape.live.steps.current?.date)
        tape.wait(15 * 3_600_000)
        tape.count(510)
        try tape.command(.healthTotal(800, date: yesterday))
        try tape.command(.healthTotal(700, date: yesterday))
        tape.append(
            .healthTotalObserved(HealthTotalObserved(date: yesterday, total: 900)), source: 3)
        try tape.command(.legacyTotal(1_000, date: yesterday))
        let changes = try changes(tape).filter { $0.date == yesterday }
        #expect(changes.map(\.cause.name).suffix(3) == ["lateTotal", "lateTotal", "legacy"])
        #expect(changes.map(\.after).suffix(3) == [800, 900, 1_000])
        #expect(changes.suffix(3).allSatisfy { $0.reconciliation == nil })
    }

    @Test("leaves out what changes nothing: first readings, other pedometers, totals only noted")
    func silence() throws {
        var tape = Tape()
        tape.count(100)
        tape.count(7_000, device: watch)
        tape.count(7_100, device: watch)
        tape.count(100)
        let date = try #require(tape.live.steps.current?.date)
        tape.append(.healthTotalObserved(HealthTotalObserved(date: date, total: 9_000)))
        let later = try #require(CivilDate("2026-02-27"))
        tape.append(
            .reconciliationTriggered(ReconciliationTriggered(trigger: .manual, date: later)))
        #expect(try changes(tape).map(\.cause.name) == ["rollover"])
    }

    @Test("is a chain for each day: each change begins where the last one ended", arguments: 0..<40)
    func chain(seed: Int) throws {
        let tape = try RandomWalk.tape(seed: seed, steps: 150)
        var shown: [CivilDate: (displayed: UInt64, corrected: UInt64)] = [:]
        for change in try changes(tape) {
            #expect(change.before == shown[change.date]?.displayed ?? 0, "seed \(seed)")
            #expect(change.after >= change.before, "seed \(seed)")
            if let reconciliation = change.reconciliation {
                #expect(change.after == reconciliation.result, "seed \(seed)")
            }
            shown[change.date] = (change.after, change.corrected)
        }
        for day in tape.state.dayReports() {
            #expect(day.displayed == shown[day.date]?.displayed ?? 0, "seed \(seed)")
            #expect(day.corrected == shown[day.date]?.corrected ?? 0, "seed \(seed)")
        }
    }
}
