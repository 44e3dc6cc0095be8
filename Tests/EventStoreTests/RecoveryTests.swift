import EventStore
import Events
import Foundation
import TestSelection
import TestSupport
import Testing

@testable import EventStoreLMDB

/// What is kept of a file in which anything may be damaged.
@Suite("Recovery")
struct RecoveryTests {
    let directory = TemporaryDirectory.ofTest()

    static let newOrigin = makeOrigin(
        id: [UInt8](repeating: 9, count: 16), createdMilliseconds: 99,
        .originBegan(OriginBegan(cause: .recovered)), at: stamp(9_000_000, boot: 1))

    /// A log of 300 events and more blocks than one, as its file and as its blocks.
    struct Whole {
        let file: Data
        let blocks: [[UInt8]]
        let events: [PlainEvent]

        /// How many events stand in front of the first block that is nowhere in a file.
        func intactPrefix(of file: Data) throws -> Int {
            var count = 0
            for block in blocks {
                guard file.range(of: Data(block)) != nil else { break }
                count += try heads(of: block).count
            }
            return count
        }
    }

    func makeWhole() async throws -> Whole {
        let log = try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
        var number = 1
        while number < 300 {
            let end = min(number + 1 + number % 13, 300)
            _ = try await log.append(
                notes(number..<end, author: String(repeating: "walker ", count: 7)),
                expecting: nil)
            number = end
        }
        let (blocks, events) = (try log.blocks(), try log.contents())
        log.close()
        #expect(blocks.count > 4 && events.count == 300)
        return Whole(
            file: try Data(contentsOf: URL(filePath: directory.dataFile)), blocks: blocks,
            events: events)
    }

    /// What came of a recovery.
    struct Recovered {
        let report: LogRecovery
        /// The events of the new store.
        let events: [PlainEvent]
        let beyond: [PlainEvent]
    }

