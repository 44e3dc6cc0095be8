import Certification
import Events
import TestSupport
import Testing

@testable import Projections

/// T11: readings that each fit, and that nobody can have walked together.
@Suite("An account of what legs can walk")
struct LegAccountTests {
    /// Readings that somebody makes up.
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How many readings, and by how much boot and wall clock go on before each, in ms.
        var readings = 3_600
        var boot: UInt64 = 1_000
        var wall: Int64 = 1_000
        /// Appends the reading of a number.
        let read: @Sendable (inout Tape, UInt64) -> Void

        init(
            _ name: String, readings: Int = 3_600, boot: UInt64 = 1_000, wall: Int64 = 1_000,
            _ read: @escaping @Sendable (inout Tape, UInt64) -> Void
        ) {
            testDescription = name
            (self.readings, self.boot, self.wall, self.read) = (readings, boot, wall, read)
        }
    }

    private static func choose(_ tape: inout Tape, _ device: DeviceID) {
        tape.append(.pedometerChosen(PedometerChosen(device: device)))
    }

    private static func cadence(_ tape: inout Tape, _ perMinute: UInt8, _ device: DeviceID) {
        tape.pedometerValue(
            .runningSpeedCadenceMeasurement, [0, 0, 0, perMinute], device: device)
    }

    static let attacks = [
        Attack("5 a second") { $0.show($1 * 5) },
        Attack("15 a second") { $0.show($1 * 15) },
        Attack("12 each half second", readings: 7_200, boot: 500, wall: 500) { $0.show($1 * 12) },
        Attack("11 each 499 ms", readings: 7_200, boot: 499, wall: 499) { $0.show($1 * 11) },
        Attack("two counters in turn, each chosen before it is read twice") { tape, number in
            let device = number / 2 % 2 == 0 ? pedometer : watch
            if number % 2 == 0 { choose(&tape, device) }
            tape.show(number * 14, device: device)
        },
        Attack("a counter that begins anew each time") { $0.show($1 % 2 == 0 ? 0 : 14) },
        Attack("another line for every second reading") {
            $0.show($1 % 2 == 0 ? $1 * 7 : 1 << 40 + $1 * 7)
        },
        Attack("a line that was left for an hour, with another pedometer meanwhile") {
            tape, number in
            let isOther = (1_000..<3_000).contains(number)
            if number == 1_000 { tape.show(1 << 40) }
            if number == 1_000 || number == 3_000 { choose(&tape, isOther ? watch : pedometer) }
            if number == 3_001 { tape.show(1 << 40 + 1) }
            tape.show(number * 5, device: isOther ? watch : pedometer)
        },
        Attack("a foot pod's cadence between the counts of the same device") { tape, number in
            tape.show(number * 5)
            cadence(&tape, 255 - 5, pedometer)
        },
        Attack("a foot pod of 150 counts of two steps") { tape, _ in
            if tape.recorded.isEmpty {
                tape.append(
                    .pedometerChosen(PedometerChosen(device: pedometer, stepsPerCadenceCount: 2)))
            }
            cadence(&tape, 150, pedometer)
        },
        Attack("a boot clock that runs ahead", boot: 60_000) { $0.show($1 * 300) },
        Attack("a wall clock that goes to and fro", wall: 0) { tape, number in
            tape.wallMilliseconds += number % 2 == 0 ? 30_000 : -30_000
            tape.show(number * 15)
        },
        Attack("a boot of unknown length before each reading", readings: 200) { tape, number in
            (tape.flags, tape.bootNumber) = ([], UInt32(number))
            tape.show(number * 150_000)
        },
    ]

    @Test("gives no more than legs have, however it is asked", arguments: attacks)
    func holds(_ attack: Attack) throws {
        var (tape, state) = (Tape(), LogState())
        var certifier = StepsCertifier()
        var counted: [(wall: Int64, steps: UInt64)] = []
        let end = tape.wallMilliseconds + Int64(attack.readings) * attack.wall
        for number in 0..<UInt64(attack.readings) {
            let before = tape.recorded.count
            attack.read(&tape, number)
            let steps = tape.own.steps.current?.pedometerSteps ?? 0
            if steps > counted.last?.steps ?? 0 { counted.append((tape.wallMilliseconds, steps)) }
            for recorded in tape.recorded[before...] {
                let payload = try recorded.event.encodedPayload()
                state.evolve(recorded.header, payload.span)
                try certifier.take(recorded.header, payload.span) {
                    state.own.steps[$0]?.displayed
                }
            }
            tape.bootMilliseconds += attack.boot
            tape.wallMilliseconds += attack.wall
        }
        let day = try #require(tape.own.steps.current)
        #expect(day.pedometerSteps <= 200_000)
        guard tape.flags.contains(.wallTrusted), attack.wall > 0 else { return }
        #expect(day.pedometerSteps <= UInt64(end - Tape.start) / 200 + 10)
        var (first, most) = (0, 0 as UInt64)
        for last in counted.indices {
            while counted[last].wall - counted[first].wall > 60_000 { first += 1 }
            most = max(most, counted[last].steps - counted[first].steps)
        }
        #expect(most <= 300)
    }

    @Test("counts 5 a second for ever, and 200,000 of them on a day")
    func sustained() {
        var tape = Tape()
        tape.wallMilliseconds -= 9 * 3_600_000
        for number in 0..<12_000 as Range<UInt64> {
            tape.show(number * 35)
            tape.wait(7_000)
        }
        #expect(tape.own.steps.current?.displayed == 200_000 / 35 * 35)
    }

    @Test("the rule of versions 9 to 15 counts each reading by itself")
    func former() {
        let rules = Rules(\.countEachMargin, true)
        for (each, steps) in [(rules, 15 * 99), (Rules(), 5 * 99 + 10)] as [(Rules, UInt64)] {
            var tape = Tape(rules: each)
            for number in 0..<100 as Range<UInt64> {
                tape.show(number * 15)
                tape.wait(1_000)
            }
            #expect(tape.today <= steps)
            #expect((tape.today == 15 * 99) == each.countEachMargin)
        }
    }

    /// What somebody walks, second by second, and how a device tells it.
    private struct Walker {
        var random: SeededGenerator
        var (steps, thousandths, last): (UInt64, UInt64, UInt64) = (0, 0, 0)
        var readings: [(milliseconds: UInt64, count: UInt64)] = []

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        /// Readings come when they can: up to a second late, in order, some together after a stall.
        mutating func walk(_ seconds: UInt64, thousandthsPerSecond: UInt64, each interval: UInt64) {
            let isStalled = interval == 1 && seconds < 90 && random.chance(30)
            for second in 1...seconds {
                thousandths += thousandthsPerSecond
                guard second % interval == 0 else { continue }
                steps = thousandths / 1_000
                let late =
                    isStalled ? (seconds - second) * 1_000 + second * 10 : random.below(1_000)
                last = max(last, now + second * 1_000 + late)
                readings.append((last, steps))
            }
            now += seconds * 1_000
        }
        var now: UInt64 = 1_000_000

        mutating func day() {
            let interval = [1, 2, 5, 10, 60][Int(random.below(5))] as UInt64
            readings.append((now, 0))
            for _ in 0..<6 {
                switch random.below(8) {
                case 0: walk(20, thousandthsPerSecond: 4_900, each: interval)  // a sprint
                case 1: walk(80, thousandthsPerSecond: 2_500, each: interval)  // stairs
                case 2: walk(7_200, thousandthsPerSecond: 1_900, each: 7_200)  // a batch
                case 3: walk(90, thousandthsPerSecond: 0, each: interval)
                case 4: walk(70, thousandthsPerSecond: 3_200, each: interval)  // a run
                default:
                    walk(60, thousandthsPerSecond: 1_500 + random.below(700), each: interval)
                }
            }
        }
    }

    @Test("takes no step from 10,000 people who walk, run and climb", arguments: 0..<10)
    func walkers(group: UInt64) {
        for seed in group * 1_000..<(group + 1) * 1_000 {
            var walker = Walker(seed: seed)
            walker.day()
            var (line, legs, counted) = (CountedLine(), LegAccount(), 0 as UInt64)
            for reading in walker.readings {
                let now = FoldMoment(
                    milliseconds: reading.milliseconds, gaps: 0,
                    wallMilliseconds: Tape.start + Int64(reading.milliseconds))
                if case .counted(let steps) = line.take(reading.count, at: now, .steps, &legs) {
                    counted += steps
                }
            }
            #expect(counted == walker.readings.last?.count, "seed \(seed)")
        }
    }

    @Test("gives no more than 300 in a minute to a line that is returned to, after a rest")
    func minute() {
        var legs = LegAccount()
        func turn(_ second: UInt64) -> LegAccount.Turn {
            legs.turn(to: FoldMoment(milliseconds: 1_000 * second))
        }
        for at: UInt64 in 0...56 { legs.walk(1...50 ~= at ? 5 : 0, turn(at), after: nil) }
        #expect([nil, LegAccount.Idle()].map { legs.most(turn(60), after: $0) } == [30, 50])
    }
}
