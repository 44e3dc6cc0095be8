import EventStore
import EventStoreLMDB
import Events
import Foundation
import LMDB
import TestSupport
import Testing

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

    @Test("numbers and positions beyond all others are refused, without a trap")
    func enormousLeaf() async throws {
        let rows = try await makeStore()
        let leaf = try #require(rows.last { name(of: $0.key) == "leaf" })
        let enormous = [UInt8](repeating: 0xFF, count: 8)
        let number = Array(leaf.key.dropLast(8)) + enormous.dropLast() + [0xFE]
        for (key, value) in [
            (leaf.key, enormous + leaf.value.dropFirst(8)), (number, leaf.value),
            (number, enormous + leaf.value.dropFirst(8)),
        ] {
            try write(value, at: key)
            #expect(try verify().damage != nil)
            let log = try open()
            await #expect(throws: (any Error).self) {
                _ = try await log.append(heartbeats(400..<401), expecting: nil)
                try await seal(log)
            }
            log.close()
            try remove([key])
            try write(leaf.value, at: leaf.key)
        }
        #expect(try verify().damage == nil)
    }
}
