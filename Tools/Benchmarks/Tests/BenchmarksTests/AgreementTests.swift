@testable import Benchmarks
import CReference
import EventStore
import EventStoreLMDB
import Events
import FoundationEssentials
import Projections
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

    @Test("fold the standard mixture to the same totals", arguments: UInt64(1)...4)
    func equalTotals(seed: UInt64) async throws {
        var mixture = StandardMixture(seed: seed)
        try await write(mixture.prologue(), chunks: 60) { try mixture.chunk(of: $0) }
        _ = try equalState()
    }

    @Test("fold a year of walks to the same totals", arguments: UInt64(1)...2)
    func equalWalks(seed: UInt64) async throws {
        var walks = YearOfWalks(events: 30_000, seed: seed)
        try await write(walks.prologue(), chunks: 40) { try walks.chunk(of: $0) }
        let session = try #require(try equalState().live.sessions.ended.last)
        #expect(session.route.fixes > 0 && session.pedometerMillimetres > 0)
    }

    @Test("rows fold to the totals of the log")
    func equalRows() throws {
        for (index, contender) in [ref_records, ref_sqlite, ref_rocksdb].enumerated() {
            let rows = try RowStore(contender, directory: workspace.directory("rows\(index)"))
            var mixture = StandardMixture(seed: 5)
            var state = LogState()
            for count in [8, 1, 9_000, 3_000] {
                let chunk = try mixture.chunk(of: count)
                try rows.append(chunk)
                let first = state.events
                for index in 0..<chunk.count {
                    chunk.batch.withEvent(at: index, from: first) { state.evolve($0) }
                }
            }
            try state.compare(with: rows.fold())
        }
    }

    @Test("divide values that come several times alike", arguments: UInt64(1)...4)
    func equalDivision(seed: UInt64) async throws {
        var mixture = StandardMixture(seed: seed)
        var chunks = 0
        try await write(mixture.prologue(), chunks: 60) { count in
            // Once, twice, three times, four times, once…
            mixture.deliveryFactor = 1 + chunks % 4
            chunks += 1
            return try mixture.chunk(of: count)
        }
        let sessions = try equalState().live.sessions.all
        #expect(sessions.contains { $0.heartRate.excludedCopies > 500 })
        #expect(sessions.contains { $0.link.deliveryFactor == 4 })
        #expect(sessions.contains { $0.link.spans.count > 1 })
    }

    /// The state of the log, if both sides fold to the same one and the one before differs.
    private func equalState() throws -> LogState {
        let log = try LMDBEventLog.open(directory: stores.swift, mode: .readOnly)
        let totals = try ReferenceStore(directory: stores.reference).fold()
        var state = LogState()
        var before = LogState()
        try log.read { event in
            before = state
            state.evolve(event)
            return true
        }
        var inRuns = LogState()
        try log.readBlocks(from: 0) { block in
            do throws(DamagedBlock) {
                try inRuns.evolve(block: block)
                return true
            } catch {
                Issue.record(error)
                return false
            }
        }
        log.close()
        #expect(inRuns == state)
        try state.compare(with: totals)
        #expect(state.live.sessions.all.count > 3)
        #expect(throws: TotalsDiffer.self) { try before.compare(with: totals) }
        return state
    }

    @Test("accept and refuse the same damaged blocks", arguments: UInt64(1)...4)
    func equalJudgement(seed: UInt64) throws {
        var odd = OddEvents(seed: seed)
        var random = SplitMix64(seed: seed)
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
