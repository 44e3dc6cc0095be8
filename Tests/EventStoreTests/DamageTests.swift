import EventStore
import EventStoreLMDB
import Events
import Foundation
import LMDB
import TestSupport
import Testing

@Suite("Damaged store")
struct DamageTests {
    let directory = TemporaryDirectory.ofTest()

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
        try directory.makeStore()
        try content.write(to: URL(filePath: directory.dataFile))
    }

    @Test("is refused or read, and never ends the process, wherever its file is cut")
    func truncations() async throws {
        let (file, blocks) = try await makeStore()
        var random = SeededGenerator(seed: 11)
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
                    [.damaged, .unrecognized, .notFound].contains(error.code),
                    "length \(length): \(error)")
            }
        }
    }

    @Test("is found wherever a bit of a block flips, by who verifies, who reads and who appends")
    func flippedBits() async throws {
        let (file, blocks) = try await makeStore()
        let firsts = try blocks.map { try heads(of: $0).first }
        let last = blocks.count - 1
        var random = SeededGenerator(seed: 12)
        for round in 0..<100 {
            let number = round % 10 == 0 ? last : Int.random(in: 0..<last, using: &random)
            let range = try #require(file.range(of: Data(blocks[number])))
            var damaged = file
            let offset = Int.random(in: range, using: &random)
            damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try replaceFile(damaged)
            let log = try LMDBEventLog.open(directory: directory.store, mode: .existing)
            defer { log.close() }
            let first = firsts[number]
            let found = try log.verify()
            #expect(found.blocks == number && found.next == first)
            #expect(found.damage?.code == .damaged && found.damage?.position == first)

            func isRefused(_ body: () throws(EventLogError) -> Void) throws {
                let error = try #require(throws: EventLogError.self, performing: body)
                #expect(error.code == .damaged && error.position == first, "\(error)")
            }
            var handed: [[UInt8]] = []
            try isRefused { () throws(EventLogError) in
                try log.readBlocks(from: 0) { block in
                    handed.append([UInt8](copying: block))
                    return true
                }
            }
            #expect(handed == Array(blocks.prefix(number)), "Nothing damaged is handed over.")
            for inside in [first, first + 1, try heads(of: blocks[number]).next - 1] {
                try isRefused { () throws(EventLogError) in _ = try log.contents(from: inside) }
            }
            guard number == last else {
                #expect(try log.blocks(from: firsts[number + 1]) == Array(blocks[(number + 1)...]))
                continue
            }
            try isRefused { () throws(EventLogError) in _ = try log.next }
            try isRefused { () throws(EventLogError) in _ = try log.statistics() }
            try isRefused { () throws(EventLogError) in _ = try log.contents(from: .max) }
        }
    }

    /// Changes the store's table behind the log's back.
    private func change(
        _ body: (inout WriteTransaction, Database) throws -> Void
    ) throws {
        let environment = try Environment(
            directory: directory.store, mapSizeBytes: 1 << 30, databases: ["log"])
        try environment.write { transaction in
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
        try change { transaction, log in
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
        try change { transaction, log in
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
        try change { transaction, log in
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

    /// What keeps the data file from being this log's, while `log.id` says that it is.
    static let losses: [(name: String, change: @Sendable (inout Data?) throws -> Void)] = [
        ("no data file", { $0 = nil }),
        ("an empty one", { $0 = Data() }),
        ("another kind of file", { $0 = Data(repeating: 7, count: 20_000) }),
        ("a table with another name", { try rename("log", "lof", in: &$0) }),
        ("a row with another name", { try rename("format", "formau", in: &$0) }),
        ("a log without an id", { try rename("id", "ie", in: &$0) }),
    ]

    /// Changes a key of LMDB's pages wherever it stands.
    private static func rename(_ key: String, _ name: String, in file: inout Data?) throws {
        var content = try #require(file)
        let node = Data([UInt8(key.utf8.count), 0] + Array(key.utf8))
        var isFound = false
        while let range = content.range(of: node) {
            content.replaceSubrange(range.dropFirst(2), with: Array(name.utf8))
            isFound = true
        }
        #expect(isFound)
        file = content
    }

    @Test("is told from a folder that holds no log", arguments: losses.indices)
    func lost(index: Int) throws {
        try LMDBEventLog.open(directory: directory.store, mode: .create(origin)).close()
        var file: Data? = try Data(contentsOf: URL(filePath: directory.dataFile))
        try Self.losses[index].change(&file)
        try FileManager.default.removeItem(atPath: directory.dataFile)
        try file?.write(to: URL(filePath: directory.dataFile))
        for mode in [LogMode.readOnly, .existing, .create(origin)] {
            let error = try #require(throws: EventLogError.self, "\(Self.losses[index].name)") {
                try LMDBEventLog.open(directory: directory.store, mode: mode)
            }
            #expect(error.code == .damaged, "\(Self.losses[index].name): \(error)")
            #expect(!error.description.contains("read-write"))
        }
        #expect(try LMDBEventLog.verify(directory: directory.store).damage != nil)
        let exists = FileManager.default.fileExists(atPath: directory.dataFile)
        #expect(exists == (file != nil), "Nothing is made in its place.")
    }

    @Test("is not appended to if its last block is damaged")
    func damagedEnd() async throws {
        let (_, blocks) = try await makeStore()
        var last = try #require(blocks.last)
        let first = try heads(of: last).first
        last[last.count / 2] ^= 0x40
        try change { transaction, log in
            try transaction.put(last.span, at: RecordKey(first), in: log)
        }
        let log = try LMDBEventLog.open(directory: directory.store, mode: .existing)
        for expected in [nil, first + 1] as [Position?] {
            let error = try await #require(throws: EventLogError.self) {
                try await log.append(notes(0..<1), expecting: expected)
            }
            #expect(error.code == .damaged)
            #expect(error.position == first)
        }
        log.close()
        #expect(try verified().next == first)
    }

    @Test("is not appended to if its last block is damaged while it is open")
    func damagedWhileOpen() async throws {
        let (_, blocks) = try await makeStore()
        let log = try LMDBEventLog.open(directory: directory.store, mode: .existing)
        _ = try await log.append(notes(0..<1), expecting: nil)
        let first = try heads(of: try #require(blocks.last)).first
        let bytes = try #require(try log.blocks(from: first).first)
        let path = directory.dataFile
        // LMDB's locks are on the lock file: to read the data file and close it drops none.
        let file = try Data(contentsOf: URL(filePath: path))
        let offset = try #require(file.range(of: Data(bytes))).lowerBound + bytes.count / 2
        await #expect(processExitsWith: .success) {
            [path = path as String, offset = offset as Int] in
            let descriptor = Glibc.open(path, O_RDWR)
            var byte: UInt8 = 0
            #expect(pread(descriptor, &byte, 1, offset) == 1)
            byte ^= 0x10
            #expect(pwrite(descriptor, &byte, 1, offset) == 1)
        }
        let error = try await #require(throws: EventLogError.self) {
            try await log.append(notes(1..<2), expecting: nil)
        }
        #expect(error.code == .damaged && error.position == first)
    }
}
