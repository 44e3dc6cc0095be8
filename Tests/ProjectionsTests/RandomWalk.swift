import Events
import Projections
import TestSupport

/// Random histories of steps: counters, watches and foot pods, restarts, totals, zones, midnights.
enum RandomWalk {
    static let pod = DeviceID(address: 0xC400_0000_000A, space: .random)

    /// Plays a history from a seed.
    static func tape(seed: Int, steps: Int, rules: Rules = Rules()) throws -> Tape {
        var random = SeededGenerator(seed: UInt64(seed))
        var tape = Tape(rules: rules)
        var counts: [UInt64] = [random.below(10_000), 0xFFFF_FF00 + random.below(256)]
        for _ in 0..<steps {
            tape.wait(random.below(random.below(12) == 0 ? 9 * 3_600_000 : 30_000))
            switch random.below(24) {
            case 0..<10: read(&tape, &counts, &random)
            case 10: tape.pedometerValue(.infiniTimeStepCount, [1, 2], device: watch)
            case 11: counts[Int(random.below(2))] = random.below(40)
            case 12, 13, 14: try total(&tape, &random)
            case 15: try tape.command(.refresh([.manual, .foreground, .start][random.below(3)]))
            case 16: try choose(&tape, &random)
            case 17: try disturb(&tape, &random)
            default:
                tape.pedometerValue(
                    .runningSpeedCadenceMeasurement,
                    [0, 0, 1, UInt8(random.below(90))], device: pod)
            }
        }
        return tape
    }

    private static func read(
        _ tape: inout Tape, _ counts: inout [UInt64], _ random: inout SeededGenerator
    ) {
        let which = Int(random.below(2))
        counts[which] += random.below(30)
        guard which == 1 else { return tape.count(counts[0]) }
        counts[1] &= 0xFFFF_FFFF
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: counts[1] >> (8 * UInt64($0))) }
        tape.pedometerValue(.infiniTimeStepCount, bytes, device: watch)
    }

    private static func total(_ tape: inout Tape, _ random: inout SeededGenerator) throws {
        let total =
            random.below(2) == 0 ? tape.today + random.below(300) : random.below(4_000)
        let today = tape.own.localDate(at: tape.moment) ?? .epoch
        let other = CivilDate(daysSinceEpoch: today.daysSinceEpoch - 1) ?? today
        switch random.below(8) {
        case 0:
            let legacy = LegacyValueImported(date: today, total: total)
            try tape.command(.record(.legacyValueImported(legacy)))
        case 1:
            let legacy = LegacyValueImported(date: other, total: total)
            try tape.command(.record(.legacyValueImported(legacy)))
        case 2: try tape.command(.healthTotal(total, date: other))
        case 3:
            let date = CivilDate(daysSinceEpoch: today.daysSinceEpoch + 1) ?? today
            tape.append(
                .healthTotalObserved(HealthTotalObserved(date: date, total: total)), source: 2)
        case 4:
            let amount = Int64(random.below(400)) - 300
            guard amount != 0 else { return }
            try tape.command(.correct(date: today, by: amount, reason: "why", author: "who"))
        default:
            let until = tape.wallMilliseconds - Int64(random.below(60_000))
            try tape.command(.healthTotal(total, validUntilMilliseconds: until))
        }
    }

    private static func choose(_ tape: inout Tape, _ random: inout SeededGenerator) throws {
        let devices = [pedometer, watch, pod, nil]
        let factor = UInt8(1 + random.below(2))
        tape.record(
            .pedometerChosen(
                PedometerChosen(device: devices[random.below(4)], stepsPerCadenceCount: factor)))
    }

    private static func disturb(_ tape: inout Tape, _ random: inout SeededGenerator) throws {
        let zone = Int64(random.below(27)) * 60 - 720
        switch random.below(5) {
        case 0: try tape.command(.setZone(offsetMinutes: zone, name: ""))
        case 1: tape.wallMilliseconds -= Int64(random.below(7_200_000))
        case 2:
            tape.reboot(random.below(100_000))
        default:
            try tape.command(
                .startRecorder(
                    programVersion: "1",
                    zoneOffsetMinutes: tape.own.recorder.zoneOffsetMinutes, zoneName: ""))
        }
    }
}

extension Array {
    fileprivate subscript(index: UInt64) -> Element { self[Int(index)] }
}
