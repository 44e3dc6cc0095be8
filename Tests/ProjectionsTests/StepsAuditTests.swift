import Events
import Projections
import Testing

@Suite("The audit of a day's steps")
struct StepsAuditTests {
    private func changes(_ tape: Tape) throws -> [StepsChange] {
        var audit = StepsAudit(rules: tape.state.rules)
        let changes = try tape.recorded.compactMap { try $0.withView { audit.evolve($0) } }
        #expect(audit.state == tape.state)
        return changes
    }

    @Test("tells cause, operands, winner, before and after of each change")
    func staircase() throws {
        var tape = Tape()
        try tape.command(.refresh(.start))
        tape.count(each: 1_000, 1_400)
        try tape.command(.healthTotal(5_000))
        tape.count(1_500)
        try tape.command(.healthTotal(4_800))
        let date = try #require(tape.own.steps.current?.date)
        try tape.command(.legacyTotal(5_200, date: date, reason: "new phone", author: "Ann"))
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

    /// Ten steps heard, then totals while nobody hears the pedometer, then a reading of it.
    private func unheard(totals: [UInt64], reading: UInt64, rules: Rules = Rules()) throws -> Tape {
        var tape = Tape(rules: rules)
        tape.count(each: 0, 10)
        for total in totals {
            tape.wait(60_000)
            try tape.command(.healthTotal(total))
        }
        tape.count(reading)
        tape.count(reading + 5, after: 1_000)
        return tape
    }

    @Test("T2: names the reading of which a total covers steps, also where none is left")
    func covered() throws {
        let tape = try unheard(totals: [50], reading: 30)
        let last = Array(try changes(tape).suffix(2))
        #expect(last.map(\.cause.name) == ["pedometer", "pedometer"])
        #expect(last.map(\.after) == [50, 55])
        let covered = try #require(last[0].covered)
        #expect(covered.steps == 20)
        #expect(covered.totals.count == 1)
        var total: Position?
        for recorded in tape.recorded where recorded.header.kind == .reconciliationTriggered {
            total = recorded.header.position
        }
        #expect(covered.totals.lastPosition == total)
        #expect(last[1].covered == nil)
        #expect(tape.own.steps.current?.coveredSteps == 20)
    }

    @Test("T2: counts the totals that cover steps")
    func coveredByTwo() throws {
        let tape = try unheard(totals: [50, 80], reading: 90)
        let all = try changes(tape)
        let change = all[all.count - 2]
        // 80 steps came unheard, 70 of them the totals had.
        #expect(change.covered?.steps == 70)
        #expect(change.covered?.totals.count == 2)
        #expect(change.after == 90)
        let explanation = try tape.explanation(of: change.date)
        #expect(explanation.uncounted.last?.totals == 2)
        #expect(explanation.uncounted.last?.causePosition == change.covered?.totals.lastPosition)
        #expect(explanation.stretches.first?.coveringTotals == 2)
        #expect(explanation.displayed == tape.today)
    }

    @Test("T2: without the rule coverUnheard no total covers anything")
    func uncovered() throws {
        let tape = try unheard(
            totals: [50, 80], reading: 90, rules: Rules(\.coverUnheard, false))
        #expect(tape.today == 80 + 80 + 5)
        #expect(tape.own.steps.current?.coveredSteps == 0)
        var told: [StepsChange] = []
        let changes = try changes(tape)
        for change in changes { told.add(change) }
        #expect(told.last?.begin == changes.dropLast().last?.stamp.wallMilliseconds)
        #expect(changes.allSatisfy { $0.covered == nil })
    }

    @Test("tells totals of days that are not the current one, and an import's")
    func otherDays() throws {
        var tape = Tape(counting: 0, 500)
        let yesterday = try #require(tape.own.steps.current?.date)
        tape.count(510, after: 15 * 3_600_000)
        try tape.command(.healthTotal(800, date: yesterday))
        try tape.command(.healthTotal(700, date: yesterday))
        tape.append(
            .healthTotalObserved(HealthTotalObserved(date: yesterday, total: 900)), source: 3)
        try tape.command(.legacyTotal(1_000, date: yesterday, reason: "old", author: "Ann"))
        let changes = try changes(tape).filter { $0.date == yesterday }
        #expect(changes.map(\.cause.name).suffix(3) == ["lateTotal", "lateTotal", "legacy"])
        #expect(changes.map(\.after).suffix(3) == [800, 900, 1_000])
        #expect(changes.suffix(3).allSatisfy { $0.reconciliation == nil })
        #expect(changes.last?.reporter?.name == "old")
    }

    @Test("leaves out what changes nothing: first readings, other pedometers, totals only noted")
    func silence() throws {
        var tape = Tape(counting: 100)
        tape.count(7_000, device: watch)
        tape.count(7_100, device: watch)
        tape.count(100)
        let date = try #require(tape.own.steps.current?.date)
        tape.append(.healthTotalObserved(HealthTotalObserved(date: date, total: 9_000)))
        let later = try #require(CivilDate("2026-02-27"))
        tape.append(
            .reconciliationTriggered(ReconciliationTriggered(trigger: .manual, date: later)))
        #expect(try changes(tape).map(\.cause.name) == ["rollover"])
    }
}
