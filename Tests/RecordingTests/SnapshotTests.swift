import Deciding
import EventStore
import Events
import Projections
import Synchronization
import TestSelection
import TestSupport
import Testing

@Suite("A snapshot")
struct SnapshotTests {
    /// A log of a walk with so many values.
    private func log(_ values: Int, bpm: UInt8 = 80) async throws -> InMemoryEventLog {
        let log = InMemoryEventLog()
        let appender = Appender(log, machine: machine)
        _ = try await appender.record([Input(.start(), at: arrival(after: 0))])
        var inputs: [Input] = []
        for index in 0..<values {
            let value = notified([0x16, bpm &+ UInt8(index % 40)])
            inputs.append(input(value, after: UInt64(index)))
        }
        _ = try await appender.record(inputs)
        return log
    }

    /// A snapshot of the state after everything, or after what is before a position.
    private func kept(
        _ log: InMemoryEventLog, until end: Position? = nil
    ) throws -> MemorySnapshots {
        let snapshots = MemorySnapshots()
        log.keepSnapshot(of: FoldedState(try log.state(until: end), savedEvents: 0), in: snapshots)
        return snapshots
    }

    @Test(
        "and the tail give the bytes of the whole fold, at every cut", arguments: sample(1...6, 1))
    func everyCut(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let log = try await log(Int(random.below(40)), bpm: UInt8(random.below(200)))
        let appender = Appender(log, machine: machine)
        try await appender.catchUp()
        var time = UInt64(50_000)
        for _ in 0..<60 {
            time += random.below(random.below(8) == 0 ? 40_000_000 : 5_000)
            _ = try await appender.record([
                Input(Self.command(&random), at: arrival(after: time)),
                reading(UInt16(random.below(60_000))),
            ])
        }
        let expected = try log.state().canonicalBytes()
        for cut in 1...(try log.next) {
            let snapshots = try kept(log, until: cut)
            let folded = try log.folded(from: snapshots)
            #expect(folded.savedEvents == cut)
            #expect(folded.state.canonicalBytes() == expected, "seed \(seed), cut \(cut)")
            #expect(try log.checkSnapshot(in: snapshots) == .holds(next: cut))
            let restored = Appender(log, machine: machine, snapshots: snapshots)
            try await restored.catchUp()
            #expect(await restored.state.canonicalBytes() == expected)
        }
    }

    private static func command(_ random: inout SeededGenerator) -> Command {
        switch random.below(8) {
        case 0: .pause
        case 1: .resume
        case 2: .end()
        case 3: .start()
        case 4: .healthTotal(random.below(9_000))
        case 5: .refresh()
        case 6: .setProfile(Profile(heightMillimetres: 1_500 + random.below(500)))
        default: .mark("\(random.below(100))")
        }
    }

    @Test("helps an earlier position only if it is not beyond it")
    func earlier() async throws {
        let log = try await log(100)
        let snapshots = try kept(log, until: 50)
        for (end, saved) in [(10, 0), (49, 0), (50, 50), (51, 50), (80, 50)] as [(UInt64, UInt64)] {
            let folded = try log.folded(until: end, from: snapshots)
            #expect(folded.savedEvents == saved, "until \(end)")
            #expect(try folded.state == log.state(until: end))
        }
    }

    @Test("is worth keeping after so many events that were folded, and not before")
    func threshold() async throws {
        let log = try await log(100)
        let state = try log.state()
        #expect(!FoldedState(state, savedEvents: 0).isFar())
        #expect(FoldedState(state, savedEvents: 0).isFar(state.events))
        #expect(!FoldedState(state, savedEvents: 1).isFar(state.events))
        #expect(FoldedState(state, savedEvents: state.events - 1).isFar(1))
        // An interval of none would keep what is there already.
        #expect(!FoldedState(state, savedEvents: state.events).isFar(0))
        let snapshots = MemorySnapshots()
        log.keepSnapshot(of: FoldedState(LogState(), savedEvents: 0), in: snapshots)
        #expect(snapshots.kept == nil)
    }

    @Test("is read by an appender once, written by none, and passed over while somebody observes")
    func appender() async throws {
        let log = try await log(100)
        let snapshots = try kept(log)
        let kept = snapshots.kept
        let appender = Appender(log, machine: machine, snapshots: snapshots)
        try await appender.catchUp()
        _ = try await appender.record([Input(.mark("here"), at: arrival(after: 30_000))])
        try await appender.catchUp()
        #expect(snapshots.readCount == 1)
        #expect(snapshots.kept == kept)
        let state = await appender.state
        #expect(try state == log.state())
        #expect(await appender.folded.savedEvents == kept?.head.next)

        let observed = Appender(log, machine: machine, snapshots: snapshots)
        let told = Mutex(0)
        await observed.observe { _, events in told.withLock { $0 += events.count } }
        try await observed.catchUp()
        #expect(try Position(told.withLock { $0 }) == log.next)
        #expect(snapshots.readCount == 1)
    }

    @Test("stands for what is before it: an append looks at no block there, and at the log's end")
    func damagedBefore() async throws {
        let log = try await log(2_000)
        let snapshots = try kept(log)
        let damaged = DamagedBeginning(log)
        let appender = Appender(damaged, machine: machine, snapshots: snapshots)
        try await appender.catchUp()
        #expect(try await appender.state == log.state())
        // Who only reads is answered, and who looks for damage finds it.
        #expect(try damaged.folded(from: snapshots).state == log.state())
        #expect(throws: EventLogError.self) { try damaged.checkSnapshot(in: snapshots) }
    }

