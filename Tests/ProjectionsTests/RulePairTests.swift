import Events
import TestSelection
import TestSupport
import Testing

@testable import Projections

@Suite("Two folds side by side")
struct RulePairTests {
    static let settings = [
        "graceMilliseconds=2000", "silenceMilliseconds=900", "stridePermille=500",
        "carryOverlap=true", "cadenceMilliseconds=1500", "zones=70,90,110", "copyMilliseconds=0",
        "copyMilliseconds=900", "coverUnheard=false", "countNoContact=true", "countZero=true",
        "rrPercent=3", "rrFromMilliseconds=620", "rrToMilliseconds=630", "countSimulated=true",
        "countImplausible=true", "countUnrecorded=true", "countStandstill=true",
        "countEachMargin=true", "countPodSpeed=false", "stepsBeforePositions=true",
        "doubtLengths=false", "countOwnStride=false", "smoothWay=false",
        "smoothClimb=false", "countNothingOverMidnight=true",
    ]

    @Test("are tried under every rule")
    func everyRule() {
        let names = Self.settings.map { String($0.prefix { $0 != "=" }) }
        #expect(Set(names) == Set(Rules.settingNames))
    }

    /// The position of the first event at which a pair differs, and what differs there.
    private func parting(
        _ events: [RecordedEvent], _ pair: inout RulePair
    ) throws -> (Position, [FieldChange])? {
        for event in events {
            let isSame = try event.withView { pair.evolve($0) }
            if !isSame { return (event.header.position, pair.differences) }
        }
        return nil
    }

    /// The same by looking at everything after every event.
    private func slowParting(_ events: [RecordedEvent], _ rules: Rules) -> Position? {
        var state = LogState()
        var other = LogState(rules: rules)
        for event in events {
            state.take(event)
            other.take(event)
            let now = Moment(event.header.stamp, event.header.flags)
            if ShownFigures(state, at: now) != ShownFigures(other, at: now) {
                return event.header.position
            }
        }
        return nil
    }

    private func compare(_ events: [RecordedEvent], seed: Int) throws {
        for setting in Self.settings {
            let rules = try Rules(setting: setting)
            var pair = RulePair(and: rules)
            let found = try parting(events, &pair)
            let expected = slowParting(events, rules)
            #expect(found?.0 == expected, "seed \(seed), \(setting)")
            #expect(found?.1.isEmpty != true, "seed \(seed), \(setting): nothing says so")
        }
    }

    @Test(
        "part where a look at everything says so, on whole walks",
        arguments: sample([3, 7, 72, 125] + (0..<500), 4))
    func wholeWalks(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        // Some begin before midnight.
        var tape = Tape()
        tape.wait(seed % 3 == 1 ? 53_990_000 : 0)
        try tape.command(.healthTotal(200))
        tape.linkUp()
        try tape.command(.start(goal: Goal(kind: .steps, target: 20), outAndBack: seed % 2 == 0))
        for number in 0..<60 {
            tape.wait(200 + random.below(random.below(6) == 0 ? 19_000 : 1_500))
            // What a recorder made up stands among the rest.
            let isOdd = random.below(8) == 0
            if isOdd, seed % 4 == 3 { tape.flags.formSymmetricDifference(.simulated) }
            switch random.below(14) {
            case 0...4:
                tape.heart(
                    isOdd ? 0 : UInt16(60 + random.below(120)),
                    contact: random.below(9) == 0 ? 2 : 3, rr: [UInt16(600 + number)])
            case 5...6:
                let shown = 1_000 + UInt64(number) * 2 + (isOdd ? 300 : 0)
                tape.append(.counted(pedometer, shown, distance: isOdd ? nil : shown * 700))
            case 7:
                tape.append(
                    .pedometerRead(
                        PedometerRead(
                            device: isOdd ? pedometer : RandomWalk.pod,
                            reading: .characteristic(
                                .runningSpeedCadenceMeasurement, [0, 0, 1, 90]))))
            case 8...9:
                let latitude = 481_000_000 + Int64(number) * 100 + (isOdd ? 90_000 : 0)
                tape.append(
                    .positionFixed(
                        PositionFixed(north: latitude, east: 115_000_000, within: 5_000)))
            case 10: tape.linkLost()
            case 11: tape.linkUp()
            case 12: try tape.command(.healthTotal(tape.today + random.below(90)))
            default:
                let events: [Event] = [
                    .sessionPaused(SessionPaused()), .sessionResumed(SessionResumed()),
                    .standstillBegan(StandstillBegan()), .standstillEnded(StandstillEnded()),
                    .recorderStopped(RecorderStopped(reason: .requested)),
                    .sessionEnded(SessionEnded()), .sessionStarted(SessionStarted()),
                    .pedometerChosen(PedometerChosen(device: RandomWalk.pod)),
                ]
                tape.append(events[Int(random.below(UInt64(events.count)))])
            }
        }
        try compare(tape.recorded, seed: seed)
    }

    @Test("part where a look at everything says so, on other logs", arguments: sample(0..<4, 2))
    func others(seed: Int) throws {
        try compare(try RandomWalk.tape(seed: seed, steps: 60).recorded, seed: seed)
        var hostile = HostileLog(seed: UInt64(seed))
        try compare((0..<90).map { _ in hostile.next() }, seed: seed)
        var quiet = QuietLog(seed: UInt64(seed))
        try compare((0..<90).map { _ in quiet.next() }, seed: seed)
    }

    @Test("never part under the same rules, nor by a rule alone")
    func same() throws {
        let tape = try RandomWalk.tape(seed: 3, steps: 200)
        var same = RulePair(and: Rules())
        #expect(try parting(tape.recorded, &same) == nil)

        // A session without a heart rate has zones, and no time in them.
        var quiet = try Tape.walking()
        quiet.wait(60_000)
        try quiet.command(.end())
        var zones = try RulePair(and: Rules(setting: "zones=60,80,90"))
        #expect(try parting(quiet.recorded, &zones) == nil)
    }

    @Test("look at one session only, if that is asked")
    func session() throws {
        var tape = Tape()
        tape.linkUp()
        for _ in 0..<2 {
            try tape.command(.start())
            tape.heart(80)
            tape.heart(80, after: 1_000)
            try tape.command(.end())
        }
        let rules = try Rules(setting: "zones=60,70,90")
        let starts = tape.recorded.filter { $0.event.kind == .sessionStarted }
        let second = try #require(starts.last?.header.position)
        var pair = RulePair(and: rules, session: second)
        let found = try #require(try parting(tape.recorded, &pair))
        #expect(found.0 > second)
        #expect(found.1.allSatisfy { $0.field.hasPrefix("sessions[\(second)].heartRate.zones") })
    }

    @Test("name what differs, by how much")
    func differences() throws {
        var tape = try Tape.walkingLinked()
        tape.heart(100)
        tape.heart(0)
        var pair = try RulePair(and: Rules(setting: "countZero=true"))
        let found = try #require(try parting(tape.recorded, &pair))
        #expect(found.0 == tape.state.head)
        let mean = try #require(found.1.first { $0.field.hasSuffix("heartRate.mean") })
        #expect(mean.before == .hundredths(100_00) && mean.after == .hundredths(50_00))
        #expect(mean.difference == .text("-50.00"))
        let samples = try #require(found.1.first { $0.field.hasSuffix("heartRate.samples") })
        #expect(samples.difference == .signed(1))
    }
}
