import EventStore
import EventStoreLMDB
import Events
import Foundation
import Glibc
import LMDB
import TamperEvidence
import TestSupport
import Testing

@Suite("Evidence of a log")
struct EvidenceTests {
    let directory = TemporaryDirectory.ofTest()
    var folder: CheckpointFolder { CheckpointFolder(directory.path + "/kept/log") }

    // MARK: - Making it

    @Test("vouches for all events, and for those that come later with the next checkpoint")
    func checkpoints() async throws {
        let log = try open()
        var last: Checkpoint?
        for round in 0..<5 {
            let checkpoint = try await seal(log, after: heartbeats(round..<round + 300))
            let found = try log.verify(comparingWith: folder)
            #expect(found.damage == nil)
            #expect(found.evidence.sealedBlocks == UInt64(found.blocks))
            #expect(found.evidence.checkpoints == UInt64(round + 1))
            #expect(checkpoint.size == found.evidence.sealedBlocks)
            #expect(checkpoint.size > last?.size ?? 0)
            #expect(found.evidence.isComparedOutside)
            last = checkpoint
        }
        let again = try await seal(log)
        #expect(again == last, "Nothing new, nothing to sign.")
    }

    @Test("never changes a block that is sealed, and loses no event")
    func sealedBlocks() async throws {
        var plain = PlainLog()
        let log = try open()
        var sealed: [[UInt8]] = []
        for round in 0..<6 {
            let batch = try heartbeats(10 * round..<10 * round + 7)
            plain.append(batch)
            _ = try await log.append(batch, expecting: nil)
            let blocks = try log.blocks()
            #expect(Array(blocks.prefix(sealed.count)) == sealed)
            try await seal(log)
            sealed = try log.blocks()
            #expect(sealed == blocks, "A seal is no byte of a block.")
        }
        #expect(sealed.count == 6)
        #expect(try log.contents() == plain.events)
    }

    @Test("seals as many blocks as there are, in more than one transaction")
    func manyBlocks() async throws {
        let log = try open()
        for round in 0..<4 {
            let numbers = round * 9_500..<(round + 1) * 9_500
            let author = String(repeating: "x", count: 120)
            _ = try await log.append(notes(numbers, author: author), expecting: nil)
        }
        let blocks = try log.statistics().blocks
        #expect(blocks > 1_024)
        #expect(try await seal(log).size == UInt64(blocks))
        #expect(try log.verify(comparingWith: folder).damage == nil)
    }

    @Test("goes on when the store is opened again, and appends wait for no seal")
    func reopened() async throws {
        for round in 0..<3 {
            let log = try open()
            async let checkpoint = seal(log)
            let positions = try await log.append(notes(round..<round + 1), expecting: nil)
            #expect(positions == UInt64(round + 1)..<UInt64(round + 2))
            _ = try await checkpoint
            let found = try log.verify(comparingWith: folder)
            #expect(found.damage == nil)
            log.close()
        }
    }

