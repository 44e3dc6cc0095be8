import Foundation
import TestSelection
import TestSupport
import Testing

@testable import LMDB

@Suite("Page walk")
struct PageWalkTests {
    let directory = TemporaryDirectory.ofTest()

    /// Walks the snapshot that the last commit has left.
    private func walk(_ environment: LMDB.Environment) throws {
        let file = DataFile(
            descriptor: open(directory.dataFile, O_RDONLY), path: directory.dataFile)
        defer { close(file.descriptor) }
        let metas = try MetaPages(file)
        let last = UInt64(try environment.info.lastTransactionID)
        let (page, before) = try #require(metas.page(of: last))
        let lost = try PageWalk.check(page, before: before, in: file)
        #expect(lost.isEmpty)
    }

    /// One random transaction; it may give up, or find the map full.
    private func change(
        _ environment: LMDB.Environment, _ generator: inout SeededGenerator
    ) throws {
        struct GivenUp: Error {}
        var random = generator
        defer { generator = random }
        do {
            try environment.write { transaction in
                let largest = [10, 100, 3_000, 60_000].randomElement(using: &random) ?? 0
                let database = environment.database(Bool.random(using: &random) ? "log" : "other")
                for _ in 0..<Int.random(in: 1...100, using: &random) {
                    let key = RecordKey(UInt64.random(in: 0..<600, using: &random))
                    if Int.random(in: 0..<3, using: &random) == 0 {
                        try transaction.delete(key, in: database)
                    } else {
                        let size = Int.random(in: 0...largest, using: &random)
                        try transaction.put(payload(of: 1, size).span, at: key, in: database)
                    }
                }
                if Int.random(in: 0..<10, using: &random) == 0 { throw GivenUp() }
            }
        } catch is GivenUp {
        } catch let error as LMDBError where error.code == .mapFull {
        }
    }

    /// A view that is held keeps pages in the free list, and values that are written over and over
    /// within a transaction keep more pages than they need.
    @Test("finds nothing in a healthy file, whatever was done to it", arguments: sample(1...3, 1))
    func healthy(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let environment = try Environment(
            directory: directory.path, mapSizeBytes: 24 * mebibyte, databases: ["log", "other"])
        for round in 0..<40 {
            if round % 4 == 0 {
                try environment.read { _ in
                    for _ in 0..<5 { try change(environment, &generator) }
                }
            }
            try change(environment, &generator)
            #expect(throws: Never.self, "seed \(seed), round \(round)") { try walk(environment) }
        }
    }

    /// A view that is held for hundreds of commits makes a free list of several levels, which
    /// shrinks again when later commits use it up.
    @Test(
        "finds nothing in a healthy file whose free list grows and shrinks", .slow, arguments: 1...2
    )
    func freeList(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let environment = try openEnvironment(directory.path)
        var greatestDepth = 0
        for _ in 0..<2 {
            try environment.read { _ in
                for _ in 0..<Int.random(in: 100...150, using: &generator) {
                    try shuffle(environment, 0..<300, &generator)
                }
            }
            greatestDepth = max(greatestDepth, try freeListDepth(environment))
            for _ in 0..<60 {
                try shuffle(environment, 0..<600, &generator)
                #expect(throws: Never.self, "seed \(seed)") { try walk(environment) }
            }
        }
        #expect(greatestDepth > 1)
    }

    /// Writes and deletes some values in one transaction.
    private func shuffle(
        _ environment: LMDB.Environment, _ keys: Range<UInt64>, _ random: inout SeededGenerator
    ) throws {
        var generator = random
        defer { random = generator }
        try environment.write { transaction in
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let key = RecordKey(UInt64.random(in: keys, using: &generator))
                if Bool.random(using: &generator) {
                    try transaction.delete(key, in: environment.log)
                } else {
                    let size = Int.random(in: 0...6_000, using: &generator)
                    try transaction.put(payload(of: 1, size).span, at: key, in: environment.log)
                }
            }
        }
    }

    private func freeListDepth(_ environment: LMDB.Environment) throws -> Int {
        let metas = try #require(try MetaPages.inspect(path: directory.dataFile))
        let last = UInt64(try environment.info.lastTransactionID)
        return try #require(metas.page(of: last)).page.freeList.depth
    }

    @Test("is done again after another process has committed")
    func otherProcess() async throws {
        let environment = try openEnvironment(directory.path, appending: 0..<2_000)
        // As another process would: with a commit of its own, and then damage.
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            try openEnvironment(path, appending: 2_000..<2_100)
        }
        #expect(try environment.numbers() == Array(0..<2_100))
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            do {
                try openEnvironment(path, appending: 2_100..<2_200)
            }
            let file = try #require(FileHandle(forUpdatingAtPath: path + "/data.mdb"))
            // Every page of the trees: the flags of its header.
            for page in 2..<20 {
                try file.seek(toOffset: UInt64(page * 4_096 + 10))
                try file.write(contentsOf: [0x06])
            }
        }
        #expect(try errorCode { try environment.numbers() } == .corrupted)
        #expect(try errorCode { try environment.append(2_200..<2_201) } == .corrupted)
    }

    @Test("counts pages that are neither in use nor free, and lets the file be used")
    func lostPages() throws {
        try openEnvironment(directory.path).append(0..<500)
        var file = try directory.data
        let metas = try #require(try MetaPages.inspect(path: directory.dataFile))
        let before = metas.mapSizeBytes.used / 4_096
        file.append(Data(count: 3 * 4_096))
        let end = file.count / 4_096
        // mm_last_pg
        for meta in [0, 4_096] { file[meta + 136] = UInt8(end - 1) }
        try directory.write(file)
        let environment = try openEnvironment(directory.path, mode: .existing)
        #expect(environment.lostPages.count == end - before && end - before > 2)
        try environment.append(500..<600)
        #expect(try environment.numbers() == Array(0..<600))
        let copy = directory.path + "/copy"
        _ = try environment.copy(toDirectory: copy, compacting: true)
        #expect(try openEnvironment(copy, mode: .readOnly).lostPages.isEmpty)
    }
}
