import EventStore
import EventStoreLMDB
import Events
import Foundation
import LMDB
import TestSupport
import Testing

/// What becomes of a sealed block that somebody changed and gave a good checksum.
extension EvidenceTests {
    /// Changes an event of the second sealed block.
    ///
    /// - Returns: The position at which that begins.
    private func alter() async throws -> Position {
        _ = try await makeStore()
        let (key, block) = try blocks()[1]
        try write(withGoodChecksum(altered(block)), at: key, in: "log")
        return try #require(RecordKey(key.span)?.number)
    }

    @Test("is handed to nobody, and what stands before it is")
    func alteredIsNotRead() async throws {
        let bad = try await alter()
        let log = try open()
        var events: Position = 0
        let error = #expect(throws: EventLogError.self) {
            try log.read { _ in
                events += 1
                return true
            }
        }
        #expect(error?.position == bad && error?.detail == "block 1 is not as it was sealed")
        #expect(events == bad)
        #expect(throws: EventLogError.self) { try log.checkBlocks() }
        for start in [bad, bad + 1, try log.next - 200] {
            let error = #expect(throws: EventLogError.self) {
                try log.read(from: start) { _ in false }
            }
            #expect(error?.position == bad, "\(start)")
        }
        try log.read(from: bad - 1) { _ in false }
        // What comes after it is compared with its own leaf.
        #expect(try log.events(in: log.next - 1..<log.next).count == 1)
        #expect(try log.usage().damagedBlocks == 1)
        #expect(try log.usage().last?.position == log.next - 1)
    }

    @Test("is not copied as if it were good, and recovery keeps what stands before it")
    func alteredIsNotCopied() async throws {
        let bad = try await alter()
        let log = try open()
        let error = #expect(throws: EventLogError.self) {
            _ = try log.backUp(to: directory.path + "/backup")
        }
        #expect(error?.position == bad)
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/backup"))
    }

    @Test(
        "is no part of what recovery keeps: that is the block as it was sealed, or ends before it")
    func alteredIsNotRecovered() async throws {
        let bad = try await alter()
        // The page that the forger did not write over still has the block.
        #expect(try recovered("found").keptEvents == 300)
        let original = try withGoodChecksum(altered(blocks()[1].value))
        var content = try Data(contentsOf: URL(filePath: directory.dataFile))
        while let place = content.range(of: Data(original)) {
            content.replaceSubrange(place, with: Data(count: original.count))
        }
        try content.write(to: URL(filePath: directory.dataFile))
        let recovery = try recovered("lost")
        #expect(recovery.keptEvents == bad && recovery.end == .cut)
        #expect(recovery.beyond.first?.lowerBound == bad)
        #expect(recovery.beyond.last?.upperBound == 300)
    }

    @Test("without the secret, which is damaged, nothing can be compared, and all is recovered")
    func secretDamaged() async throws {
        let rows = try await makeStore()
        let secret = try #require(rows.first { name(of: $0.key) == "secret" })
        var changed = secret.value
        changed[3] ^= 1
        try write(changed, at: secret.key)
        let found = try verify()
        #expect(found.damage?.position == 0 && !found.areEventsGood)
        #expect(try recovered("all").keptEvents == 300)
    }

    private func recovered(_ name: String) throws -> LogRecovery {
        let outcome = try directory.recover(to: "\(directory.path)/\(name)")
        guard case .made(let recovery) = outcome else { throw ProgramError("\(outcome)") }
        return recovery
    }
}

/// A block of which an event is another; twice altered it is as before.
func altered(_ block: [UInt8]) -> [UInt8] {
    var altered = block
    altered[altered.count - 3] ^= 1
    return altered
}

/// A block whose checksum somebody made good.
func withGoodChecksum(_ block: [UInt8]) -> [UInt8] {
    let checksum = CRC32C.checksum(Array(block[4...]).span)
    return (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) } + block[4...]
}
