import Certification
import Events
import Projections
import TestSelection
import TestSupport
import Testing

/// Logs that no decider wrote: extreme numbers, dates out of order, broken payloads.
@Suite("Steps of hostile logs")
struct HostileStepsTests {
    private struct Line {
        let header: EventHeader
        let payload: [UInt8]

        func withView<Result>(_ body: (borrowing EventView) -> Result) -> Result {
            EventView.lend(header, payload: payload.span, body)
        }
    }

    private static let greatest: UInt64 = 1 << 53 - 1

    private static func number(_ random: inout SeededGenerator) -> UInt64 {
        switch random.below(6) {
        case 0: greatest
        case 1: greatest - random.below(3)
        case 2: random.below(3)
        case 3: 1 << 32 - random.below(200_000)
        default: random.below(10_000)
        }
    }

    private static func event(_ random: inout SeededGenerator) -> Event {
        let days = Int64(random.below(5)) + (random.below(9) == 0 ? 2_932_890 : 20_513)
        let date = CivilDate(daysSinceEpoch: days) ?? .epoch
        let devices = [pedometer, watch, RandomWalk.pod, strap]
        let device = devices[Int(random.below(4))]
        let total = min(number(&random), 1 << 31 - 1)
        switch random.below(12) {
        case 0: return .healthTotalObserved(HealthTotalObserved(date: date, total: total))
        case 1: return .legacyValueImported(LegacyValueImported(date: date, total: total))
        case 2:
            let amount = Int64(number(&random)) * (random.below(2) == 0 ? 1 : -1)
            return .stepsCorrected(
                StepsCorrected(date: date, correction: amount, reason: "r", author: "a"))
        case 3, 4:
            var event = ReconciliationTriggered(
                trigger: .observer, healthTotal: random.below(3) == 0 ? nil : total, date: date)
            event.trigger = OpenCode(rawValue: UInt8(random.below(7)))
            return .reconciliationTriggered(event)
        case 5:
            let chosen = random.below(5) == 0 ? nil : device
            return .pedometerChosen(
                PedometerChosen(device: chosen, stepsPerCadenceCount: UInt8(1 + random.below(2))))
        case 6:
            return .recorderStarted(
                RecorderStarted(
                    programVersion: "", zoneOffsetMinutes: Int64(random.below(1_000)),
                    zoneName: ""))
        case 7:
            let bytes = (0..<random.below(6)).map { _ in UInt8(random.below(256)) }
            let codes: [CharacteristicCode] = [
                .infiniTimeStepCount, .runningSpeedCadenceMeasurement,
            ]
            return .pedometerRead(
                PedometerRead(
                    device: device,
                    reading: .characteristic(codes[Int(random.below(2))], bytes)))
        default:
            return .pedometerRead(
                PedometerRead(device: device, reading: .counter(number(&random))))
        }
    }

    /// Events of walkers' pedometers on the edge of what legs can do, with clocks that disagree.
    private static func edge(seed: Int) throws -> [Line] {
        var random = SeededGenerator(seed: UInt64(seed))
        var counts: [UInt64] = [0, 1 << 32 - 2_000, 0]
        var (boot, wall, number) = (1_000_000 as UInt64, 1_772_355_600_000 as Int64, 0 as UInt32)
        return try (0..<400).map { index in
            let device = Int(random.below(40) == 0 ? random.below(3) : UInt64(seed) % 3)
            let passed = [100, 499, 500, 1_000, 1_000, 2_000, 61_000][Int(random.below(7))]
            boot += UInt64(passed)
            wall += Int64(random.below(9) == 0 ? random.below(90_000) : UInt64(passed))
            if random.below(30) == 0 { wall -= Int64(random.below(90_000)) }
            if random.below(90) == 0 { (boot, number) = (5_000, number + 1) }
            let grown = [0, 2, 5, 10, 11, 16, 300][Int(random.below(7))] as UInt64
            counts[device] += grown
            let shown = random.below(15) == 0 ? random.below(1 << 33) : counts[device]
            let devices = [pedometer, watch, RandomWalk.pod]
            var event = Event.pedometerRead(
                PedometerRead(device: devices[device], reading: .counter(shown)))
            if random.below(25) == 0 || device == 2 && random.below(4) > 0 {
                event = .pedometerRead(
                    PedometerRead(
                        device: devices[device],
                        reading: .characteristic(
                            .runningSpeedCadenceMeasurement,
                            [0, 0, 0, UInt8(random.below(4) * 85)])))
            }
            if random.below(50) == 0 {
                event = .pedometerChosen(PedometerChosen(device: devices[Int(random.below(3))]))
            }
            let header = EventHeader(
                event.kind, Stamp(boot: boot, wall: wall, number: number), at: Position(index),
                flags: EventFlags(rawValue: random.below(9) == 0 ? 0 : 1))
            return Line(header: header, payload: try event.encodedPayload())
        }
    }

    private static func log(seed: Int) throws -> [Line] {
        var random = SeededGenerator(seed: UInt64(seed))
        return try (0..<300).map { index in
            let event = event(&random)
            var payload = try event.encodedPayload()
            if random.below(12) == 0, !payload.isEmpty {
                payload[Int(random.below(UInt64(payload.count)))] = UInt8(random.below(256))
            }
            let stamp = Stamp(
                boot: number(&random),
                wall: random.below(4) == 0
                    ? -Int64(number(&random)) : Tape.start + Int64(random.below(400_000_000)),
                number: UInt32(random.below(3)))
            let header = EventHeader(
                position: Position(index), source: random.below(8) == 0 ? 2 : 0, stamp: stamp,
                flags: EventFlags(rawValue: UInt8(random.below(2))), kind: event.kind,
                version: random.below(20) == 0 ? 2 : 1)
            return Line(header: header, payload: payload)
        }
    }

    @Test(
        "stop nothing: fold, explanation and certifier agree on every day",
        arguments: sample(0..<30, 6), [false, true])
    func agree(seed: Int, isOnTheEdge: Bool) throws {
        let log = try isOnTheEdge ? Self.edge(seed: seed) : Self.log(seed: seed)
        var state = LogState()
        var certifier = StepsCertifier()
        var audit = StepsAudit()
        for line in log {
            state.evolve(line.header, line.payload.span)
            let change = line.withView { audit.evolve($0) }
            if let change { #expect(change.after >= change.before, "seed \(seed)") }
            try certifier.take(line.header, line.payload.span) {
                state.own.steps[$0]?.displayed
            }
        }
        let certificates = try certifier.finish { state.own.steps[$0]?.displayed }
        let reports = state.dayReports()
        #expect(!reports.isEmpty, "seed \(seed)")
        #expect(audit.state == state, "seed \(seed)")
        #expect(certificates.map(\.displayed) == reports.map(\.displayed), "seed \(seed)")
        for report in reports {
            var explanation = StepsExplanation(of: report.date)
            for line in log { line.withView { explanation.evolve($0) } }
            #expect(explanation.displayed == report.displayed, "seed \(seed), \(report.date)")
            #expect(explanation.corrected == report.corrected, "seed \(seed), \(report.date)")
        }
    }
}
