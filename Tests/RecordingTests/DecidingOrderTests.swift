import Clocks
import Deciding
import EventStore
import Events
import Projections
import Synchronization
import TestSelection
import TestSupport
import Testing

/// Reads what was appended, and knows what must stand before what.
private struct Reading {
    private var state = LogState()
    /// The stamp of the last event.
    private var last: Stamp?

    /// Reads the events of one append.
    mutating func read(
        _ events: [RecordedEvent], of inputs: [Input], _ outcomes: [Outcome], _ machine: Machine,
        isRecorderAlive: Bool
    ) throws {
        if state.own.recorder.isRecording, !isRecorderAlive, !inputs.isEmpty {
            let first = events.first { $0.event.kind != .bootBegan }?.event
            #expect(first == .recorderStopped(RecorderStopped(reason: .foundDead)))
        }
        var rest = events[...]
        for (input, outcome) in zip(inputs, outcomes) {
            guard case .recorded(let range) = outcome else { continue }
            let end = rest.firstIndex { $0.header.position >= range.upperBound } ?? rest.endIndex
            // What the machine had to say before inputs that were refused, and before this one.
            let asked = try foldTold(rest[..<end], machine)
            rest = rest[end...]
            try foldOnce(asked, machine)
            if case .record(let event) = input.command {
                #expect(asked.last { !Self.claims.contains($0.event.kind) }?.event == event)
            }
        }
        #expect(try foldTold(rest, machine).isEmpty)
    }

    /// Reads what the machine says, each with what it makes true.
    ///
    /// - Returns: The rest.
    private mutating func foldTold(
        _ events: ArraySlice<RecordedEvent>, _ machine: Machine
    ) throws -> ArraySlice<RecordedEvent> {
        var rest = events
        while let first = rest.first, Self.told.contains(first.event.kind) {
            let end = rest.dropFirst().firstIndex { !Self.claims.contains($0.event.kind) }
            try foldOnce(rest[..<(end ?? rest.endIndex)], machine)
            rest = rest[(end ?? rest.endIndex)...]
        }
        return rest
    }

    /// Reads events that were decided together: what they make true stands after them.
    private mutating func foldOnce(_ events: ArraySlice<RecordedEvent>, _ machine: Machine) throws {
        let claims = try fold(events, machine)
        #expect(events.suffix(claims.count).map(\.event) == claims)
        #expect(events.count { Self.claims.contains($0.event.kind) } == claims.count)
    }

    /// What the machine says itself: whatever of it is to be told stands before everything else.
    private static let told: Set<EventKind> = [
        .bootBegan, .recorderStopped, .clockStepped, .zoneOffsetChanged, .recorderStarted,
    ]
    private static let claims: Set<EventKind> = [
        .turnAroundReached, .goalReached, .deliveryMultiplied,
    ]

    /// - Returns: What came true.
    private mutating func fold(
        _ events: ArraySlice<RecordedEvent>, _ machine: Machine
    ) throws -> [Event] {
        try events.flatMap { event in
            let stamp = event.header.stamp
            if !Self.told.contains(event.event.kind) {
                let recorder = state.own.recorder
                let zone = machine.zone(stamp.wallMilliseconds)
                #expect(recorder.bootID == machine.bootID, "\(event)")
                #expect(recorder.zoneOffsetMinutes == zone.offsetMinutes, "\(event)")
                #expect(!isClockSet(at: stamp), "\(event)")
            }
            last = stamp
            return try state.evolve(event).claims
        }
    }

    /// Whether the wall clock was set since the last event, and nobody has said so.
    private func isClockSet(at stamp: Stamp) -> Bool {
        guard let last, last.bootNumber == stamp.bootNumber else { return false }
        let passed = Int64(stamp.bootMilliseconds) - Int64(last.bootMilliseconds)
        let shown = stamp.wallMilliseconds - last.wallMilliseconds
        return passed >= 0 && (shown - passed).magnitude > 2_000
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
        case 12..<20: .record(steps())
        default: heartRate()
        }
    }

    private mutating func goal() -> Goal {
        let kinds: [GoalKind] = [.none, .steps, .duration, .daily]
        return Goal(
            kind: kinds[Int(random.below(UInt64(kinds.count)))], target: 1 + random.below(3_000))
    }

    private mutating func steps() -> Event {
        count += random.below(60)
        return counted(count)
    }

    private mutating func heartRate() -> Command {
        .record(notified([0x06, UInt8(60 + random.below(90))]))
    }
}

@Suite("The order in which an appender decides")
struct DecidingOrderTests {
    @Test(
        "is what the machine has to say, what was asked, and what has come true by it",
        arguments: sample(0..<20, 4))
    func order(seed: UInt64) async throws {
        var happenings = Happenings(seed: UInt64(seed))
        let log = InMemoryEventLog()
        let isAlive = Mutex(true)
        var reading = Reading()
        var kinds: [EventKind: Int] = [:]
        for _ in 0..<12 {
            let machine = happenings.machine()
            let appender = Appender(
                log, machine: machine, isRecorderAlive: { isAlive.withLock { $0 } })
            try await appender.catchUp()
            for _ in 0..<20 {
                let alive = happenings.chance(80)
                isAlive.withLock { $0 = alive }
                let inputs = happenings.inputs()
                let start = try log.next
                let outcomes = try await appender.record(inputs)
                let events = try log.events(in: start..<log.next)
                for event in events { kinds[event.event.kind, default: 0] += 1 }
                try reading.read(events, of: inputs, outcomes, machine, isRecorderAlive: alive)
            }
        }
        for kind: EventKind in [.bootBegan, .recorderStopped, .clockStepped, .zoneOffsetChanged] {
            #expect(kinds[kind] ?? 0 > 0, "seed \(seed) has no \(kind)")
        }
    }

    @Test(
        "is the same, to the byte, however the inputs are put together",
        arguments: sample(0..<20, 4))
    func together(seed: UInt64) async throws {
        var happenings = Happenings(seed: UInt64(seed))
        let (together, apart) = (InMemoryEventLog(), InMemoryEventLog())
        for _ in 0..<12 {
            let machine = happenings.machine()
            let whole = Appender(together, machine: machine)
            let single = Appender(apart, machine: machine)
            try await whole.catchUp()
            try await single.catchUp()
            for _ in 0..<20 {
                let inputs = happenings.inputs()
                var outcomes: [Outcome] = []
                for input in inputs { outcomes += try await single.record([input]) }
                #expect(try await whole.record(inputs) == outcomes, "seed \(seed)")
            }
        }
        let ones = try apart.events(in: 0..<apart.next)
        #expect(try together.events(in: 0..<together.next).elementsEqual(ones), "seed \(seed)")
    }
}
