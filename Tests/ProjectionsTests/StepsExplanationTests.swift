import Events
import HistoryModel
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("The explanation of a displayed number")
struct StepsExplanationTests {
    private func today(_ tape: Tape) throws -> CivilDate {
        try #require(tape.own.steps.current?.date)
    }

    @Test("names the reconciliation, where its operands came from, and both raw readings")
    func arithmetic() throws {
        var tape = Tape(counting: 1_000, 1_200, 1_400)
        let read = try #require(tape.state.head)
        try tape.command(.healthTotal(5_000))
        let settled = try #require(tape.state.head)
        tape.count(each: 1_450, 1_500)
        let explanation = try tape.explanation(of: today(tape))
        #expect(explanation.displayed == 5_100)
        let baseline = explanation.baseline
        #expect(baseline.position == settled)
        #expect(baseline.value == 5_000)
        #expect(baseline.healthPosition == settled - 1)
        #expect(baseline.earlierBaseline == 0)
        #expect(baseline.earlierDelta == 400)
        #expect(baseline.persistedPosition == read)
        #expect(!baseline.isPersistedLegacy)
        let stretch = try #require(explanation.stretches.first)
        #expect(explanation.stretches.count == 1)
        #expect(stretch.rule == .difference)
        #expect(stretch.firstPosition == read)
        #expect(stretch.lastPosition == settled + 2)
        #expect([stretch.first, stretch.last, stretch.readings] == [1_400, 1_500, 2])
    }

    @Test("shows a wrap and a restart with the rule that applied")
    func wrapAndRestart() throws {
        var tape = Tape()
        for value: [UInt8] in [
            [0xF6, 0xFF, 0xFF, 0xFF], [0xFB, 0xFF, 0xFF, 0xFF], [5, 0, 0, 0], [9, 0, 0, 0],
            [1, 0, 0, 0], [4, 0, 0, 0],
        ] {
            tape.wait(1_000)
            tape.pedometerValue(.infiniTimeStepCount, value, device: watch)
        }
        let stretches = try tape.explanation(of: today(tape)).stretches
        #expect(stretches.map(\.rule) == [.difference, .wrap, .restart])
        #expect(stretches.map(\.steps) == [5, 14, 4])
        #expect(stretches.map(\.first) == [0xFFFF_FFF6, 0xFFFF_FFFB, 9])
        #expect(stretches.map(\.last) == [0xFFFF_FFFB, 9, 4])
        #expect(tape.today == 23)
    }

    @Test("shows a foot pod's integral with what was carried")
    func cadence() throws {
        var tape = Tape()
        for _ in 0..<4 {
            tape.pedometerValue(.runningSpeedCadenceMeasurement, [0, 0, 1, 55])
            tape.wait(1_000)
        }
        let explanation = try tape.explanation(of: today(tape))
        let stretch = try #require(explanation.stretches.first)
        #expect(stretch.rule == .cadence)
        #expect(stretch.cadenceMilliseconds == 3 * 55 * 1_000)
        #expect(stretch.carried == 0)
        #expect(explanation.displayed == 2)
        try tape.command(.refresh())
        tape.pedometerValue(.runningSpeedCadenceMeasurement, [0, 0, 1, 55])
        let after = try #require(try tape.explanation(of: today(tape)).stretches.first)
        #expect(after.carried == 3 * 55_000 - 120_000)
        #expect(after.steps == 1)
    }