    /// What a snapshot may be that does not belong to a log.
    enum Foreign: CaseIterable {
        case otherLog, ahead, otherVersion, cut, otherPosition, otherRules, empty

        func spoil(_ snapshot: inout Snapshot) {
            switch self {
            case .otherLog: snapshot.head.lastEvent[4] ^= 1
            case .ahead: snapshot.head.next += 1
            case .otherVersion: snapshot.head.key[4] ^= 1
            case .cut: snapshot.state.removeLast()
            case .otherPosition: snapshot.head.next -= 1
            case .otherRules: snapshot.state[0] ^= 1
            case .empty: snapshot.state = []
            }
        }
    }

    @Test("that does not belong to the log is passed over", arguments: Foreign.allCases)
    func foreign(_ how: Foreign) async throws {
        let log = try await log(100)
        let snapshots = try kept(log)
        snapshots.change(how.spoil)
        #expect(log.savedState(in: snapshots) == nil)
        let folded = try log.folded(from: snapshots)
        #expect(folded.savedEvents == 0)
        #expect(try folded.state == log.state())
        #expect(try log.checkSnapshot(in: snapshots) == .none)
    }

    @Test("of another state at the right place is found by who folds all, and by nobody else")
    func forged() async throws {
        let log = try await log(100)
        let snapshots = try kept(log)
        let forged = try await self.log(100, bpm: 81).state()
        snapshots.change { $0.state = forged.canonicalBytes() }
        let next = try log.next
        #expect(try log.folded(from: snapshots).state == forged)
        #expect(try log.checkSnapshot(in: snapshots) == .differs(next: next))
        let (folded, worth) = try log.refolded(against: snapshots)
        #expect(try folded.state == log.state())
        #expect(worth == .differs(next: next) && worth.holds == false)
    }

    @Test("of a log that was put back, and went on otherwise, is passed over")
    func rolledBack() async throws {
        let snapshots = try kept(await log(100))
        for other in [try await log(150, bpm: 81), try await log(50)] {
            #expect(try other.folded(from: snapshots).state == other.state())
            #expect(try other.refolded(against: snapshots).worth == .none)
        }
    }

    @Test("of other rules is of no use, nor of use to other rules")
    func rules() async throws {
        let log = try await log(100)
        var rules = Rules()
        rules.graceMilliseconds += 1
        let snapshots = try kept(log)
        #expect(try log.folded(rules, from: snapshots).savedEvents == 0)
        log.keepSnapshot(of: try log.folded(rules, from: nil), in: snapshots)
        #expect(try log.folded(rules, from: snapshots).savedEvents > 0)
        #expect(log.savedState(in: snapshots) == nil)
    }

    /// A log of so many marks and fixes, of which a snapshot is kept now and then.
    private func log(
        _ parts: [(count: Int, event: Event)], _ snapshots: MemorySnapshots
    ) async throws -> InMemoryEventLog {
        let log = InMemoryEventLog()
        let stamp = Stamp(bootMilliseconds: 5, wallMilliseconds: 5, bootNumber: 0)
        for (count, event) in parts {
            for _ in 0..<count / 40_000 {
                var batch = EventBatch()
                for _ in 0..<40_000 { try batch.append(event, stamp: stamp, flags: []) }
                _ = try await log.append(batch, expecting: nil)
                log.keepSnapshot(of: try log.folded(from: snapshots), in: snapshots)
            }
        }
        return log
    }

    @Test("has states along the log, which are held against it and dropped with it")
    func alongTheLog() async throws {
        let mark = Event.sessionMarked(SessionMarked()), fix = Event.positionFixed(PositionFixed())
        let kept = MemorySnapshots([.earlier: MemorySnapshots(), .certifiers: MemorySnapshots()])
        let log = try await log([(280_000, mark)], kept)
        let states = log.earlierStates(in: kept)
        #expect(states.count == 8)
        for (end, next) in [(32_767, nil), (98_303, 65_536), (280_000, 262_144)] {
            let found = log.lastState(of: states, notAfter: Position(end))
            #expect(found?.next == next.map { Position($0) })
            #expect(try found.map { try log.state(until: $0.next) == $0 } ?? true)
        }
        #expect(try log.checkSnapshot(in: kept) == .holds(next: 280_000))
        var certifiers = log.certifiers(in: kept)
        _ = try log.certifier(before: 280_000, from: &certifiers)
        log.keep(&certifiers, in: kept)
        #expect(try log.checkCertifiers(in: kept) == .holds(next: 262_144))
        // The clock of the first one.
        let clock = try #require(kept.parts[.certifiers]?.kept?.state.lastIndex(of: 10))
        kept.parts[.certifiers]?.change { $0.state[clock] = 12 }
        #expect(try log.checkCertifiers(in: kept) == .differs(next: 262_144))
        // Another log has the same event where a state is kept, and others before it.
        let others = MemorySnapshots([.earlier: MemorySnapshots()])
        _ = try await self.log([(80_000, fix), (80_000, mark)], others)
        kept.parts[.earlier]?.write(try #require(others.parts[.earlier]?.kept))
        #expect(try log.checkSnapshot(in: kept) == .differs(next: 98_304))
        let changed = try await self.log([(80_000, mark), (80_000, fix)], others)
        #expect(changed.earlierStates(in: others).count == 4)
        #expect(log.earlierStates(in: others).count == 2, "A fix is before the third.")
        let whole = try #require(others.parts[.earlier]?.kept)
        for index in whole.state.indices {
            var forged = whole
            forged.state[index] = 0
            others.parts[.earlier]?.write(forged)
            #expect(log.earlierStates(in: others).count <= 4)
        }
    }
}
