import EventStore
import Foundation
import LMDB
import TamperEvidence
import TestSupport
import Testing

@testable import EventStoreLMDB

/// What a store tells from which somebody took what vouches for it, or put in what nobody wrote.
extension EvidenceTests {
    @Test("a store of before the first checkpoint is an older state, too, and gets no other key")
    func rollbackToUnsigned() async throws {
        var log = try open()
        _ = try await log.append(heartbeats(0..<100), expecting: nil)
        log.close()
        let old = try Data(contentsOf: URL(filePath: directory.dataFile))
        #expect(try verify().damage == nil, "Nothing is signed yet.")
        log = try open()
        try await seal(log)
        log.close()
        try old.write(to: URL(filePath: directory.dataFile))
        let found = try verify()
        #expect(found.damage?.detail.contains("older state") == true)
        #expect(found.areEventsGood)
        let key = folder.path + "/key"
        try FileManager.default.removeItem(atPath: key)
        #expect(try verify().damage != nil, "The checkpoint alone says so, too.")
        log = try open()
        let error = await #expect(throws: CheckpointError.self) { try await seal(log) }
        #expect(error?.code == .keyMissing)
        #expect(!FileManager.default.fileExists(atPath: key))
    }

    @Test("a store whose evidence was taken away, all of it or its secret, is not signed anew")
    func evidenceTakenAway() async throws {
        let rows = try await makeStore().filter { !isIdentity($0.key) }
        let secret = try #require(rows.first { name(of: $0.key) == "secret" })
        try remove([secret.key])
        var log = try open()
        let error = await #expect(throws: CheckpointError.self) { try await seal(log) }
        #expect(error?.description.contains("its secret is missing") == true)
        log.close()
        #expect(try self.rows(of: "meta").allSatisfy { name(of: $0.key) != "secret" })
        try remove(rows.map(\.key))
        #expect(try verify().damage?.detail.contains("older state") == true)
        log = try open()
        await #expect(throws: CheckpointError.self) { try await seal(log) }
    }

