import Events
import Testing

@testable import SimulatorModel

@Suite("A witness")
struct WitnessTests {
    private let timeline = Timeline(seed: 1)
    private let disk = Disk()

    /// Writes some events, as a process does that is none of those under test.
    private func write(_ count: Int) throws {
        var batch = EventBatch()
        let stamp = Stamp(bootMilliseconds: 1, wallMilliseconds: 2, bootNumber: 0)
        for _ in 0..<count {
            try batch.append(.sessionMarked(SessionMarked(text: "here")), stamp: stamp, flags: [])
        }
        _ = try disk.write(batch)
        disk.sync()
    }

    @Test("takes nobody's word for what another process wrote")
    func acknowledged() throws {
        let witness = Witness(disk, timeline)
        let log = StoredLog(disk, timeline, process: 1)
        try write(2)
        witness.follow()
        witness.hold([2..<2], of: log)
        #expect(witness.violation == nil)
        witness.hold([0..<2], of: log)
        #expect(witness.violation?.promise == .durable)
    }

    @Test(
        "misses what a front was never shown, and expects nothing of nobody",
        arguments: [true, false])
    func neverShown(isRecorded: Bool) throws {
        let witness = Witness(disk, timeline)
        witness.beginRecorder()
        if !isRecorded { witness.forgetRecorder() }
        try write(1)
        witness.follow()
        witness.checkFront(since: 0, appendMilliseconds: 100)
        witness.now = 5_100
        witness.checkFront(since: 0, appendMilliseconds: 100)
        #expect(witness.violation == nil)
        witness.now = 5_101
        witness.checkFront(since: 0, appendMilliseconds: 100)
        #expect(witness.violation?.promise == (isRecorded ? .shown : nil))
    }

    @Test("lets a slow disk excuse its own syncs, and nothing else")
    func trouble() {
        var trouble = DiskTrouble()
        disk.slow(toMilliseconds: 2_000)
        trouble.note(disk, isHeld: false, at: 1_000)
        #expect(trouble.hinderedAt == 0)
        #expect(trouble.appendMilliseconds == 8_000)
        disk.slow(toMilliseconds: 3)
        trouble.note(disk, isHeld: false, at: 61_000)
        #expect(trouble.appendMilliseconds == 8_000)
        trouble.note(disk, isHeld: true, at: 61_001)
        #expect(trouble.appendMilliseconds == 12)
        #expect(trouble.hinderedAt == 61_001)
    }
}
