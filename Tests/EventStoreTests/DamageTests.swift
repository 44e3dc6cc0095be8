import EventStore
import EventStoreLMDB
import Events
import Foundation
import LMDB
import Testing

@Suite("Damaged store")
struct DamageTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Makes a store with a few dozen blocks.
    ///
    /// - Returns: The bytes of its data file, and its blocks.
    private func makeStore() async throws -> (file: Data, blocks: [[UInt8]]) {
        let log = try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
        for number in 0..<12 {
            _ = try await log.append(heartbeats(number..<number + 1_500), expecting: nil)
        }
        let blocks = try log.blocks()
        log.close()
        return (try Data(contentsOf: URL(filePath: directory.dataFile)), blocks)
    }

    private func replaceFile(_ content: Data) throws {
        try FileManager.default.removeItem(atPath: directory.store)
        try FileManager.default.createDirectory(
            atPath: directory.store, withIntermediateDirectories: false)
        try content.write(to: URL(filePath: directory.dataFile))
    }

    @Test("is refused or read, and never ends the process, wherever its file is cut")
    func truncations() async throws {
        let (file, blocks) = try await makeStore()
        var random = SeededGenerator(state: 11)
        for _ in 0..<150 {
            let length = Int.random(in: 0..<file.count, using: &random)
            try replaceFile(file.prefix(length))
            do throws(EventLogError) {
                let log = try LMDBEventLog.open(directory: directory.store, mode: .existing)
                defer { log.close() }
                let found = try log.verify()
                let isWhole = try log.blocks() == blocks
                #expect(isWhole == (found.damage == nil), "length \(length)")
            } catch {
                #expect(
                    [.damaged, .alien, .notFound].contains(error.code),
                    "length \(length): \(error)")
            }
        }
    }

    @Test("is found by verification wherever a bit of a block flips, and tells how far it is good")
    func flippedBits() async throws {
        let (file, blocks) = try await makeStore()
        var random = SeededGenerator(state: 12)
        for _ in 0..<100 {
            let number = Int.random(in: 0..<blocks.count, using: &random)
            let range = try #require(file.range(of: Data(blocks[number])))
            var damaged = file
            let offset = Int.random(in: range, using: &random)
            damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try replaceFile(damaged)
            let first = try heads(of: blocks[number]).first
            do throws(EventLogError) {
                let log = try LMDBEventLog.open(directory: directory.store, mode: .existing)
                defer { log.close() }
                let found = try log.verify()
                #expect(number < blocks.count - 1, "The last block is checked at opening.")
                #expect(found.blocks == number && found.next == first)
                #expect(found.damage?.position == first || found.damage?.code == .alien)
            } catch {
                #expect(number == blocks.count - 1, "\(error)")
                #expect(error.code == .damaged || error.code == .alien)
            }
        }
    }

    /// Changes the store's table behind the log's back.
    private func change(
        _ body: (inout WriteTransaction, Database) throws(LMDBError) -> Void
    ) throws(LMDBError) {
        let environment = try Environment(
            directory: directory.store, mapSizeBytes: 1 << 30, databases: ["log"])
        try environment.write { transaction throws(LMDBError) in
            try body(&transaction, environment.database("log"))
        }
    }

    private func verified() throws(EventLogError) -> LogVerification {
        let log = try LMDBEventLog.open(directory: directory.store, mode: .readOnly)
        return try log.verify()
    }

    @Test("is found by verification and by readers if a block is missing")
    func missingBlock() async throws {
        let (_, blocks) = try await makeStore()
        let gone = try heads(of: blocks[4]).first
        try change { transaction, log throws(LMDBError) in
            try transaction.delete(RecordKey(gone), in: log)
        }
        let found = try verified()
        #expect(found.next == gone)
        #expect(found.damage?.position == gone)

        let log = try LMDBEventLog.open(directory: directory.store, mode: .readOnly)
        for start in [0, gone] {
            let error = try #require(throws: EventLogError.self) { try log.contents(from: start) }
            #expect(error.code == .damaged)
            #expect(error.position == gone)
        }
        #expect(try log.contents(from: heads(of: blocks[5]).first).isEmpty == false)
    }

    @Test("is found by verification if a block stands under another key")
    func movedBlock() async throws {
        let (_, blocks) = try await makeStore()
        let block = blocks[4]
        let own = try heads(of: block)
        try change { transaction, log throws(LMDBError) in
            try transaction.delete(RecordKey(own.first), in: log)
            try transaction.put(block.span, at: RecordKey(own.first + 1), in: log)
        }
        #expect(try verified().damage?.position == own.first)
    }

    @Test("is found by verification if a lane's indices have a gap")
    func laneGap() async throws {
        let (_, blocks) = try await makeStore()
        var builder = BlockBuilder()
        // Blocks whose only event is of another lane than those that it replaces.
        let before = blocks[2]
        try builder.resume(before.span)
        builder.startNextBlock()
        let own = try heads(of: blocks[3])
        for _ in 0..<own.count { _ = builder.append(origin.events, from: 0) }
        let block = builder.withBytes { [UInt8](copying: $0) }
        try change { transaction, log throws(LMDBError) in
            try transaction.put(block.span, at: RecordKey(own.first), in: log)
        }
        #expect(try verified().damage?.position == own.next)
    }

    @Test("is found by verification if it cannot even be opened, and the finding says what to do")
    func damagedPage() async throws {
        let (file, _) = try await makeStore()
        var damaged = file
        // The number of the newer meta page's commit: the older one would win.
        for offset in [144, 4_240] { damaged[offset] ^= 0x02 }
        damaged[file[144] > file[4_240] ? 4_240 : 144] ^= 0x02
        try replaceFile(damaged)
        let found = try LMDBEventLog.verify(directory: directory.store)
        #expect(found.next == 0)
        let damage = try #require(found.damage)
        #expect(damage.code == .damaged)
        #expect(damage.description.contains("the last commit may be missing"))
        #expect(damage.description.contains("restore the last backup"))
    }

    @Test("is not appended to if its last block is damaged")
    func damagedEnd() async throws {
        let (_, blocks) = try await makeStore()
        var last = try #require(blocks.last)
        let first = try heads(of: last).first
        last[last.count / 2] ^= 0x40
        try change { transaction, log throws(LMDBError) in
            try transaction.put(last.span, at: RecordKey(first), in: log)
        }
        let error = try #require(throws: EventLogError.self) {
            try LMDBEventLog.open(directory: directory.store, mode: .existing)
        }
        #expect(error.code == .damaged)
        #expect(error.position == first)
    }
}
