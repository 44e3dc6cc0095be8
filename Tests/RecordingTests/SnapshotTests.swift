import EventStore
import Events
import Projections
import Synchronization
import Testing

@testable import Recording

/// A snapshot in memory.
private final class MemorySnapshots: SnapshotStore {
    let snapshot = Mutex<Snapshot?>(nil)
    let reads = Atomic(0)

    func read() -> Snapshot? {
        reads.add(1, ordering: .relaxed)
        return snapshot.withLock { $0 }
    }

    func write(_ snapshot: Snapshot) { self.snapshot.withLock { $0 = snapshot } }
}

@Suite("A snapshot")
struct SnapshotTests {
    /// A log of a walk with so many values, and what is folded of it.
    private func log(_ values: Int, bpm: UInt8 = 80) async throws -> InMemoryEventLog {
        let log = InMemoryEventLog()
        let appender = Appender(log, machine: machine)
        _ = try await appender.record([Input(.start(), at: arrival(after: 0))])
        var inputs: [Input] = []
        for index in 0..<values {
            let value = CharacteristicNotified(
                device: DeviceID(address: 1, space: .random),
                value: [0x16, bpm &+ UInt8(index % 40)])
            inputs.append(
                Input(.record(.characteristicNotified(value)), at: arrival(after: UInt64(index))))
        }
        _ = try await appender.record(inputs)
        return log
    }

    private func folded(_ log: InMemoryEventLog) throws -> LogState {
        var state = LogState()
        try log.fold(into: &state)
        return state
    }

    @Test("is kept when a long log was folded, and gives the same state as the whole of it")
    func same() async throws {
        let log = try await log(Int(SnapshotRule.events))
        let snapshots = MemorySnapshots()
        #expect(try log.state(from: snapshots) == folded(log))
        let kept = try #require(snapshots.snapshot.withLock { $0 })
        #expect(kept.next == (try log.next))
        let appender = Appender(log, machine: machine, snapshots: snapshots)
        try await appender.catchUp()
        _ = try await appender.record([Input(.end(), at: arrival(after: 30_000))])
        #expect(try log.state(from: snapshots) == folded(log))
        #expect(await appender.state == (try folded(log)))
        // Little was folded: it is the one of before.
        #expect(snapshots.snapshot.withLock { $0 } == kept)
    }

    @Test("is made anew by a rebuild, whatever it held, and however short the log is")
    func rebuilt() async throws {
        let log = try await log(100)
        let snapshots = MemorySnapshots()
        #expect(try log.rebuiltState(in: snapshots) == folded(log))
        #expect(snapshots.snapshot.withLock { $0 } == nil)
        snapshots.write(Snapshot(key: [], next: 7, lastLine: [], state: []))
        #expect(try log.rebuiltState(in: snapshots) == folded(log))
        #expect(snapshots.snapshot.withLock { $0?.next } == (try log.next))
        #expect(try log.state(from: snapshots) == folded(log))
    }

    @Test("is not kept of a short log, nor where nothing is to be kept")
    func short() async throws {
        let log = try await log(100)
        let snapshots = MemorySnapshots()
        _ = try log.state(from: snapshots)
        #expect(snapshots.snapshot.withLock { $0 } == nil)
        #expect(try log.state(from: nil) == folded(log))
    }

    @Test("tells a position before it nothing")
    func earlier() async throws {
        let log = try await log(Int(SnapshotRule.events))
        let snapshots = MemorySnapshots()
        _ = try log.state(from: snapshots)
        var state = LogState()
        try log.fold(until: 10, into: &state)
        #expect(try log.state(until: 10, from: snapshots) == state)
    }

    /// What a snapshot may be that does not belong to a log.
    enum Foreign: CaseIterable {
        case otherLog, ahead, otherRules, otherVersion, damaged, otherPosition, empty

        func spoil(_ snapshot: inout Snapshot) {
            switch self {
            case .otherLog: snapshot.lastLine[40] ^= 1
            case .ahead: snapshot.next += 1
            case .otherRules: snapshot.key.append(0)
            case .otherVersion: snapshot.key[4] ^= 1
            case .damaged: snapshot.state[snapshot.state.count / 2] ^= 0xFF
            case .otherPosition: snapshot.next -= 1
            case .empty: snapshot.state = []
            }
        }
    }

    @Test(
        "that does not belong to the log is passed over, and made anew", arguments: Foreign.allCases
    )
    func foreign(_ how: Foreign) async throws {
        let log = try await log(Int(SnapshotRule.events))
        let snapshots = MemorySnapshots()
        let state = try log.state(from: snapshots)
        let kept = try #require(snapshots.snapshot.withLock { $0 })
        snapshots.snapshot.withLock { snapshot in
            var spoiled = kept
            how.spoil(&spoiled)
            snapshot = spoiled
        }
        let again = try log.state(from: snapshots)
        // A state that was changed and is one all the same is what the checksum of a file is for.
        if how != .damaged { #expect(again == state) }
        guard how != .damaged else { return }
        #expect(snapshots.snapshot.withLock { $0 } == kept)
    }

    @Test("of a log that was put back, and went on otherwise, is passed over")
    func rolledBack() async throws {
        let snapshots = MemorySnapshots()
        let first = try await log(Int(SnapshotRule.events))
        _ = try first.state(from: snapshots)
        let other = try await log(Int(SnapshotRule.events) + 100, bpm: 81)
        #expect(try other.state(from: snapshots) == folded(other))
        let shorter = try await log(50)
        #expect(try shorter.state(from: snapshots) == folded(shorter))
    }
}
