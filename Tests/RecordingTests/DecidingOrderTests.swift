import Clocks
import Deciding
import EventStore
import Events
import Projections
import Recording
import Synchronization
import TestSupport
import Testing

/// What an appender decides, step by step and with nothing left out: every command by itself, each
/// on the state after the one before, its claims found by comparing what was with what is.
private struct StepByStep {
    private(set) var recorded: [RecordedEvent] = []
    private var state = LogState()

    /// Decides the inputs of one append.
    mutating func record(
        _ inputs: [Input], _ machine: Machine, isRecorderAlive: Bool
    ) -> [Outcome] {
        var isFoundDead = state.live.recorder.isRecording && !isRecorderAlive
        return inputs.map { input in
            let first = next
            let zone = machine.zone(input.arrival.wallMilliseconds)
            do throws(Refusal) {
                try decide(
                    .beginBoot(
                        bootID: machine.bootID, zoneOffsetMinutes: zone.offsetMinutes,
                        zoneName: zone.name), machine, input.arrival)
                if isFoundDead {
                    try decide(.stopRecorder(.foundDead), machine, input.arrival)
                    isFoundDead = false
                }
                if case .startRecorder = input.command {
                } else {
                    try decide(.readClocks, machine, input.arrival)
                    try decide(
                        .setZone(offsetMinutes: zone.offsetMinutes, name: zone.name), machine,
                        input.arrival)
                }
                try decide(input.command, machine, input.arrival)
                return .recorded(first..<next)
            } catch {
                return .refused(error)
            }
        }
    }

    private var next: Position { state.head.map { $0 + 1 } ?? 0 }

    private mutating func decide(
        _ command: Command, _ machine: Machine, _ arrival: Arrival
    ) throws(Refusal) {
        let number = state.live.recorder.bootNumber(for: machine.bootID)
        let moment = arrival.moment(bootNumber: number)
        let before = state
        try append(try Decider.events(for: command, state, at: moment), at: moment)
        try append(claims(since: before), at: moment)
    }

    private mutating func append(_ events: [Event], at moment: Moment) throws(Refusal) {
        for event in events {
            let header = EventHeader(
                position: next, source: 0, stamp: moment.stamp, flags: moment.flags,
                kind: event.kind, version: event.version)
            let placed = RecordedEvent(header: header, event: event)
            do throws(FieldError) {
                try state.evolve(placed)
            } catch {
                throw Refusal(.fieldOutOfRange, field: error.field)
            }
            recorded.append(placed)
        }
    }

    /// What has come true since a state: found by comparing whole sessions and all devices.
    private func claims(since before: LogState) -> [Event] {
        var claims: [Event] = []
        if let old = before.live.sessions.open, let new = state.live.sessions[old.position] {
            if old.turnAroundPosition == nil, new.turnAroundPosition != nil {
                claims.append(.turnAroundReached(TurnAroundReached(goal: new.goal)))
            }
            if old.goalReachedPosition == nil, new.goalReachedPosition != nil {
                claims.append(.goalReached(GoalReached(goal: new.goal)))
            }
        }
        for new in state.live.devices.all {
            let old = before.live.devices.all.first { $0.id == new.id }
            guard let old, old.link.delivery.factor != new.link.delivery.factor else { continue }
            claims.append(
                .deliveryMultiplied(
                    DeliveryMultiplied(
                        device: new.id, characteristic: .heartRateMeasurement,
                        factor: new.link.delivery.factor)))
        }
        return claims
    }
}

/// Inputs of a walk in which everything happens: midnights, zones, set clocks, other boots, copies
/// of values, goals that are reached, and what is refused.
private struct Happenings {
    private var random: SeededGenerator
    private var boot: UInt64 = 1_000_000
    /// 23:50 UTC on 2026-02-28.
    private var wall: Int64 = 1_772_322_600_000
    private var count: UInt64 = 0
    private var bootID: UInt8 = 0
    /// Whether each heart-rate value comes twice for now.
    private var isDoubled = false

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func chance(_ percent: UInt64) -> Bool { random.chance(percent) }