    @Test("tells what was not counted, and which event made it so")
    func uncounted() throws {
        var tape = Tape(counting: 100, 200)
        tape.count(50, device: watch)
        tape.count(230, after: 15 * 3_600_000)
        let rollover = try #require(tape.recorded.last { $0.event.kind != .pedometerRead })
        let date = try today(tape)
        #expect(
            try tape.explanation(of: date).uncounted.map(\.reason) == [.newDay])
        #expect(
            try tape.explanation(of: date).uncounted.map(\.causePosition) == [
                rollover.header.position
            ])
        tape.count(60, device: watch)
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: ""))
        try tape.command(.healthTotal(900, trigger: .start))
        let start = try #require(tape.state.head)
        tape.count(300)
        tape.append(.pedometerChosen(PedometerChosen(device: watch)))
        tape.count(75, device: watch)
        let explanation = try tape.explanation(of: date)
        #expect(explanation.uncounted.map(\.reason) == [.newDay, .coveredByTotal, .newlyChosen])
        #expect(explanation.uncounted.map(\.steps) == [30, 70, 15])
        #expect(
            explanation.uncounted.map(\.causePosition)
                == [rollover.header.position, start, start + 2])
        #expect(explanation.otherPedometers.map(\.device) == [watch])
        #expect(explanation.otherPedometers.map(\.readings) == [1])
        #expect(explanation.displayed == 900)
    }

    @Test("names what opened its own day, though nothing was read on the day before")
    func quietDay() throws {
        var tape = Tape(counting: 100, 200)
        for _ in 0..<2 {
            tape.wait(24 * 3_600_000)
            try tape.command(.refresh(.manual))
        }
        tape.count(230)
        let explanation = try tape.explanation(of: today(tape))
        let opened = try #require(explanation.openedPosition)
        #expect(explanation.uncounted.map(\.causePosition) == [opened])
    }

    @Test("begins the day with a reading, if those before it came while no date was known")
    func undated() throws {
        var tape = Tape()
        (tape.wallMilliseconds, tape.flags) = (1_000, [])
        tape.append(.counted(pedometer, 100))
        tape.wait(60_000)
        (tape.wallMilliseconds, tape.flags) = (Tape.start, [.wallTrusted])
        tape.append(.counted(pedometer, 150))
        tape.count(170)
        let explanation = try tape.explanation(of: today(tape))
        #expect(explanation.displayed == tape.today)
        // The reading before came on the day too, by the boot clock.
        #expect(explanation.stretches.map(\.steps) == [70])
        #expect(explanation.displayed == 70)
    }

    @Test("takes off a reading what a total had brought already")
    func covered() throws {
        var tape = Tape(counting: 0, 100)
        tape.wait(600_000)
        try tape.command(.healthTotal(300))
        let total = try #require(tape.state.head)
        tape.count(each: 600, 610)
        let explanation = try tape.explanation(of: today(tape))
        #expect(explanation.displayed == 610)
        #expect(explanation.stretches.map(\.steps) == [310])
        #expect(explanation.stretches.map(\.covered) == [200])
        #expect(explanation.uncounted.map(\.steps) == [200])
        #expect(explanation.uncounted.map(\.reason) == [.coveredByTotal])
        #expect(explanation.uncounted.map(\.causePosition) == [total])
    }

    @Test("holds corrections, late totals and a day that nothing has opened")
    func otherDays() throws {
        var tape = Tape(counting: 0, 500)
        let date = try today(tape)
        try tape.command(.correct(date: date, by: -600, reason: "shaken", author: "walker"))
        tape.count(510, after: 15 * 3_600_000)
        try tape.command(.healthTotal(800, date: date))
        let explanation = try tape.explanation(of: date)
        #expect(explanation.displayed == 800)
        #expect(explanation.corrected == 200)
        #expect(explanation.lateTotal?.position == tape.state.head)
        #expect(explanation.corrections.map(\.reason) == ["shaken"])
        let unknown = try #require(CivilDate("2026-04-01"))
        #expect(try tape.explanation(of: unknown).displayed == 0)
        #expect(try tape.explanation(of: unknown).openedPosition == nil)
    }

    @Test("stays small where a counter begins anew without end, and loses no step")
    func bounded() throws {
        var tape = Tape()
        for index in 0..<2_000 { tape.count(UInt64(1 + index % 2 * 10)) }
        let explanation = try tape.explanation(of: today(tape))
        #expect(explanation.stretches.count == StepsExplanation.keptLimit)
        #expect(explanation.earlierStretches > 0)
        #expect(explanation.displayed == tape.today)
    }

    @Test(
        "adds up to what is displayed, at every position of random histories",
        arguments: sample(0..<60, 4))
    func sums(seed: UInt64) throws {
        let rules = Rules(\.carryOverlap, seed % 3 == 0)
        var history = History(seed: seed)
        history.rules = rules
        let (player, tape) = (
            try Player(playing: history),
            try RandomWalk.tape(seed: Int(seed), steps: 200, rules: rules)
        )
        let (state, log) =
            seed.isMultiple(of: 2) ? (tape.state, tape.recorded) : (player.state, player.log)
        for date in state.dayReports().map(\.date) {
            var explanation = StepsExplanation(of: date, rules: rules)
            for recorded in log {
                try recorded.withView { explanation.evolve($0) }
                let day = explanation.state.own.steps[date]
                let place = "seed \(seed), \(date), position \(recorded.header.position)"
                try #require(explanation.displayed == day?.displayed ?? 0, "\(place)")
                try #require(explanation.corrected == day?.corrected ?? 0, "\(place)")
                guard let day, day.date == explanation.state.own.steps.current?.date else {
                    continue
                }
                try #require(explanation.baseline.value == day.baseline, "\(place)")
                try #require(explanation.delta == day.delta, "\(place)")
            }
        }
    }
}
