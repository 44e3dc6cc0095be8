import Events
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("Snapshots of the state")
struct SnapshotTests {
    /// A short walk with every part of the state in use.
    private func tape() throws -> Tape {
        var tape = Tape(rules: rules)
        try tape.command(
            .beginBoot(
                bootID: [UInt8](repeating: 3, count: 16), zoneOffsetMinutes: 60, zoneName: "here"))
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 60, zoneName: ""))
        try tape.command(
            .setProfile(
                Profile(heightMillimetres: 1_800, zones: .limits, zoneLimits: [90, 120, 150])))
        try tape.command(.pair(strap, name: "S\u{1B}", roles: .heart))
        try tape.command(.pair(watch, name: nil, roles: .watch))
        tape.linkUp()
        try tape.command(.start(goal: Goal(kind: .steps, target: 5), outAndBack: true))
        for step: UInt64 in 0..<4 {
            tape.heart(UInt16(80 + step), rr: [700, 710])
            tape.count(step * 3, distance: step * 2_000, device: watch)
            tape.wait(1_000)
        }
        try tape.command(.end())
        try tape.command(.healthTotal(500, validUntilMilliseconds: tape.wallMilliseconds - 5))
        tape.heart(99, source: 7)
        tape.append(.unknown(UnknownEvent(kind: .noted, version: 9, payload: [])))
        try tape.command(.start())
        tape.heart(0)
        tape.linkLost()
        return tape
    }

    private var rules: Rules {
        var rules = Rules()
        rules.carryOverlap = true
        rules.zones = .standard
        rules.countZero = true
        return rules
    }

    @Test("A7: a snapshot and the tail of the log give the state of the whole log")
    func snapshotAndTail() throws {
        let tape = try tape()
        for cut in 0...tape.recorded.count {
            let state = LogState(folding: tape.recorded[..<cut], rules: rules)
            var restored = try LogState(snapshotBytes: state.snapshotBytes())
            #expect(restored.canonicalBytes() == state.canonicalBytes())
            #expect(restored == state)
            for event in tape.recorded[cut...] { restored.take(event) }
            #expect(restored == tape.state)
            #expect(restored.canonicalBytes() == tape.state.canonicalBytes())
        }
    }

    @Test("A7: so do those of random histories, at random cuts", arguments: sample(0..<24, 4))
    func randomHistories(_ seed: Int) throws {
        let tape = try RandomWalk.tape(seed: seed, steps: 400, rules: rules)
        let expected = tape.state.canonicalBytes()
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<12 {
            let cut = Int(random.below(UInt64(tape.recorded.count) + 1))
            let state = LogState(folding: tape.recorded[..<cut], rules: rules)
            var restored = try LogState(snapshotBytes: state.snapshotBytes())
            for event in tape.recorded[cut...] { restored.take(event) }
            #expect(restored.canonicalBytes() == expected, "seed \(seed), cut \(cut)")
        }
    }

    @Test("rejects every proper prefix and every extension")
    func prefixes() throws {
        let state = try tape().state
        let forms: [(bytes: [UInt8], read: ([UInt8]) throws -> LogState)] = [
            (state.canonicalBytes(), { try LogState(canonicalBytes: $0.span) }),
            (state.snapshotBytes(), { try LogState(snapshotBytes: $0) }),
        ]
        for (bytes, read) in forms {
            for other in bytes.indices.map({ Array(bytes[..<$0]) }) + [bytes + [0]] {
                #expect(throws: DamagedState.self) { _ = try read(other) }
            }
        }
    }

    private func total(_ steps: UInt64, on day: Int64) throws -> Event {
        let date = try #require(CivilDate(daysSinceEpoch: 20_000 + day))
        return .healthTotalObserved(HealthTotalObserved(date: date, total: steps))
    }

    @Test("decades of days and sessions come back out of their chunks, whatever is changed first")
    func decades() throws {
        var tape = Tape(rules: rules)
        for day in 0..<300 {
            tape.append(try total(9, on: Int64(2 * day)))
            tape.append(.sessionStarted(SessionStarted()))
            tape.append(.sessionEnded(SessionEnded(reason: .requested)))
        }
        let state = tape.state
        #expect(state.own.sessions.ended.count == 300 && state.own.steps.days.count == 300)
        let kept = state.snapshotBytes()
        // In the middle of a chunk, at its ends, before the first one, and after the last.
        for day in [-1, 0, 1, 255, 256, 257, 300, 301, 598, 599] as [Int64] {
            var expected = tape
            expected.append(try total(10, on: day))
            var restored = try LogState(snapshotBytes: kept)
            restored.take(try #require(expected.recorded.last))
            let date = try #require(CivilDate(daysSinceEpoch: 20_000 + day))
            #expect(restored.own.steps[date]?.observedTotal == 10)
            #expect(restored.canonicalBytes() == expected.state.canonicalBytes(), "day \(day)")
            #expect(restored == expected.state)
            #expect(try LogState(snapshotBytes: restored.snapshotBytes()) == expected.state)
        }
        let restored = try LogState(snapshotBytes: kept)
        for session in state.own.sessions.all {
            #expect(restored.own.sessions[session.position] == session)
            #expect(restored.own.sessions[session.position + 1] == nil)
        }
    }

    /// Reads bytes of which one was changed: they are refused, or give a state that folds on.
    private func change(
        eachOf bytes: [UInt8], _ tape: Tape, read: ([UInt8]) throws(DamagedState) -> LogState
    ) {
        for index in bytes.indices {
            for change: UInt8 in [1, 0x80, 0xFF] {
                var changed = bytes
                changed[index] ^= change
                do throws(DamagedState) {
                    var state = try read(changed)
                    for event in tape.recorded { state.take(event) }
                    _ = state.sessionReports(at: tape.moment)
                } catch {
                    #expect(error.offset <= bytes.count)
                }
            }
        }
    }

    @Test("a changed byte is refused, or gives a state with those bytes that folds on")
    func mutations() throws {
        let tape = try tape()
        change(eachOf: tape.state.canonicalBytes(), tape) { (changed) throws(DamagedState) in
            let state = try LogState(canonicalBytes: changed.span)
            #expect(state.canonicalBytes() == changed)
            return state
        }
    }

    @Test("a byte that somebody forged in a snapshot is refused, or gives a state that folds on")
    func forgeries() throws {
        let tape = try tape()
        change(eachOf: tape.state.snapshotBytes(), tape) { (changed) throws(DamagedState) in
            let state = try LogState(snapshotBytes: changed)
            let kept = try LogState(snapshotBytes: state.snapshotBytes())
            #expect(kept == state && kept.canonicalBytes() == state.canonicalBytes())
            #expect(state != tape.state && state.snapshotBytes() == changed)
            return state
        }
    }
}
