import Events
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("The fold")
struct FoldTests {
    /// A walk with everything in it, from a seed.
    private func walk(seed: UInt64, events: Int = 300) throws -> Tape {
        var random = SeededGenerator(seed: seed)
        var tape = Tape()
        var counter: UInt64 = 0
        for _ in 0..<events {
            tape.wait(random.below(2_000))
            switch random.below(20) {
            case 0: tape.linkLost()
            case 1: tape.linkUp()
            case 2:
                switch tape.own.sessions.open?.state {
                case nil: try tape.command(.start(goal: Goal(kind: .steps, target: 50)))
                case .running: try tape.command(random.below(3) == 0 ? .end() : .pause)
                default: try tape.command(.resume)
                }
            case 3: try tape.command(.healthTotal(random.below(5_000)))
            case 4: tape.heart(80, source: UInt32(1 + random.below(3)))
            case 5..<10:
                counter += random.below(5)
                tape.count(counter)
            default:
                let rr = UInt16(600 + random.below(90))
                tape.heart(UInt16(60 + random.below(100)), rr: [rr])
            }
        }
        return tape
    }

    private func fold(_ events: some Sequence<RecordedEvent>, onto state: LogState) -> LogState {
        var state = state
        for event in events { state.take(event) }
        return state
    }

    @Test("A2: replay gives the live state, byte for byte", arguments: 0..<10)
    func replay(seed: UInt64) throws {
        let tape = try walk(seed: seed)
        let replayed = fold(tape.recorded, onto: LogState())
        #expect(replayed == tape.state)
        #expect(replayed.canonicalBytes() == tape.state.canonicalBytes())
    }

    @Test("A2: any way to cut the log gives the same state", arguments: 0..<10)
    func batching(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let tape = try walk(seed: seed)
        var state = LogState()
        var rest = tape.recorded[...]
        while !rest.isEmpty {
            let count = Int(1 + random.below(40))
            // A copy of the state goes on, as from a snapshot; the old one stays as it was.
            let before = state
            let bytes = before.canonicalBytes()
            state = fold(rest.prefix(count), onto: state)
            #expect(before.canonicalBytes() == bytes)
            rest = rest.dropFirst(count)
        }
        #expect(state.canonicalBytes() == tape.state.canonicalBytes())
    }

    @Test("a copy stays as it was, however the other one goes on")
    func copies() throws {
        let tape = try walk(seed: 5)
        var builder = BlockBuilder()
        let batch = try EventBatch(of: tape.recorded.prefix(50))
        #expect(builder.append(batch, from: 0) == 50)
        var state = tape.state
        let (copy, bytes) = (state, state.canonicalBytes())
        try builder.withBytes { (block) throws(DamagedBlock) in try state.evolve(block: block) }
        #expect(state.events == copy.events + 50)
        #expect(copy.canonicalBytes() == bytes)
        #expect(copy != state)
        try state.evolve(tape.recorded[0])
        let after = state.canonicalBytes()
        #expect(state.withoutRecorder() != state)
        #expect(state.canonicalBytes() == after)
        var anew = LogState()
        for recorded in tape.recorded { try anew.evolve(recorded) }
        #expect(copy == anew && tape.state == anew, "what was folded on shares nothing with them")
    }

    @Test("different states have different bytes at every position")
    func digestsDiffer() throws {
        let tape = try walk(seed: 3)
        var state = LogState()
        var seen: Set<[UInt8]> = [state.canonicalBytes()]
        for event in tape.recorded {
            try state.evolve(event)
            #expect(seen.insert(state.canonicalBytes()).inserted)
        }
    }

    @Test("claims change nothing but the count of events")
    func claimsAreIgnored() throws {
        var tape = Tape()
        try tape.command(.start(goal: Goal(kind: .steps, target: 10)))
        let before = tape.state
        tape.append(.goalReached(Goal(kind: .steps, target: 10)))
        tape.append(.dayClosed(DayClosed()))
        tape.append(.dayRecorded(DayRecorded()))
        tape.append(.deliveryMultiplied(DeliveryMultiplied(device: strap, factor: 2)))
        #expect(tape.state.own == before.own)
        #expect(!tape.session.isGoalReached)
    }

    @Test("A8: newer kinds and versions are counted and skipped")
    func newerEvents() throws {
        var tape = Tape()
        tape.append(
            .unknown(UnknownEvent(kind: EventKind(rawValue: 0x5F), version: 1, payload: [1, 2])))
        tape.append(
            .unknown(UnknownEvent(kind: .characteristicNotified, version: 2, payload: [9])))
        tape.append(.unknown(UnknownEvent(kind: .sessionStarted, version: 1, payload: [0xFF])))
        #expect(
            tape.state.findings.kept.map(\.code) == [
                .unknownEvent, .unknownEvent, .undecodablePayload,
            ])
        #expect(tape.own.sessions.all.isEmpty)
    }

    @Test("hostile bytes never trap, at hostile times", arguments: sample(0..<40, 8))
    func hostile(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let sources = try walk(seed: seed).recorded
        var state = LogState()
        for position in 0..<2_000 {
            var recorded = sources[Int(random.below(UInt64(sources.count)))]
            var payload = try recorded.event.encodedPayload()
            for _ in 0..<random.below(4) where !payload.isEmpty {
                payload[Int(random.below(UInt64(payload.count)))] = UInt8(random.below(256))
            }
            if random.below(6) == 0 { payload.removeLast(min(payload.count, Int(random.below(4)))) }
            if random.below(9) == 0 {
                recorded.header.kind = EventKind(rawValue: UInt8(random.below(256)))
            }
            if random.below(9) == 0 {
                recorded.header.stamp = Stamp(
                    bootMilliseconds: random.next() >> random.below(64),
                    wallMilliseconds: Int64(bitPattern: random.next()) >> Int64(random.below(64)),
                    bootNumber: UInt32(random.below(3)))
                recorded.header.flags = EventFlags(rawValue: UInt8(random.below(256)))
            }
            recorded.header.source = UInt32(random.below(8)) / 5
            recorded.header.position = Position(position)
            state.evolve(recorded.header, payload.span)
        }
        let moment = Moment(
            Stamp(bootMilliseconds: .max, wallMilliseconds: .max, bootNumber: 0), [])
        for report in state.sessionReports(at: moment) {
            #expect(report.accounting.elapsedMilliseconds == report.elapsedMilliseconds)
            #expect(report.elapsedMilliseconds < 1 << 54)
        }
        _ = ConnectionView(state, at: moment)
        #expect(state.findings.kept.count <= Findings.keptLimit)
        #expect(!state.canonicalBytes().isEmpty)
    }

    @Test("extreme numbers saturate", arguments: [UInt64.max, 1 << 53, 1 << 52] as [UInt64])
    func extremes(time: UInt64) throws {
        var tape = Tape(rules: .believing)
        let greatest: UInt64 = 1 << 53 - 1
        try tape.command(
            .setProfile(Profile(heightMillimetres: greatest, weightGrams: greatest)))
        tape.count(0)
        try tape.command(.start())
        tape.count(1 << 53 - 1)
        tape.count(0)
        tape.count(1 << 53 - 1)
        tape.heart(65_535, rr: [65_535, 0])
        tape.bootMilliseconds = time
        tape.heart(65_535, rr: [65_535, 0])
        tape.wallMilliseconds = .max
        tape.heart(1)
        let report = tape.session
        #expect(report.steps == 1 << 53 - 1)
        #expect(report.energyCalories == 1 << 53 - 1)
        #expect(report.distanceMillimetres == 1 << 53 - 1)
    }
}