    @Test("sealed blocks that are gone are damage, however many are left, and nothing is appended")
    func blocksTakenAway() async throws {
        for round in 1...3 {
            var log = try open()
            if round > 1 { _ = try await log.append(heartbeats(round..<round + 1), expecting: nil) }
            try await seal(log)
            log.close()
            let sealed = try rows(of: "log")
            #expect(sealed.count == round)
            for count in 0..<round {
                try remove(sealed[count...].map(\.key), in: "log")
                log = try open()
                #expect(throws: EventLogError.self) { try log.next }
                #expect(throws: EventLogError.self) { try log.read { _ in true } }
                let error = await #expect(throws: EventLogError.self) {
                    try await log.append(heartbeats(0..<1), expecting: nil)
                }
                #expect(error?.code == .damaged, "\(count) of \(round)")
                log.close()
                #expect(try rows(of: "log").map(\.value) == sealed[..<count].map(\.value))
                for block in sealed[count...] { try write(block.value, at: block.key, in: "log") }
            }
        }
    }

    @Test("signed anew by the same key, a history is disputed from where the two part, not later")
    func signedAnew() async throws {
        var log = try open()
        var shared = Data()
        for round in 0..<5 {
            try await seal(log, after: heartbeats(100 * round..<100 * round + 100))
            guard round == 1 else { continue }
            log.close()
            shared = try Data(contentsOf: URL(filePath: directory.dataFile))
            log = try open()
        }
        log.close()
        // Elsewhere, with the same key, the third hundred is another.
        try shared.write(to: URL(filePath: directory.dataFile))
        let elsewhere = CheckpointFolder(directory.path + "/elsewhere")
        try makeFolder(elsewhere.path)
        try FileManager.default.copyItem(
            atPath: folder.path + "/key", toPath: elsewhere.path + "/key")
        log = try open()
        for round in 0..<5 {
            _ = try await log.append(heartbeats(7 * round..<7 * round + 100), expecting: nil)
            try await log.makeCheckpoint(in: elsewhere) { [UInt8](repeating: 1, count: $0) }
        }
        log.close()
        let found = try verify()
        #expect(found.damage?.position == 201 && found.areEventsGood)
        #expect(found.damage?.detail == "the first 3 blocks are not those that were signed")
        // Of a folder that knows the last checkpoint only, nothing before is known to be agreed.
        try FileManager.default.removeItem(atPath: folder.path + "/checkpoints")
        #expect(try verify().damage?.position == 0)
    }

    @Test("a key without any signature has signed once, unless its first one is not finished")
    func signaturesGone() async throws {
        let rows = try await makeStore().filter { name(of: $0.key) == "checkpoint" }
        try remove(rows.map(\.key))
        for file in ["checkpoint", "checkpoints"] {
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
        }
        var found = try verify()
        #expect(found.damage?.detail.contains("signatures are gone") == true)
        #expect(found.damage?.position == 0 && found.areEventsGood)
        try remove(self.rows(of: "meta").map(\.key).filter { !isIdentity($0) })
        found = try verify()
        #expect(found.damage?.detail.contains("signatures are gone") == true, "The key is left.")
        // As after a power cut between the key and the first checkpoint.
        try Data().write(to: URL(filePath: folder.path + "/checkpoints"))
        #expect(try verify().damage == nil)
    }

    @Test("a checkpoint that is gone is missed after what those that are known vouch for")
    func checkpointsGone() async throws {
        let rows = try await makeStore().filter { name(of: $0.key) == "checkpoint" }
        for count in 1...3 {
            try remove(rows.suffix(count).map(\.key))
            let found = try verify()
            #expect(found.damage?.position == 271 && found.areEventsGood, "\(count)")
            #expect(found.damage?.detail.contains("missing from the store") == true)
            for row in rows { try write(row.value, at: row.key) }
        }
        // The list outside has all of them.
        try remove(rows.map(\.key))
        try FileManager.default.removeItem(atPath: "\(folder.path)/checkpoint")
        #expect(try verify().damage?.position == 271)
        let log = try open()
        try await seal(log)
        #expect(try log.verify(comparingWith: folder).damage == nil, "It was only missing.")
    }

    @Test("blocks before a bad one are vouched for by a later checkpoint of the store, or not")
    func sealedAnew() async throws {
        let rows = try await makeStore()
        let checkpoints = rows.filter { name(of: $0.key) == "checkpoint" }
        try remove(checkpoints.dropLast().map(\.key))
        for file in ["checkpoint", "checkpoints"] {
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
        }
        let block = try blocks()[1]
        let position = try #require(RecordKey(block.key.span)?.number)
        try remove([block.key], in: "log")
        #expect(try verify().damage?.position == position, "The leaves are those that were signed.")
        // Sealed with another secret, the first block is not vouched for either.
        try write(block.value, at: block.key, in: "log")
        let secret = [UInt8](repeating: 5, count: SectionSalts.secretBytes)
        try remove(rows.map(\.key).filter { name(of: $0) == "leaf" })
        try write(secret, at: Array("secret".utf8))
        let log = try open()
        let writer = try #require(log.writer)
        _ = try await writer.change { transaction, environment in
            try Sealing(salts: SectionSalts(secret: secret)).sealBlocks(&transaction, environment)
        }
        let tree = try log.tree(ofFirst: 3)
        let seed = [UInt8](repeating: 6, count: NoteSigner.seedBytes)
        let stranger = try #require(NoteSigner(name: log.origin, seed: seed))
        log.close()
        try remove([block.key], in: "log")
        #expect(try verify().damage?.position == 0)
        // Nor by a stranger, whose key and checkpoint are put outside.
        let head = Checkpoint(origin: stranger.verifier.name, size: tree.size, root: tree.root)
        for (file, text) in [
            ("key", "\(stranger.text)\n"), ("checkpoint", head.signed(by: stranger).content),
        ] {
            try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(file)"))
        }
        #expect(try verify().damage?.position == 0)
    }

    @Test("keeps a bounded number of checkpoints outside, the first and the last among them")
    func manyCheckpoints() async throws {
        let log = try open()
        var first = ""
        for round in 0..<100 {
            try await seal(log, after: heartbeats(round..<round + 1))
            if round == 0 { first = try #require(try log.lastCheckpoint()) }
        }
        let kept = try String(contentsOfFile: folder.path + "/checkpoints", encoding: .utf8)
        let last = try #require(try log.lastCheckpoint())
        #expect(kept.hasPrefix(first) && kept.hasSuffix(last))
        let count = kept.split(separator: "\n").count { $0.hasPrefix("pulselog/") }
        #expect((32...64).contains(count))
        #expect(try log.verify(comparingWith: folder).damage == nil)
    }

    @Test("a log that another process gave its key is not sealed with a second one")
    func firstOfTwo() async throws {
        let log = try open()
        try await seal(log)
        let key = try #require(try log.publicKey()).vkey
        let writer = try #require(log.writer)
        // What comes next of a first checkpoint whose maker found no key in the log.
        for (vkey, isRefused) in [(key, false), (key + "x", true)] {
            let secret = try await writer.change { transaction, environment in
                try transaction.secret(or: [UInt8](repeating: 9, count: 32), vkey, environment)
            }
            #expect((secret == nil) == isRefused)
        }
    }

    @Test("a store of another format is told by its number")
    func otherFormat() async throws {
        _ = try await makeStore()
        let formats: [([UInt8], String)] = [([3, 0, 0, 0], "format 3"), ([3], "no format")]
        for (format, words) in formats {
            try write(format, at: Array("format".utf8))
            let error = #expect(throws: EventLogError.self) { _ = try open() }
            #expect(error?.code == .unrecognized)
            #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
        }
    }
}
