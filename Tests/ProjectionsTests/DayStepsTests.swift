import Events
import Projections
import TestSupport
import Testing

@Suite("Steps of the day")
struct DayStepsTests {
    private let midnight: UInt64 = 15 * 3_600_000

    @Test("T2: the delta is reset after every reconcile, also when nothing exceeds it")
    func reconcile() throws {
        var tape = Tape(counting: 0, 100)
        try tape.command(.healthTotal(40))
        let day = try #require(tape.own.steps.current)
        #expect(day.baseline == 100)
        #expect(day.delta == 0)
        let last = try #require(day.lastReconciliation)
        #expect(last.health == 40)
        #expect(last.baselinePlusDelta == 100)
        #expect(last.persisted == 100)
        #expect(last.winner == .baselinePlusDelta)
        try tape.command(.refresh())
        #expect(tape.today == 100)
        try tape.command(.healthTotal(300))
        #expect(tape.own.steps.current?.lastReconciliation?.winner == .health)
        #expect(tape.today == 300)
    }

    @Test("T3: the five triggers are events with the inputs they saw")
    func triggers() throws {
        var tape = Tape()
        tape.append(
            .healthTotalObserved(
                HealthTotalObserved(date: try #require(CivilDate("2026-03-01")), total: 700)))
        for trigger in [Trigger.start, .foreground, .manual, .observer] {
            let events = try tape.command(.refresh(trigger))
            guard case .reconciliationTriggered(let event)? = events.last else {
                throw ProgramError("no reconciliation")
            }
            #expect(event.trigger.known == trigger)
            #expect(event.healthTotal == 700)
            #expect(event.date.description == "2026-03-01")
        }
        tape.wait(midnight)
        #expect(try tape.command(.rollOver).count == 1)
        #expect(try tape.command(.rollOver).isEmpty)
    }

    @Test("T4: a total that was only observed changes nothing until a reconcile")
    func observedOnly() throws {
        var tape = Tape(counting: 10)
        let date = try #require(tape.own.steps.current?.date)
        tape.append(.healthTotalObserved(HealthTotalObserved(date: date, total: 9_000)))
        #expect(tape.today == 0)
        try tape.command(.refresh())
        #expect(tape.today == 9_000)
    }

    @Test("T5: midnight drops yesterday's value, also by the view alone")
    func rollover() throws {
        var tape = Tape(counting: 100, 5_000)
        #expect(tape.today == 4_900)
        tape.wait(midnight)
        #expect(tape.today == 0)
        try tape.command(.refresh())
        #expect(tape.today == 0)
        #expect(tape.state.dayReports().map(\.displayed) == [4_900, 0])
        // What came in a night's silence is set aside.
        tape.count(each: 5_003, 5_010)
        #expect(tape.today == 7)
    }

    @Test("T5: the rollover stands before the first steps event of the new date")
    func rolloverFirst() throws {
        var tape = Tape(counting: 100)
        tape.wait(midnight)
        let events = try tape.command(.record(.counted(pedometer, 120)))
        #expect(events.map(\.kind) == [.reconciliationTriggered, .pedometerRead])
        #expect(tape.own.steps.current?.date.description == "2026-03-02")
    }

    @Test("T5: a watch that sets itself to zero at midnight loses nothing")
    func watchAtMidnight() throws {
        var tape = Tape(counting: 9_000)
        tape.count(500, after: midnight)
        #expect(tape.today == 500)
    }

    @Test("T5: a zone change to the west does not reopen yesterday, one to the east opens today")
    func zones() throws {
        var tape = Tape(counting: 0)
        tape.count(10, after: midnight + 1_000)
        try tape.command(.setZone(offsetMinutes: -300, name: "west"))
        tape.count(30)
        #expect(tape.own.steps.current?.date.description == "2026-03-02")
        #expect(tape.today == 20)
        try tape.command(.setZone(offsetMinutes: 840, name: "east"))
        tape.count(40, after: 12 * 3_600_000)
        #expect(tape.own.steps.current?.date.description == "2026-03-03")
    }

    /// A pedometer that was silent from some seconds before midnight to some after it.
    struct Silence: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seconds: (before: UInt64, after: UInt64)
        let gained: UInt64
        var isInWalk = false
        /// What counts for the new day; the rest is set aside.
        let counted: UInt64
    }

    static let silences = [
        Silence(
            testDescription: "a watch away in a walk", seconds: (40, 25), gained: 72,
            isInWalk: true, counted: 72),
        Silence(
            testDescription: "in a walk, more than legs make since midnight", seconds: (40, 5),
            gained: 72, isInWalk: true, counted: 35),
        Silence(
            testDescription: "an hour in a walk", seconds: (3_000, 600), gained: 4_000,
            isInWalk: true, counted: 3_010),
        Silence(
            testDescription: "just less than ten minutes", seconds: (589, 10), gained: 72,
            counted: 60),
        Silence(testDescription: "ten minutes", seconds: (590, 10), gained: 72, counted: 0),
        Silence(testDescription: "a night", seconds: (7_200, 25_200), gained: 700, counted: 0),
        Silence(testDescription: "nothing gained", seconds: (7_200, 25_200), gained: 0, counted: 0),
    ]

    @Test(
        "T5: a silence over midnight gives its day what legs can; the rest is set aside by name",
        arguments: silences)
    func overMidnight(_ silence: Silence) throws {
        var tape = Tape(counting: 0)
        if silence.isInWalk { try tape.command(.start()) }
        let left = midnight - UInt64(tape.wallMilliseconds - Tape.start)
        tape.count(500, after: left - silence.seconds.before * 1_000)
        let from = tape.wallMilliseconds
        tape.count(
            500 + silence.gained, after: (silence.seconds.before + silence.seconds.after) * 1_000)
        let rest = silence.gained - silence.counted
        let day = try #require(tape.own.steps.current)
        #expect(tape.state.dayReports().map(\.pedometerSteps) == [500, silence.counted])
        #expect(day.setAside.map(\.kind) == (rest > 0 ? [.overMidnight] : []))
        #expect(day.setAside.map(\.steps) == (rest > 0 ? [rest] : []))
        if let aside = day.setAside.first {
            #expect(aside.fromMilliseconds == from)
            #expect(aside.toMilliseconds == tape.wallMilliseconds)
            try tape.command(.takeIn(aside.position, reason: "walked", author: "walker"))
            #expect(tape.own.steps.current?.corrected == silence.gained)
        }
        if silence.isInWalk { #expect(tape.session.steps == 500 + silence.gained) }
        let explanation = try tape.explanation(of: day.date)
        #expect(explanation.displayed == silence.counted)
        let rules = Rules(\.countNothingOverMidnight, true)
        let before = LogState(folding: tape.recorded, rules: rules)
        #expect(before.dayReports().map(\.pedometerSteps) == [500, 0])
    }

    @Test("T5: a first reading that is set aside takes no step from the next one")
    func asideFirst() throws {
        var tape = Tape(counting: 0)
        tape.count(each: 0)
        tape.count(453_581, after: 3 * 24 * 3_600_000)
        tape.count(453_594, after: 10_000)
        #expect(tape.today == 13)
    }

    @Test("T5, T2: a total of the day before covers what it may hold of a silence over midnight")
    func coveredBefore() throws {
        var tape = Tape(counting: 0)
        try tape.command(.start())
        tape.count(500, after: midnight - 600_000)
        tape.wait(300_000)
        try tape.command(.healthTotal(800))
        tape.count(1_000, after: 400_000)
        #expect(tape.state.dayReports().map(\.displayed) == [800, 200])
    }

    static let shifts: [(before: Int64, after: Int64, hours: UInt64)] = [
        (60, 120, 23), (120, 60, 25), (60, 60, 24),
    ]

    @Test("T5: a day of 23, 24 or 25 hours ends at its local midnight", arguments: shifts)
    func daylightSaving(shift: (before: Int64, after: Int64, hours: UInt64)) throws {
        var tape = Tape()
        try tape.command(.setZone(offsetMinutes: shift.before, name: "zone"))
        // To local midnight: from here on it is 2026-03-02.
        tape.count(0, after: UInt64(15 * 60 - shift.before) * 60_000)
        tape.wait(2 * 3_600_000)
        try tape.command(.setZone(offsetMinutes: shift.after, name: "zone"))
        tape.count(100, after: (shift.hours - 2) * 3_600_000 - 1)
        #expect(tape.today == 100)
        tape.wait(1)
        #expect(tape.today == 0)
        tape.count(101)
        #expect(tape.state.dayReports().map(\.date.description) == ["2026-03-02", "2026-03-03"])
    }

    @Test("T4, T5: a wall clock that was never set moves no date")
    func untrustedClock() throws {
        var tape = Tape(counting: 0, 50)
        tape.flags = []
        tape.wallMilliseconds = 3_000
        tape.count(70)
        // The boot clock puts it right: midnight comes all the same.
        tape.count(71, after: midnight)
        #expect(tape.own.steps.current?.date.description == "2026-03-02")
        tape.reboot(10)
        tape.count(90)
        #expect(tape.own.steps.current?.date.description == "2026-03-02")
        // Of another boot it tells nothing.
        tape.wait(3 * 86_400_000)
        #expect(tape.own.localDate(at: tape.moment)?.description == "2026-03-02")
    }

    @Test("T6: a legacy value counts on its own date only")
    func legacy() throws {
        var tape = Tape(counting: 0)
        let date = try #require(tape.own.steps.current?.date)
        let command = Command.legacyTotal(4_000, date: date, reason: "old", author: "Ann")
        try tape.command(command)
        #expect(tape.today == 4_000)
        #expect(tape.own.steps.current?.lastReconciliation?.winner == .persisted)
        let before = tape.state
        #expect(try tape.command(command).isEmpty)
        #expect(tape.state == before)
        tape.wait(midnight)
        try tape.command(.refresh())
        #expect(tape.today == 0)
    }

    @Test("B10: a foot pod's steps are the integral of its cadence, exactly")
    func footPod() throws {
        var tape = Tape()
        try tape.command(.setProfile(Profile(stepsPerCadenceCount: 2)))
        for _ in 0..<61 {
            tape.pedometerValue(.runningSpeedCadenceMeasurement, [0, 0, 1, 55])
            // No cadence, which changes nothing.
            tape.pedometerValue(.runningSpeedCadenceMeasurement, [0, 0, 1, 255])
            tape.wait(1_000)
        }
        #expect(tape.today == 110)
        // A gap counts for 5 s at most: 2 x 55 / 60 x 5 s, with the remainder carried.
        tape.wait(600_000)
        tape.pedometerValue(.runningSpeedCadenceMeasurement, [0, 0, 1, 0])
        #expect(tape.today == 119)
    }

    @Test("T1: only the chosen pedometer counts, the others are kept and never added")
    func chosen() throws {
        var tape = Tape(counting: 0)
        tape.count(7_000, device: watch)
        tape.count(10)
        tape.count(7_050, device: watch)
        #expect(tape.today == 10)
        try tape.command(.pair(watch, name: nil, roles: .watch))
        tape.count(20)
        tape.count(7_060, device: watch, after: 1_000)
        tape.count(7_065, device: watch, after: 1_000)
        #expect(tape.today == 15)
        tape.append(.pedometerChosen(PedometerChosen(device: nil)))
        tape.count(7_100, device: watch)
        #expect(tape.today == 15)
    }

    @Test("T8: a correction changes the second figure only")
    func correction() throws {
        var tape = Tape(counting: 0, 6_000)
        let date = try #require(tape.own.steps.current?.date)
        try tape.command(.correct(date: date, by: -5_000, reason: "shaken", author: "walker"))
        let day = try #require(tape.own.steps.current)
        #expect(day.displayed == 6_000)
        #expect(day.corrected == 1_000)
        try tape.command(.correct(date: date, by: -5_000, reason: "shaken", author: "walker"))
        #expect(tape.own.steps.current?.corrected == 0)
    }

    @Test("T9: the overlap rule adds what was walked after the total's end")
    func carryOverlap() throws {
        for (carries, expected) in [(false, 1_000), (true, 1_030)] as [(Bool, UInt64)] {
            var tape = Tape(rules: Rules(\.carryOverlap, carries))
            tape.count(0)
            tape.count(100, after: 1_000)
            let until = tape.wallMilliseconds
            tape.count(130, after: 1_000)
            try tape.command(.healthTotal(1_000, validUntilMilliseconds: until))
            #expect(tape.today == expected)
        }
    }

    @Test("a start's total covers what was counted while nobody listened")
    func noDoubleCountOverGap() throws {
        var tape = Tape(counting: 100, 200)
        tape.wait(3_600_000)
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 60, zoneName: ""))
        try tape.command(.healthTotal(900, trigger: .start))
        tape.count(1_000)
        #expect(tape.today == 900)
        // Without a total the counter itself tells.
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 60, zoneName: ""))
        try tape.command(.refresh(.start))
        tape.count(1_050)
        #expect(tape.today == 950)
    }

    /// A reading of 100, then nothing heard while the walker goes on, then a total, then 600.
    static let unheard:
        [(name: String, total: UInt64, age: Int64?, silence: UInt64, shown: UInt64)] = [
            ("all that was unheard is in the total", 900, nil, 600_000, 900),
            ("the reading tells more than the total", 300, nil, 600_000, 600),
            ("the total ended before the last reading", 300, 700_000, 600_000, 800),
            ("the total ended after the last reading", 300, 500_000, 600_000, 600),
            ("the pedometer was just read", 300, nil, 5_000, 800),
            ("the total is lower", 90, nil, 600_000, 600),
        ]

    @Test(
        "T2: what a total brought does not count again when the pedometer tells it",
        arguments: unheard)
    func unheardSteps(
        row: (name: String, total: UInt64, age: Int64?, silence: UInt64, shown: UInt64)
    ) throws {
        var tape = Tape(counting: 0, 100)
        tape.wait(row.silence)
        let until = row.age.map { tape.wallMilliseconds - $0 }
        try tape.command(.healthTotal(row.total, validUntilMilliseconds: until))
        // One that brings nothing changes nothing.
        try tape.command(.refresh())
        tape.count(600)
        #expect(tape.today == row.shown, "\(row.name)")
        tape.count(601)
        #expect(tape.today == row.shown + 1, "\(row.name)")
    }

    @Test("T2: the totals that won since the last reading cover it together")
    func unheardTotals() throws {
        var tape = Tape(counting: 0)
        tape.wait(600_000)
        try tape.command(.healthTotal(100))
        tape.wait(600_000)
        try tape.command(.healthTotal(250))
        tape.count(300)
        #expect(tape.today == 300)
    }

    @Test("T5: a total that the day began with covers a watch that began anew at midnight")
    func unheardAtMidnight() throws {
        var tape = Tape(counting: 9_000)
        tape.wait(midnight + 900_000)
        let today = try #require(tape.own.localDate(at: tape.moment))
        tape.append(.healthTotalObserved(HealthTotalObserved(date: today, total: 50)), source: 3)
        tape.count(80)
        #expect(tape.today == 80)
    }

    @Test("a late total counts for its day; an import's total counts for the live day")
    func lateTotals() throws {
        var tape = Tape(counting: 0, 500)
        let yesterday = try #require(tape.own.steps.current?.date)
        tape.count(510, after: midnight)
        try tape.command(.healthTotal(800, date: yesterday))
        #expect(tape.state.dayReports().map(\.displayed) == [800, 0])
        let today = try #require(tape.own.steps.current?.date)
        tape.append(
            .healthTotalObserved(HealthTotalObserved(date: today, total: 60)), source: 3)
        #expect(tape.today == 0)
        try tape.command(.refresh())
        #expect(tape.today == 60)
        tape.append(
            .reconciliationTriggered(
                ReconciliationTriggered(trigger: .manual, healthTotal: 9_999, date: today)),
            source: 3)
        #expect(tape.today == 60)
    }
}
