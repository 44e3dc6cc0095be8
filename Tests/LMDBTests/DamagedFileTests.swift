import Foundation
import Testing

@testable import LMDB

@Suite("Damaged file")
struct DamagedFileTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func truncate(toBytes size: Int) {
        #expect(Foundation.truncate(directory.dataFile, size) == 0)
    }

    @Test("is refused if it is something else", arguments: [1, 100, 5_000, 100_000])
    func alien(byteCount: Int) throws {
        let alien = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try alien.write(to: URL(filePath: directory.dataFile))
        let error = try #require(throws: LMDBError.self) { try openEnvironment(directory.path) }
        #expect(error.code == .invalidFile)
        #expect(try Data(contentsOf: URL(filePath: directory.dataFile)) == alien)
    }

    @Test("is refused if it is a directory")
    func notAFile() throws {
        try FileManager.default.createDirectory(
            atPath: directory.dataFile, withIntermediateDirectories: false)
        let error = try #require(throws: LMDBError.self) { try openEnvironment(directory.path) }
        #expect(error.code == .invalidFile)
    }

    /// In a process of its own, since what must not happen is a signal.
    @Test("cut anywhere, opens whole or is refused untouched", arguments: [1, 2, 3] as [UInt64])
    func truncations(seed: UInt64) async {
        await #expect(processExitsWith: .success) { [seed] in
            let directory = try TemporaryDirectory()
            do {
                let environment = try openEnvironment(directory.path)
                for start in stride(from: UInt64(0), to: 2_000, by: 200) {
                    let byteCount = start % 400 == 0 ? 90 : 4_080
                    try environment.append(start..<start + 200, byteCount: byteCount)
                }
            }
            let whole = try Data(contentsOf: URL(filePath: directory.dataFile))
            var generator = SeededGenerator(state: seed)
            var refusedCount = 0
            for _ in 0..<150 {
                let length = Int.random(in: 0..<whole.count, using: &generator)
                try whole.prefix(length).write(to: URL(filePath: directory.dataFile))
                do {
                    let environment = try openEnvironment(directory.path, mode: .readOnly)
                    #expect(
                        try environment.numbers() == Array(0..<2_000),
                        "seed \(seed), length \(length)")
                } catch let error as LMDBError {
                    refusedCount += 1
                    let expected: [LMDBError.Code] = [
                        .environmentMissing, .invalidFile, .damagedMetaPages, .truncated,
                    ]
                    #expect(expected.contains(error.code), "seed \(seed), length \(length)")
                }
                #expect(try Data(contentsOf: URL(filePath: directory.dataFile)).count == length)
            }
            #expect(refusedCount > 0)
        }
    }

    /// The pages of a deleted value are free, and later commits take the first of them.
    @Test("that lacks only free pages at its end is read as it is, and written")
    func shortButHealthy() throws {
        do {
            let environment = try openEnvironment(directory.path)
            try environment.append(0..<100, byteCount: 4_000)
            try environment.write { transaction throws(LMDBError) in
                try transaction.put(
                    payload(of: 200, 400_000).span, at: RecordKey(200), in: environment.log)
            }
            try environment.write { transaction throws(LMDBError) in
                try transaction.delete(RecordKey(200), in: environment.log)
            }
            for number in UInt64(100)..<104 { try environment.append(number..<number + 1) }
        }
        let size = try Data(contentsOf: URL(filePath: directory.dataFile)).count - 40 * 4_096
        truncate(toBytes: size)
        #expect(
            try openEnvironment(directory.path, mode: .readOnly).numbers() == Array(0..<104))
        #expect(try Data(contentsOf: URL(filePath: directory.dataFile)).count == size)
        let environment = try openEnvironment(directory.path)
        try environment.append(104..<300, byteCount: 4_000)
        #expect(try environment.numbers() == Array(0..<300))
    }

    @Test("cut while it is open, is refused before the map is touched")
    func cutWhileOpen() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let environment = try openEnvironment(directory.path)
            try environment.append(0..<1_000)
            #expect(try environment.numbers().count == 1_000)
            for size in [20_000, 4_096, 0] {
                #expect(Foundation.truncate(directory.dataFile, size) == 0)
                let reading = try #require(throws: LMDBError.self) { try environment.numbers() }
                #expect(reading.code == .truncated)
                let writing = try #require(throws: LMDBError.self) {
                    try environment.append(1_000..<1_001)
                }
                #expect(writing.code == .truncated)
            }
        }
    }

    /// A file with a tree of three levels, long and short values, and free pages in two entries.
    private static func makeFile(_ directory: TemporaryDirectory) throws -> Data {
        do {
            let environment = try openEnvironment(directory.path)
            for start in stride(from: UInt64(0), to: 12_000, by: 3_000) {
                try environment.append(start..<start + 3_000, byteCount: 20)
            }
            try environment.append(12_000..<12_040, byteCount: 5_000)
            for range in [12_000..<12_010, 100..<700] as [Range<UInt64>] {
                try environment.write { transaction throws(LMDBError) in
                    for number in range {
                        try transaction.delete(RecordKey(number), in: environment.log)
                    }
                }
            }
        }
        return try Data(contentsOf: URL(filePath: directory.dataFile))
    }

    /// Reads and changes everything, and says how many entries there were; nil if it was refused.
    private static func use(_ directory: TemporaryDirectory) throws -> Int? {
        do throws(LMDBError) {
            let count = try openEnvironment(directory.path, mode: .readOnly).keyCount()
            let environment = try openEnvironment(directory.path, mode: .existing)
            try environment.write { transaction throws(LMDBError) in
                for number in stride(from: UInt64(0), to: 3_000, by: 2) {
                    try transaction.delete(RecordKey(number), in: environment.log)
                }
            }
            try environment.append(20_000..<20_300, byteCount: 3_000)
            _ = try environment.keyCount()
            return count
        } catch {
            #expect(
                [.truncated, .corrupted, .damagedMetaPages, .databaseMissing].contains(error.code)
                    || error.code == .keyExists)
            return nil
        }
    }

    @Test(
        "changed at any byte of its own pages, is used whole or refused",
        arguments: [1, 2, 3, 4] as [UInt64])
    func changedBytes(seed: UInt64) async {
        await #expect(processExitsWith: .success) { [seed] in
            let directory = try TemporaryDirectory()
            let whole = try Self.makeFile(directory)
            let count = try #require(try Self.use(directory))
            var generator = SeededGenerator(state: seed)
            var refusedCount = 0
            for _ in 0..<200 {
                let page = Int.random(in: 0..<whole.count / 4_096, using: &generator)
                // Mostly headers and pointers of pages, which lead somewhere.
                let limit = Bool.random(using: &generator) ? 40 : 4_096
                let offset = page * 4_096 + Int.random(in: 0..<limit, using: &generator)
                var damaged = whole
                damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                try damaged.write(to: URL(filePath: directory.dataFile))
                if let found = try Self.use(directory) {
                    #expect(found == count, "seed \(seed), byte \(offset)")
                } else {
                    refusedCount += 1
                }
            }
            #expect(refusedCount > 50)
        }
    }

    @Test("with pages swapped, copied or zeroed, is used whole or refused", arguments: [1, 2])
    func exchangedPages(seed: UInt64) async {
        await #expect(processExitsWith: .success) { [seed] in
            let directory = try TemporaryDirectory()
            let whole = try Self.makeFile(directory)
            let count = try #require(try Self.use(directory))
            var generator = SeededGenerator(state: seed)
            for round in 0..<100 {
                let pages = (0..<2).map { _ in
                    Int.random(in: 0..<whole.count / 4_096, using: &generator) * 4_096
                }
                let (left, right) = (pages[0]..<pages[0] + 4_096, pages[1]..<pages[1] + 4_096)
                var damaged = whole
                switch round % 3 {
                case 0: damaged[left] = Data(count: 4_096)
                case 1: damaged[left] = whole[right]
                default:
                    damaged[left] = whole[right]
                    damaged[right] = whole[left]
                }
                try damaged.write(to: URL(filePath: directory.dataFile))
                if let found = try Self.use(directory) {
                    #expect(found == count, "seed \(seed), pages \(pages)")
                }
            }
        }
    }
}

extension LMDB.Environment {
    /// The number of entries that a cursor meets.
    fileprivate func keyCount() throws(LMDBError) -> Int {
        try read { transaction throws(LMDBError) in
            try transaction.withCursor(in: log) { cursor throws(LMDBError) in
                var count = 0
                while try cursor.moveToNext() { count += 1 }
                return count
            }
        }
    }
}