    /// Recovers a file, and checks what must hold of any.
    func recover(_ file: Data, of whole: Whole, _ words: String) throws -> Recovered? {
        try file.write(to: URL(filePath: directory.dataFile))
        let out = directory.path + "/out"
        var beyond: [PlainEvent] = []
        let outcome: CopyOutcome<LogRecovery>
        do throws(LogCreationError<EventLogError>) {
            outcome = try directory.recover(to: out) { block in
                do {
                    try BlockReader.forEach(in: block) { event in
                        beyond.append(PlainEvent(event))
                        return true
                    }
                } catch {
                    Issue.record(error)
                }
                return [1]
            }
        } catch {
            guard case .log(let cause) = error, cause.code == .damaged,
                !cause.detail.contains("another log")
            else { throw error }
            #expect(whole.blocks.allSatisfy { file.range(of: Data($0)) == nil }, "\(words)")
            #expect(!FileManager.default.fileExists(atPath: out))
            return nil
        }
        #expect(try Data(contentsOf: URL(filePath: directory.dataFile)) == file)
        guard case .made(let report) = outcome else { throw ProgramError("\(outcome)") }
        let log = try LMDBEventLog.open(directory: out, mode: .readOnly)
        defer { log.close() }
        let events = try log.contents()
        let kept = Int(report.keptEvents)
        #expect(try log.verify().damage == nil, "\(words)")
        #expect(log.id == Self.newOrigin.id && events.count == kept + 1, "\(words)")
        #expect(Array(whole.events.prefix(kept)) == Array(events.dropLast()), "\(words)")
        #expect(try kept >= whole.intactPrefix(of: file), "\(words)")
        for event in beyond {
            #expect(event == whole.events[Int(event.header.position)], "\(words)")
            #expect(event.header.position >= report.keptEvents, "\(words)")
        }
        // All intact blocks are kept or found beyond, and what is missing is said.
        let found = Set(beyond.map(\.header.position))
        for block in whole.blocks where file.range(of: Data(block)) != nil {
            let (first, next) = (try heads(of: block).first, try heads(of: block).next)
            #expect(next <= kept || found.isSuperset(of: first..<next), "\(words): \(first)")
        }
        #expect(report.beyond.flatMap(Array.init) == beyond.map(\.header.position), "\(words)")
        #expect(kept == whole.events.count || report.end != .whole, "\(words)")
        #expect(
            FileManager.default.fileExists(atPath: out + "/beyond") == !beyond.isEmpty, "\(words)")
        try FileManager.default.removeItem(atPath: out)
        return Recovered(report: report, events: events, beyond: beyond)
    }

    @Test("keeps everything of a log that holds, and says that nothing is missing")
    func sound() async throws {
        let whole = try await makeWhole()
        let recovered = try #require(try recover(whole.file, of: whole, "sound"))
        #expect(recovered.report.keptEvents == 300 && recovered.report.end == .whole)
        #expect(recovered.report.keptBlocks == whole.blocks.count)
        #expect(recovered.beyond.isEmpty)
    }

    @Test("keeps what stands before a damaged page, and finds what stands after it")
    func pages() async throws {
        let whole = try await makeWhole()
        var cutCount = 0
        for page in 0..<whole.file.count / 4_096 {
            let range = page * 4_096..<(page + 1) * 4_096
            var (zeroed, noise, flipped) = (whole.file, whole.file, whole.file)
            zeroed.replaceSubrange(range, with: Data(count: 4_096))
            var generator = SeededGenerator(seed: UInt64(page))
            noise.replaceSubrange(
                range, with: (0..<4_096).map { _ in UInt8.random(in: 0...255, using: &generator) })
            flipped[range.lowerBound + 700] ^= 4
            for (words, file) in [("zero", zeroed), ("noise", noise), ("flip", flipped)] {
                let words = "\(words) of page \(page)"
                guard let recovered = try recover(file, of: whole, words),
                    recovered.report.keptEvents < 300
                else { continue }
                cutCount += 1
                #expect(recovered.report.eventsBeyond == UInt64(recovered.beyond.count))
            }
        }
        #expect(cutCount > 4)
    }

    @Test("keeps the beginning of a file that was cut")
    func truncations() async throws {
        let whole = try await makeWhole()
        for page in 0...whole.file.count / 4_096 {
            for length in [page * 4_096, page * 4_096 + 1, (page + 1) * 4_096 - 1]
            where length <= whole.file.count {
                _ = try recover(whole.file.prefix(length), of: whole, "cut at \(length)")
            }
        }
    }

    @Test("keeps everything when pages were exchanged: a block says itself where it belongs")
    func exchanges() async throws {
        let whole = try await makeWhole()
        let count = whole.file.count / 4_096
        for page in 0..<count - 1 {
            var file = whole.file
            let other = (page + 1 + page % 3) % count
            let (first, second) = (page * 4_096, other * 4_096)
            file.replaceSubrange(first..<first + 4_096, with: whole.file[second..<second + 4_096])
            file.replaceSubrange(second..<second + 4_096, with: whole.file[first..<first + 4_096])
            let recovered = try recover(file, of: whole, "pages \(page) and \(other)")
            #expect(recovered?.report.keptEvents == 300, "pages \(page) and \(other)")
        }
    }

    @Test(
        "survives any byte changed, and then keeps a prefix",
        arguments: sample([1, 2, 3] as [UInt64], 1))
    func bytes(seed: UInt64) async throws {
        let whole = try await makeWhole()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<(everythingIsTested ? 60 : 15) {
            var file = whole.file
            let offset = Int.random(in: 0..<file.count, using: &generator)
            file[offset] = file[offset] &+ UInt8.random(in: 1...255, using: &generator)
            let recovered = try recover(file, of: whole, "seed \(seed), byte \(offset)")
            #expect(recovered != nil, "seed \(seed), byte \(offset)")
        }
    }

    @Test("refuses what has no block, or no file, and keeps a later block beside an empty log")
    func nothing() async throws {
        let whole = try await makeWhole()
        for count in [0, 1, 25, 4_096, 100_000] {
            let noise = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            #expect(try recover(noise, of: whole, "\(count) bytes of noise") == nil)
        }
        let later = try recover(Data(whole.blocks[1]), of: whole, "a later block")
        #expect(try later?.report.beyond == [heads(of: whole.blocks[1]).range])
        #expect(later?.report.keptEvents == 0 && later?.report.end == .cut)
        let pages = whole.blocks[0] + [UInt8](repeating: 0, count: 8 - whole.blocks[0].count % 2)
        let first = try recover(Data(pages + whole.blocks[2]), of: whole, "no pages")
        #expect(try first?.report.keptEvents == heads(of: whole.blocks[0]).next)
        #expect(try first?.report.beyond == [heads(of: whole.blocks[2]).range])
        try FileManager.default.removeItem(atPath: directory.dataFile)
        let missing = try #require(throws: LogCreationError<EventLogError>.self) {
            try directory.recover(to: directory.path + "/out")
        }
        guard case .log(let error) = missing, error.code == .notFound else { throw missing }
    }

    @Test("makes nothing while others write to the log: what was read would not fit together")
    func writtenTo() async throws {
        _ = try await makeWhole()
        let log = try LMDBEventLog.open(directory: directory.store, mode: .existing)
        defer { log.close() }
        let batch = try heartbeats(0..<5)
        let error = try #require(throws: LogCreationError<EventLogError>.self) {
            try directory.recover(
                to: directory.path + "/out",
                progress: { _ in
                    append(batch, to: log)
                    return true
                })
        }
        guard case .log(let cause) = error else { throw ProgramError("\(error)") }
        #expect(cause.code == .busy)
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/out"))
    }

    /// Appends, and returns when that is done.
    private func append(_ batch: EventBatch, to log: LMDBEventLog) {
        let done = DispatchSemaphore(value: 0)
        Task {
            _ = try await log.append(batch, expecting: nil)
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 30) == .success)
    }

    @Test("refuses the data of another log, unless nothing says so")
    func otherLog() async throws {
        let whole = try await makeWhole()
        let identity = URL(filePath: directory.store + "/log.id")
        let own = try Data(contentsOf: identity)
        try Data(String(repeating: "ab", count: 16).utf8 + [10]).write(to: identity)
        let error = #expect(throws: (any Error).self) {
            try recover(whole.file, of: whole, "another log")
        }
        #expect(error.map { "\($0)".contains("belongs to another log") } == true)
        for content in [Data("no id\n".utf8), own] {
            try content.write(to: identity)
            #expect(try recover(whole.file, of: whole, "own")?.report.keptEvents == 300)
        }
    }

    @Test("takes the version of a block after which the log goes on, unless the tree tells another")
    func versions() throws {
        var builder = BlockBuilder()
        var versions: [[UInt8]] = []
        for count in [5, 9, 12] {
            let more = try notes(Int(builder.next)..<count)
            _ = builder.append(more, from: 0)
            versions.append(builder.withBytes { [UInt8](copying: $0) })
        }
        var follower = BlockBuilder()
        _ = follower.append(try notes(0..<9), from: 0)
        follower.startNextBlock()
        _ = follower.append(try notes(9..<11), from: 0)
        versions.append(follower.withBytes { [UInt8](copying: $0) })
        var offset = 0
        let found = try versions.map { block in
            let heads = try heads(of: block)
            defer { offset += 10_000 }
            return BlockSearch.Found(
                first: heads.first, count: UInt32(heads.count), byteCount: UInt32(block.count),
                offset: offset)
        }
        func chain(_ indices: [Int], _ places: [Position: Int] = [:], all: Bool = false)
            -> BlockChain
        {
            BlockChain(indices.map { found[$0] }, places: places, areAllPlaces: all) { found in
                do {
                    return try EventStoreTests.heads(of: versions[found.offset / 10_000])
                } catch {
                    return nil
                }
            }
        }
        // Five, nine, twelve events from 0; two from 9.
        #expect(chain([3, 2, 1, 0]).kept == [found[1], found[3]])
        #expect(chain([3, 2, 0]).kept == [found[2]])
        #expect(chain([3, 0]).kept == [found[0]])
        #expect(chain([3, 0]).beyond == [found[3]])
        #expect(chain([0, 1, 2]).kept == [found[2]])
        #expect(chain([0, 1, 2], [0: 10_000], all: true).kept == [found[1]])
        #expect(chain([0, 1, 2], [0: 10_000]).kept == [found[2]])
        #expect(chain([0], [0: 0, 9: 30_000]).end == .cut)
        #expect(chain([0], [0: 0]).end == .doubtful)
        #expect(chain([0], [0: 0], all: true).end == .whole)
        #expect(chain([0], [0: 10_000], all: true).end == .cut)
    }
}

extension TemporaryDirectory {
    /// Recovers what is in the store, and passes on the blocks beyond what is kept.
    func recover(
        to path: String, beyond: @escaping (Span<UInt8>) -> [UInt8] = { _ in [1] },
        progress: (CopyProgress) -> Bool = { _ in true }
    ) throws(LogCreationError<EventLogError>) -> CopyOutcome<LogRecovery> {
        try LMDBEventLog.recover(
            from: store, to: path, beyond: BlockTranscript(name: "beyond", lines: beyond),
            origin: { _ throws(EventLogError) in RecoveryTests.newOrigin }, progress: progress)
    }
}

extension BlockHeads {
    /// The positions of the block's events.
    fileprivate var range: Range<Position> { first..<next }
}