    @Test("keeps the key for its owner only, and out of the store")
    func key() async throws {
        let log = try open()
        _ = try await log.makeCheckpoint(in: folder) { count in
            (0..<count).map { _ in UInt8.random(in: 0...255) }
        }
        log.close()
        let file = folder.path + "/key"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.hasPrefix("PRIVATE+KEY+pulselog/000102030405060708090a0b0c0d0e0f+"))
        #expect(try permissions(of: file) == 0o600)
        let line = text.dropLast()
        let secret = line.split(separator: "+", maxSplits: 4).last.map(String.init) ?? ""
        let seed = try #require(Data(base64Encoded: secret))
        #expect(seed.count == 33)
        let stored = try Data(contentsOf: URL(filePath: directory.dataFile))
        #expect(stored.range(of: seed.dropFirst()) == nil)
    }

    // MARK: - What is refused

    @Test("an older state of the store is recognized, and not signed")
    func rollback() async throws {
        var log = try open()
        try await seal(log, after: heartbeats(0..<100))
        log.close()
        let old = try Data(contentsOf: URL(filePath: directory.dataFile))
        log = try open()
        try await seal(log, after: heartbeats(100..<200))
        log.close()
        try old.write(to: URL(filePath: directory.dataFile))
        log = try open()
        let found = try log.verify(comparingWith: folder)
        #expect(found.damage?.detail.contains("older state") == true)
        #expect(found.damage?.position == 101)
        let error = await #expect(throws: CheckpointError.self) { try await seal(log) }
        #expect(error?.code == .rollback(knownLeaves: 2, leaves: 1))
        // What is recorded meanwhile is recorded.
        _ = try await log.append(heartbeats(200..<201), expecting: nil)
    }

    @Test("another history of the same log is recognized, and not signed")
    func fork() async throws {
        var log = try open()
        try await seal(log)
        log.close()
        let shared = try Data(contentsOf: URL(filePath: directory.dataFile))
        log = try open()
        try await seal(log, after: heartbeats(0..<50))
        log.close()
        // The same store once more, as on another machine with the same key.
        let kept = try String(contentsOfFile: folder.path + "/checkpoint", encoding: .utf8)
        try shared.write(to: URL(filePath: directory.dataFile))
        for name in ["/checkpoint", "/checkpoints"] {
            try FileManager.default.removeItem(atPath: folder.path + name)
        }
        log = try open()
        try await seal(log, after: heartbeats(1..<51))
        try Data(kept.utf8).write(to: URL(filePath: folder.path + "/checkpoint"))
        #expect(try log.verify(comparingWith: folder).damage != nil)
        _ = try await log.append(heartbeats(51..<52), expecting: nil)
        let error = await #expect(throws: CheckpointError.self) { try await seal(log) }
        #expect(error?.code == .fork(knownLeaves: 2))
    }

    @Test("is not made without the log's own key, and says where it should be")
    func missingKey() async throws {
        let log = try open()
        try await seal(log)
        _ = try await log.append(heartbeats(0..<10), expecting: nil)
        let other = CheckpointFolder(directory.path + "/elsewhere")
        let error = await #expect(throws: CheckpointError.self) {
            try await log.makeCheckpoint(in: other, random: bytes)
        }
        #expect(error?.code == .keyMissing)
        #expect(error?.detail.contains(other.path) == true)
        #expect(try log.verify(comparingWith: other).damage == nil, "Who has no key may verify.")
    }

    @Test("is good at every moment, while others append and seal")
    func verifiedMeanwhile() async throws {
        let log = try open()
        let recording = Task {
            for round in 0..<40 { try await seal(log, after: heartbeats(round..<round + 20)) }
        }
        var sizes: Set<UInt64> = []
        while sizes.max() ?? 0 < 40 {
            let found = try log.verify(comparingWith: folder)
            #expect(found.damage == nil)
            #expect(try log.signedEvents(in: folder) <= log.next)
            sizes.insert(found.evidence.sealedBlocks)
            await Task.yield()
        }
        try await recording.value
    }

    @Test("two that seal at the same time end with the later checkpoint outside")
    func sealedByTwo() async throws {
        let log = try open()
        for round in 0..<10 {
            async let first = seal(log)
            _ = try await log.append(heartbeats(round..<round + 5), expecting: nil)
            async let second = seal(log)
            _ = try await (first, second)
            #expect(try log.verify(comparingWith: folder).damage == nil)
        }
        let size = try await seal(log).size
        #expect(try log.verify(comparingWith: folder).evidence.sealedBlocks == size)
    }

    @Test("who seals waits for the one who is keeping a checkpoint", .timeLimit(.minutes(5)))
    func sealedInTurn() async throws {
        let log = try open()
        let before = try await (seal(log), log.lastCheckpoint()).1
        // However busy the machine is.
        let patient = CheckpointFolder(folder.path, turnMilliseconds: 60_000)
        let held = Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        flock(held, LOCK_EX)
        _ = try await log.append(heartbeats(0..<5), expecting: nil)
        async let sealing = log.makeCheckpoint(in: patient, random: bytes).size
        while try log.lastCheckpoint() == before { await Task.yield() }
        #expect(try String(contentsOfFile: folder.path + "/checkpoint", encoding: .utf8) == before)
        close(held)
        #expect(try await sealing == 2)
    }

    // MARK: - Changes

    @Test(
        "every changed byte of a row is found, one that is gone, and one of another name",
        arguments: [false, true])
    func changedRows(isFormer: Bool) async throws {
        let rows = try await isFormer ? makeFormerStore() : makeStore()
        var names: Set<String> = []
        for (key, value) in rows where !isIdentity(key) {
            names.insert(name(of: key))
            for index in value.indices {
                var changed = value
                changed[index] ^= 1 << UInt8(index % 8)
                try write(changed, at: key)
                #expect(try verify().damage?.position != nil, "\(name(of: key)) \(index)")
            }
            try remove([key])
            // Without any of the two the checkpoints before the last say the same.
            let isEarlier = name(of: key) == "checkpoint" && key.last != 3
            #expect((try verify().damage != nil) == !isEarlier, "\(name(of: key)) \(key)")
            if key == rows.first(where: { name(of: $0.key) == "leaf" })?.key {
                let log = try open()
                #expect(throws: EventLogError.self) { try log.checkBlocks() }
                log.close()
            }
            for index in key.indices {
                var other = key
                other[index] ^= 1
                try write(value, at: other)
                #expect(try verify().damage != nil, "\(name(of: key)) \(key) as \(other)")
                try remove([other])
                // It may have been the name of another row.
                for row in rows where row.key == other { try write(row.value, at: row.key) }
            }
            try write(value, at: key)
        }
        #expect(names.union(["frontier"]) == ["leaf", "checkpoint", "frontier", "secret", "vkey"])
        #expect(try verify().damage == nil)
    }

    @Test("a forger who makes checksums good is found, and the first bad position named")
    func forgedBlocks() async throws {
        _ = try await makeStore()
        var firsts: [Position] = []
        for (key, block) in try blocks() {
            let first = try #require(RecordKey(key.span)?.number)
            firsts.append(first)
            for offset in stride(from: 24, to: block.count, by: 5) {
                var forged = block
                forged[offset] ^= 1
                forged = withGoodChecksum(forged)
                try write(forged, at: key, in: "log")
                let found = try verify()
                #expect(found.damage?.position == first, "\(offset)")
            }
            try write(block, at: key, in: "log")
        }
        #expect(firsts.count == 3)
    }

    @Test("every changed byte of what is kept outside is found")
    func changedFolder() async throws {
        _ = try await makeStore()
        for file in ["key", "checkpoint"] {
            let path = folder.path + "/" + file
            let content = try Data(contentsOf: URL(filePath: path))
            for index in content.indices {
                var changed = content
                changed[index] ^= 1 << UInt8(index % 8)
                try changed.write(to: URL(filePath: path))
                #expect(try verify().damage != nil, "\(file) \(index)")
            }
            try content.write(to: URL(filePath: path))
        }
        #expect(try verify().damage == nil)
    }

    // MARK: - Parts

    func open() throws -> LMDBEventLog {
        try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
    }

    /// Seals a log, once it has these events too.
    @discardableResult
    func seal(
        _ log: LMDBEventLog, after batch: EventBatch? = nil
    ) async throws -> Checkpoint {
        if let batch { _ = try await log.append(batch, expecting: nil) }
        return try await log.makeCheckpoint(in: folder, random: bytes)
    }

    /// Makes a store of 300 events with three checkpoints, and events that none vouches for.
    ///
    /// - Returns: The rows of its table `meta`.
    func makeStore() async throws -> [(key: [UInt8], value: [UInt8])] {
        let log = try open()
        for round in 0..<3 {
            try await seal(log, after: heartbeats(100 * round..<100 * round + 90))
        }
        _ = try await log.append(heartbeats(300..<329), expecting: nil)
        log.close()
        return try rows(of: "meta")
    }

    func verify() throws -> LogVerification {
        try LMDBEventLog.verify(directory: directory.store) { _ in folder }
    }

    func blocks() throws -> [(key: [UInt8], value: [UInt8])] {
        // The last block is not sealed: what is in it may be anything.
        try rows(of: "log").dropLast()
    }

    func environment() throws -> LMDB.Environment {
        try LMDB.Environment(
            directory: directory.store, mapSizeBytes: 1 << 30, databases: ["log", "meta"],
            mode: .existing)
    }

    func rows(of table: String) throws -> [(key: [UInt8], value: [UInt8])] {
        let environment = try environment()
        return try environment.read { transaction in
            try transaction.withCursor(in: environment.database(table)) {
                cursor in
                var rows: [([UInt8], [UInt8])] = []
                while try cursor.moveToNext() {
                    rows.append(
                        cursor.withEntry { ([UInt8](copying: $0), [UInt8](copying: $1)) })
                }
                return rows
            }
        }
    }

    private func change(
        in table: String, _ body: (inout WriteTransaction, Database) throws -> Void
    ) throws {
        let environment = try environment()
        try environment.write { transaction in
            try body(&transaction, environment.database(table))
        }
    }

    func write(_ value: [UInt8], at key: [UInt8], in table: String = "meta") throws {
        try change(in: table) { transaction, database in
            try transaction.put(value.span, at: key, in: database)
        }
    }

    func remove(_ keys: [[UInt8]], in table: String = "meta") throws {
        try change(in: table) { transaction, database in
            for key in keys { try transaction.delete(key, in: database) }
        }
    }

    func isIdentity(_ key: [UInt8]) -> Bool {
        ["format", "id", "created"].contains(name(of: key))
    }

    func name(of key: [UInt8]) -> String {
        String(decoding: key.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }
}

/// Bytes that anybody can guess.
private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + 1) }
}
