@testable import Benchmarks
import CReference
import Deciding
import EventStore
import EventStoreLMDB
import Events
import FoundationEssentials
import Projections
import TestSupport
import Testing

@Suite("Swift and C")
struct AgreementTests {
    private let workspace: Workspace
    private let stores: StorePair

    init() throws {
        workspace = try Workspace(in: FileManager.default.temporaryDirectory.path)
        stores = try workspace.stores("test")
    }

    /// Writes chunks of odd sizes to both stores and closes them.
    private func write(
        _ prologue: EventChunk, chunks: Int, _ next: (Int) throws -> EventChunk
    ) async throws {
        let (log, reference) = try stores.create(prologue)
        for index in 0..<chunks {
            let chunk = try next(1 + index * index * 37 % 1_500)
            _ = try await log.append(chunk.batch, expecting: nil)
            try reference.append(chunk)
        }
        log.close()
    }

    @Test("write equal blocks of any events", arguments: UInt64(1)...8)
    func equalBlocks(seed: UInt64) async throws {
        var mixture = StandardMixture(seed: seed)
        var odd = OddEvents(seed: seed)
        try await write(mixture.prologue(), chunks: 30) { try odd.chunk(of: $0) }
        #expect(try stores.compare() > 30)
        let reference = try ReferenceStore(directory: stores.reference)
        #expect(try reference.verify() == reference.next)
    }

    @Test("notice logs that are not equal")
    func unequalLogs() async throws {
        var mixture = StandardMixture(seed: 1)
        let (log, reference) = try stores.create(mixture.prologue())
        _ = try await log.append(mixture.chunk(of: 2_000).batch, expecting: nil)
        try reference.append(mixture.chunk(of: 2_000))
        log.close()
        withExtendedLifetime(reference) {}
        #expect(throws: LogsDiffer.self) { try stores.compare() }
    }

    @Test("add up a mixture of values that come once to four times alike", arguments: UInt64(1)...4)
    func equalMixtures(seed: UInt64) async throws {
        var mixture = StandardMixture(seed: seed)
        mixture.deliveryFactor = Int(seed)
        let totals = try await equalTotals(mixture.prologue()) { try mixture.chunk(of: $0) }
        #expect(totals.figures.maximum_bpm > 80 && totals.figures.steps > 1_000)
        try compareFold(with: totals)
    }

    @Test("add up a year of walks alike", arguments: UInt64(1)...2)
    func equalWalks(seed: UInt64) async throws {
        var walks = YearOfWalks(events: 30_000, seed: seed)
        let totals = try await equalTotals(walks.prologue()) { try walks.chunk(of: $0) }
        try compareFold(with: totals)
    }

    @Test("add up any events alike", arguments: UInt64(1)...8)
    func equalOddities(seed: UInt64) async throws {
        var mixture = StandardMixture(seed: seed)
        var odd = OddEvents(seed: seed)
        let totals = try await equalTotals(mixture.prologue()) { try odd.chunk(of: $0) }
        // Some of each are not decodable.
        #expect((1_000..<totals.figures.events / 2).contains(totals.figures.hearts))
        #expect((500..<totals.figures.events / 5).contains(totals.figures.readings))
        #expect(totals.figures.maximum_bpm > 255)
    }

    @Test("notice a fold that has not taken everything in")
    func missedEvents() async throws {
        var walks = YearOfWalks(events: 30_000, seed: 1)
        let totals = try await equalTotals(walks.prologue()) { try walks.chunk(of: $0) }
        #expect(throws: TotalsDiffer.self) { try LogState().compare(with: totals) }
    }

    /// The core totals of the same events by blocks and by rows, in Swift and in C.
    private func equalTotals(
        _ prologue: EventChunk, _ next: (Int) throws -> EventChunk
    ) async throws -> CoreTotals {
        let rows = try [ref_records, ref_sqlite].map { contender in
            try RowStore(
                contender, directory: workspace.directory(String(cString: contender.name)))
        }
        for row in rows { try row.append(prologue) }
        try await write(prologue, chunks: 40) { count in
            let chunk = try next(count)
            for row in rows { try row.append(chunk) }
            return chunk
        }
        let totals = try withLog { try CoreTotals(of: $0) }
        let blocks = try ReferenceStore(directory: stores.reference).addUp()
        try totals.compare(with: blocks, of: "C")
        for row in rows { try totals.compare(with: row.addUp(), of: row.name) }
        return totals
    }

    private func withLog<Result>(_ body: (LMDBEventLog) throws -> Result) throws -> Result {
        let log = try LMDBEventLog.open(directory: stores.swift, mode: .readOnly)
        defer { log.close() }
        return try body(log)
    }

    /// Compares the fold of the whole log with its core totals.
    private func compareFold(with totals: CoreTotals) throws {
        var state = LogState()
        try withLog { try $0.fold(into: &state) }
        try state.compare(with: totals)
    }

    @Test("accept and refuse the same damaged blocks", arguments: UInt64(1)...4)
    func equalJudgement(seed: UInt64) throws {
        var odd = OddEvents(seed: seed)
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<2_000 {
            let chunk = try odd.chunk(of: 1 + random.below(60))
            var builder = BlockBuilder()
            for index in 0..<chunk.batch.count {
                guard chunk.batch.withEvent(at: index, { builder.append($0) }) else { break }
            }
            var block = builder.withBytes { [UInt8](copying: $0) }
            for _ in 0..<random.below(3) {
                block[4 + random.below(block.count - 4)] = UInt8(random.below(256))
            }
            let checksum = CRC32C.checksum(block.span.extracting(4..<block.count))
            for index in 0..<4 { block[index] = UInt8(truncatingIfNeeded: checksum >> (index * 8)) }
            let count = Self.verifiedCount(block)
            var events = 0
            let isAccepted = ref_check_block(block, block.count, &events) == 0
            #expect(isAccepted == (count != nil), "seed \(seed), block \(block)")
            if let count, isAccepted { #expect(events == count) }
            accepted += isAccepted ? 1 : 0
        }
        #expect((500..<1_900).contains(accepted))
    }

    /// The number of events of a block that Swift accepts.
    private static func verifiedCount(_ block: [UInt8]) -> Int? {
        do throws(DamagedBlock) {
            return try BlockReader.verify(block.span)
        } catch {
            return nil
        }
    }
}
