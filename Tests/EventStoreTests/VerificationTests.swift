import EventStore
import EventStoreLMDB
import Events
import Foundation
import TestSupport
import Testing

@Suite("Evidence verified")
struct VerificationTests {
    let directory = TemporaryDirectory.ofTest()
    private var folder: CheckpointFolder { CheckpointFolder(directory.path + "/kept/log") }

    /// Makes a log of some hundred blocks with a few checkpoints, and events that none vouches for.
    ///
    /// - Returns: The bytes of its data file, and its blocks.
    private func makeStore() async throws -> (file: Data, blocks: [[UInt8]]) {
        let log = try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
        for round in 0..<5 {
            let numbers = round * 2_000..<(round + 1) * 2_000
            let author = String(repeating: "x", count: 120)
            _ = try await log.append(notes(numbers, author: author), expecting: nil)
            try await log.makeCheckpoint(in: folder) { [UInt8](repeating: 5, count: $0) }
        }
        _ = try await log.append(notes(0..<900, author: "y"), expecting: nil)
        let blocks = try log.blocks()
        #expect(blocks.count > 300)
        log.close()
        return (try Data(contentsOf: URL(filePath: directory.dataFile)), blocks)
    }

    private func replaceFile(_ content: Data) throws {
        try content.write(to: URL(filePath: directory.dataFile))
    }

    @Test("is the first damage of several")
    func firstDamage() async throws {
        let (file, blocks) = try await makeStore()
        var random = SeededGenerator(seed: 32)
        for round in 0..<20 {
            var damaged = file
            // Each fourth time only among the last ones, for which nothing vouches but themselves.
            let beginning = round % 4 == 0 ? blocks.count - 20 : 0
            let hit = (0...round % 3).map { _ in
                Int.random(in: beginning..<blocks.count, using: &random)
            }
            for number in Set(hit).sorted() {
                let range = try #require(file.range(of: Data(blocks[number])))
                let offset = Int.random(in: range, using: &random)
                damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            try replaceFile(damaged)
            let number = try #require(hit.min())
            let first = try heads(of: blocks[number]).first
            let log = try LMDBEventLog.open(directory: directory.store, mode: .readOnly)
            defer { log.close() }
            let found = try log.verify(comparingWith: folder)
            #expect(found.damage?.code == .damaged, "round \(round)")
            #expect(found.damage?.position == first, "round \(round)")
            #expect(found.blocks == number && found.next == first)
            #expect(!found.areEventsGood)
        }
    }

    @Test("tells how far it is, and ends where it is told to")
    func progress() async throws {
        _ = try await makeStore()
        let log = try LMDBEventLog.open(directory: directory.store, mode: .readOnly)
        defer { log.close() }
        var shares: [Double] = []
        let whole = try log.verify(comparingWith: folder) { progress in
            #expect(progress.step == .verifying)
            shares.append(Double(progress.doneBytes) / Double(progress.allBytes))
            return true
        }
        #expect(!whole.isStopped && whole.damage == nil)
        #expect(shares == shares.sorted() && shares.allSatisfy { $0 > 0 && $0 <= 1 })
        #expect(shares.last == 1)
        let stopped = try log.verify(comparingWith: folder) { _ in false }
        #expect(stopped.isStopped && stopped.next < whole.next)
    }
}