    /// The machine, whose zone changes every two hours, now and then after a new start.
    mutating func machine() -> Machine {
        if random.chance(4) {
            bootID += 1
            boot = random.below(5_000)
        }
        return Machine(bootID: [UInt8](repeating: bootID, count: 16)) { wall in
            wall / 7_200_000 % 2 == 0 ? (0, "UTC") : (60, "CET")
        }
    }

    mutating func inputs() -> [Input] {
        if random.chance(5) { isDoubled.toggle() }
        var inputs: [Input] = []
        for _ in 0..<random.below(6) {
            wait(random.chance(3) ? random.below(9_000_000) : 400 + random.below(900))
            if random.chance(3) { wall += Int64(random.below(9_000)) - 4_500 }
            let input = Input(isDoubled ? heartRate() : command(), at: arrival())
            inputs.append(input)
            guard isDoubled else { continue }
            wait(5)
            inputs.append(Input(input.command, at: arrival()))
        }
        return inputs
    }

    private mutating func wait(_ milliseconds: UInt64) {
        boot += milliseconds
        wall += Int64(milliseconds)
    }

    private mutating func arrival() -> Arrival {
        Arrival(bootMilliseconds: boot, wallMilliseconds: wall, isWallTrusted: random.chance(95))
    }

    private mutating func command() -> Command {
        switch random.below(40) {
        case 0: .start(goal: goal(), outAndBack: random.chance(50))
        case 1: .end()
        case 2: .pause
        case 3: .resume
        case 4: .mark(String(repeating: "x", count: Int(random.below(1_500))))
        case 5: .refresh()
        case 6: .startRecorder(programVersion: "1", zoneOffsetMinutes: 60, zoneName: "CET")
        case 7: .stopRecorder(.requested)
        case 8: .pair(strap, name: "Strap", roles: .heart)
        case 9: .healthTotal(random.below(5_000))
        case 10: .record(.noted(Noted(text: String(repeating: "x", count: 2_000), author: "")))
        case 11: .record(.linkLost(LinkLost(device: strap)))
        case 12..<20: .record(.pedometerRead(pedometerRead()))
        default: heartRate()
        }
    }

    private mutating func goal() -> Goal {
        let kinds: [GoalKind] = [.none, .steps, .duration, .daily]
        return Goal(
            kind: kinds[Int(random.below(UInt64(kinds.count)))], target: 1 + random.below(3_000))
    }

    private mutating func pedometerRead() -> PedometerRead {
        count += random.below(60)
        return PedometerRead(
            device: DeviceID(address: 1, space: .kernel), reading: .counter(count))
    }

    private mutating func heartRate() -> Command {
        let value = [0x06, UInt8(60 + random.below(90))]
        return .record(
            .characteristicNotified(CharacteristicNotified(device: strap, value: value)))
    }
}

@Suite("The order in which an appender decides")
struct DecidingOrderTests {
    @Test("is that of every step taken by itself, to the byte", arguments: 0..<20)
    func stepByStep(seed: UInt64) async throws {
        var happenings = Happenings(seed: UInt64(seed))
        let log = InMemoryEventLog()
        let isAlive = Mutex(true)
        var plain = StepByStep()
        for _ in 0..<12 {
            let machine = happenings.machine()
            let appender = Appender(
                log, machine: machine, isRecorderAlive: { isAlive.withLock { $0 } })
            try await appender.catchUp()
            for _ in 0..<20 {
                let alive = happenings.chance(80)
                isAlive.withLock { $0 = alive }
                let inputs = happenings.inputs()
                let outcomes = try await appender.record(inputs)
                #expect(
                    outcomes == plain.record(inputs, machine, isRecorderAlive: alive),
                    "seed \(seed)")
            }
        }
        let recorded = try log.events(in: 0..<log.next)
        let difference = zip(recorded, plain.recorded).first { $0 != $1 }
        #expect(difference == nil, "seed \(seed)")
        #expect(recorded.count == plain.recorded.count, "seed \(seed)")
    }
}
