import Events
import TestSupport
import Testing

@testable import SimulatorModel

@Suite("A simulated disk")
struct DiskTests {
    private func batch(_ count: Int) throws -> EventBatch {
        var batch = EventBatch()
        let stamp = Stamp(bootMilliseconds: 1, wallMilliseconds: 2, bootNumber: 0)
        for _ in 0..<count {
            try batch.append(.sessionPaused(SessionPaused()), stamp: stamp, flags: [])
        }
        return batch
    }

    @Test("counts what was synced, and nothing else, after a loss of power", arguments: 0..<64)
    func tears(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let disk = Disk()
        _ = try disk.write(batch(300))
        disk.sync()
        _ = try disk.write(batch(200))
        #expect(disk.next == 300)
        disk.losePower(&generator)
        // All of the transaction or nothing.
        #expect([300, 500].contains(disk.next))
        var count = 0
        for block in disk.blocks(from: 0) {
            try BlockReader.forEach(in: block.span, from: 0) { _ in
                count += 1
                return true
            }
        }
        #expect(count == Int(disk.next))
    }

    @Test("reads a transaction whole, and none that is torn anywhere")
    func transaction() throws {
        let disk = Disk()
        _ = try disk.write(batch(3))
        disk.sync()
        let block = StoredBlock(first: 0, bytes: disk.blocks(from: 0)[0])
        let bytes = Transaction(blocks: [block], next: 3).bytes
        #expect(Transaction(bytes: bytes)?.next == 3)
        for end in 0..<bytes.count where bytes[end...].contains(where: { $0 != 0 }) {
            let torn = bytes[..<end] + [UInt8](repeating: 0, count: bytes.count - end)
            #expect(Transaction(bytes: Array(torn)) == nil)
        }
    }
}
