import Events
import TestSupport
import Testing

@testable import Projections

@Suite("Steps held against time")
struct PlausibleStepsTests {
    /// What a counter shows, each so many milliseconds after the one before.
    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let readings: [(after: UInt64, count: UInt64)]
        let steps: UInt64
        let setAside: [UInt64]

        init(
            _ name: String, _ readings: [(after: UInt64, count: UInt64)], steps: UInt64,
            setAside: [UInt64] = []
        ) {
            (testDescription, self.readings) = (name, readings)
            (self.steps, self.setAside) = (steps, setAside)
        }
    }

    static let stories = [
        Story(
            "a flipped bit",
            [(0, 5_990), (2_000, 6_000), (1_000, 536_876_914), (1_000, 6_004), (1_000, 6_008)],
            steps: 18, setAside: [536_870_914]),
        Story(
            "a flipped bit twice",
            [(0, 6_000), (1_000, 538_876_000), (1_000, 538_876_004), (1_000, 6_009)],
            steps: 9, setAside: [538_870_000]),
        Story(
            "a flipped bit before an hour's silence",
            [(0, 6_000), (1_000, 6_005), (1_000, 536_876_917), (3_600_000, 6_020)],
            steps: 20, setAside: [536_870_912]),
        Story(
            "one step back",
            [(0, 6_000), (2_000, 6_010), (1_000, 6_009), (1_000, 6_012), (1_000, 6_015)],
            steps: 16, setAside: [6_009]),
        Story(
            "a zero in between",
            [(0, 6_000), (1_000, 6_004), (1_000, 0), (1_000, 6_008), (1_000, 6_012)],
            steps: 12),
        Story(
            "an older count restored",
            [(0, 6_000), (3_000, 6_012), (1_000, 5_996), (3_000, 6_008), (1_000, 6_011)],
            steps: 27, setAside: [5_996]),
        Story("a restart", [(0, 6_000), (3_000, 6_012), (60_000, 40), (1_000, 44)], steps: 56),
        Story(
            "two restarts, the second one past the first one's count",
            [(0, 10), (600_000, 1_000), (600_000, 400), (3_600_000, 8_000), (3_600_000, 1_300)],
            steps: 990 + 400 + 7_600 + 1_300),
        Story("the end of 32 bits", [(0, 0xFFFF_FFF0), (2_000, 4), (1_000, 8)], steps: 24),
        Story(
            "the end of 32 bits, further than legs come",
            [(0, 0xFFFF_0000), (1_000, 90), (1_000, 94)],
            steps: 4, setAside: [90]),
        Story(
            "a watch that was away for eight hours", [(0, 6_000), (28_800_000, 26_000)],
            steps: 20_000),
        Story(
            "a sprint", (0...20).map { ($0 == 0 ? 0 : 1_000, $0 * 5) },
            steps: 100),
        Story(
            "as many as a device gathers, and one more", [(0, 0), (1_000, 15), (1_000, 31)],
            steps: 15, setAside: [16]),
        Story(
            "readings that come late and together",
            [(0, 0), (60_000, 40), (50, 80), (50, 120), (50, 160), (50, 200), (1_000, 203)],
            steps: 203),
        Story(
            "together, more than their time allows", [(0, 0), (10_000, 50), (50, 90), (1_000, 94)],
            steps: 54, setAside: [40]),
        Story(
            "a spike up to yesterday's count",
            [
                (0, 3_990), (1_000, 4_000), (60_000, 0), (3_600_000, 3_000), (1_000, 11_192),
                (1_000, 3_004), (1_000, 3_008),
            ], steps: 3_018, setAside: [8_192]),
        Story(
            "a restart long after an older count was restored",
            [
                (0, 6_000), (3_000, 6_012), (1_000, 5_996), (3_000, 6_008), (3_600_000, 9_000),
                (10_800_000, 7_000),
            ], steps: 12 + 12 + 2_992 + 7_000, setAside: [5_996]),
        Story(
            "a restart in a burst that was spent",
            [
                (0, 1_000), (1_000, 1_004), (1_000, 500_000_000), (3_600_000, 1_000_000_000),
                (600, 10_000), (100, 0), (3_600_000, 15_000),
            ], steps: 4 + 8_996 + 15_000, setAside: [499_998_996, 500_000_000]),
        Story(
            "more than anybody walks in a day", [(0, 0), (80_000_000, 200_001)],
            steps: 0, setAside: [200_001]),
    ]

    @Test("count what legs can have made, and no walked step less", arguments: stories)
    func counted(_ story: Story) throws {
        var tape = Tape()
        // Not over midnight.
        tape.wallMilliseconds -= 9 * 3_600_000
        for reading in story.readings {
            tape.wait(reading.after)
            tape.show(reading.count)
        }
        let day = try #require(tape.own.steps.current)
        #expect(day.displayed == story.steps)
        #expect(day.setAside.map(\.steps) == story.setAside)
        #expect(tape.state.findings.total == UInt64(story.setAside.count))
        let findings = tape.state.findings.kept
        #expect(findings.map(\.position) == day.setAside.map(\.position))
        #expect(findings.allSatisfy { $0.code == .stepsSetAside })
    }

    @Test("a reading that is set aside stands for no other")
    func standsForNone() throws {
        // A total holds 5,000 steps that the watch has not told.
        var tape = Tape()
        tape.show(1_000)
        tape.wait(3_600_000)
        try tape.command(.healthTotal(6_000))
        tape.show(536_876_914)
        tape.wait(1_000)
        tape.show(6_000)
        #expect(tape.today == 6_000)
        // Another pedometer counts from now on, and begins with a spike.
        let other = watch
        tape.append(.pedometerRead(PedometerRead(device: other, reading: .counter(100))))
        tape.append(.pedometerChosen(PedometerChosen(device: other)))
        tape.wait(3_600_000)
        for count: UInt64 in [1 << 40, 2_000] {
            tape.append(.pedometerRead(PedometerRead(device: other, reading: .counter(count))))
            tape.wait(1_000)
        }
        #expect(tape.today == 6_000)
    }

    @Test("S8: no session's stream begins with a reading that is set aside")
    func beginsNoStream() throws {
        var tape = Tape()
        tape.show(1_000)
        tape.wait(600_000)
        try tape.command(.start())
        for count: UInt64 in [1 << 40, 1 << 40 + 3, 1 << 40 + 5] {
            tape.wait(1_000)
            tape.show(count)
        }
        #expect(tape.session.steps == 2)
    }

    @Test("a boot of which nobody knows when it began may have come after a day")
    func unknownGap() throws {
        for (isTrusted, steps) in [(false, 9_000), (true, 0)] as [(Bool, UInt64)] {
            var tape = Tape()
            tape.show(1_000)
            if !isTrusted { tape.flags = [] }
            tape.reboot()
            tape.wallMilliseconds += 60_000
            tape.show(10_000)
            #expect(tape.today == steps)
        }
    }

    @Test("the rule of version 8 counts all of it")
    func believing() {
        var tape = Tape(rules: .believing)
        for count: UInt64 in [5_990, 6_000, 536_876_914, 6_008] { tape.show(count) }
        #expect(tape.today == 10 + 536_870_914 + 6_008)
    }

    // MARK: - Totals

    @Test("a total above 200,000 is set aside, from whomever")
    func totals() throws {
        var tape = Tape()
        let date = try #require(tape.own.localDate(at: tape.moment))
        try tape.command(.healthTotal(8_000))
        let observed = HealthTotalObserved(date: date, total: 536_876_864)
        tape.append(.healthTotalObserved(observed))
        tape.append(
            .reconciliationTriggered(
                ReconciliationTriggered(trigger: .observer, healthTotal: 536_876_864, date: date)))
        tape.append(.healthTotalObserved(observed), source: 3)
        tape.append(.legacyValueImported(LegacyValueImported(date: date, total: 200_001)))
        try tape.command(.refresh())
        let day = try #require(tape.own.steps.current)
        #expect(day.displayed == 8_000)
        #expect(day.observedTotal == 8_000)
        #expect(day.setAside.map(\.steps) == [536_876_864, 200_001])
        #expect(day.setAside.allSatisfy { $0.kind == .total && !$0.isTaken })
    }

    @Test("a total that is meant counts")
    func meant() throws {
        var tape = Tape()
        try tape.command(.healthTotal(250_000, meantBy: "Ann"))
        #expect(tape.today == 250_000)
        #expect(tape.state.findings.total == 0)
        // A greater one was not meant.
        tape.append(
            .healthTotalObserved(
                HealthTotalObserved(
                    date: try #require(tape.own.steps.current).date, total: 250_001)))
        try tape.command(.refresh())
        #expect(tape.today == 250_000)
    }

    // MARK: - Taking in

    @Test("a reading that is taken in is in the corrected figure, once")
    func takeReading() throws {
        var tape = Tape()
        for count: UInt64 in [0, 5, 905, 910] {
            tape.wait(1_000)
            tape.show(count)
        }
        let found = try #require(tape.own.steps.current?.setAside.first)
        #expect(found.steps == 900)
        let take = Command.takeIn(found.position, reason: "a bus", author: "Ann")
        try tape.command(take)
        let day = try #require(tape.own.steps.current)
        #expect((day.displayed, day.corrected) == (10, 910))
        #expect(day.setAside.map(\.isTaken) == [true])
        #expect(tape.refusal(of: take) == .alreadyTaken)
        let other = Command.takeIn(found.position + 1, reason: "a bus", author: "Ann")
        #expect(tape.refusal(of: other) == .notSetAside)
        let mute = Command.takeIn(found.position, reason: "", author: "Ann")
        #expect(tape.refusal(of: mute) == .emptyCorrection)
    }

    @Test("a total that is taken in counts as any other", arguments: [0, 1])
    func takeTotal(_ daysLater: UInt64) throws {
        var tape = Tape()
        tape.show(0)
        let date = try #require(tape.own.steps.current).date
        tape.append(.healthTotalObserved(HealthTotalObserved(date: date, total: 210_000)))
        tape.wait(daysLater * 86_400_000)
        try tape.command(.refresh())
        let found = try #require(tape.own.steps[date]?.setAside.first)
        try tape.command(.takeIn(found.position, reason: "a race of 24 hours", author: "Ann"))
        let day = try #require(tape.own.steps[date])
        #expect((day.displayed, day.corrected) == (210_000, 210_000))
        #expect(day.setAside.map(\.isTaken) == [true])
    }

    @Test("of very many the last are kept, and all are counted")
    func many() throws {
        var tape = Tape()
        for index in 0..<200 {
            tape.wait(1_000)
            tape.show(index % 2 == 0 ? 1_000 : 900_000 + UInt64(index))
        }
        let day = try #require(tape.own.steps.current)
        #expect(day.displayed == 0)
        #expect(day.setAside.count == Day.setAsideLimit)
        #expect(day.setAsideCount == 100)
    }
}

extension Tape {
    /// Records what a counter shows now, whatever legs can do.
    mutating func show(_ count: UInt64, device: DeviceID = pedometer) {
        record(.pedometerRead(PedometerRead(device: device, reading: .counter(count))))
    }
}
