import Foundation
import TestSelection
import TestSupport
import Testing

@testable import LMDB

@Suite("Damaged file")
struct DamagedFileTests {
    let directory = TemporaryDirectory.ofTest()

    private func truncate(toBytes size: Int) {
        #expect(Foundation.truncate(directory.dataFile, size) == 0)
    }

    @Test("is refused if it is something else", arguments: [1, 100, 5_000, 100_000])
    func alien(byteCount: Int) throws {
        let alien = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try directory.write(alien)
        #expect(try errorCode { try openEnvironment(directory.path) } == .invalidFile)
        #expect(try directory.data == alien)
    }

    @Test("is refused if it is a directory")
    func notAFile() throws {
        try makeFolder(directory.dataFile)
        #expect(try errorCode { try openEnvironment(directory.path) } == .invalidFile)
    }

    /// In a process of its own, since what must not happen is a signal.
    @Test(
        "cut anywhere, opens whole or is refused untouched",
        arguments: sample([1, 2, 3] as [UInt64], 1))
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
            let whole = try directory.data
            var generator = SeededGenerator(seed: seed)
            var refusedCount = 0
            for _ in 0..<150 {
                let length = Int.random(in: 0..<whole.count, using: &generator)
                try directory.write(whole.prefix(length))
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
                #expect(try directory.data.count == length)
            }
            #expect(refusedCount > 0)
        }
    }

    /// The pages of a deleted value are free, and later commits take the first of them.
    @Test("that lacks only free pages at its end is read as it is, and written")
    func shortButHealthy() throws {
        do {
            let environment = try openEnvironment(
                directory.path, appending: 0..<100, byteCount: 4_000)
            try environment.write { transaction in
                try transaction.put(
                    payload(of: 200, 400_000).span, at: RecordKey(200), in: environment.log)
            }
            try environment.write { transaction in
                try transaction.delete(RecordKey(200), in: environment.log)
            }
            for number in UInt64(100)..<104 { try environment.append(number..<number + 1) }
        }
        let size = try directory.data.count - 40 * 4_096
        truncate(toBytes: size)
        #expect(
            try openEnvironment(directory.path, mode: .readOnly).numbers() == Array(0..<104))
        #expect(try directory.data.count == size)
        let environment = try openEnvironment(
            directory.path, appending: 104..<300, byteCount: 4_000)
        #expect(try environment.numbers() == Array(0..<300))
    }

    @Test("cut while it is open, is refused before the map is touched")
    func cutWhileOpen() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let environment = try openEnvironment(directory.path, appending: 0..<1_000)
            #expect(try environment.numbers().count == 1_000)
            for size in [20_000, 4_096, 0] {
                #expect(Foundation.truncate(directory.dataFile, size) == 0)
                let reading = try errorCode { try environment.numbers() }
                let writing = try errorCode { try environment.append(1_000..<1_001) }
                #expect(reading == .truncated && writing == .truncated)
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
                try environment.write { transaction in
                    for number in range {
                        try transaction.delete(RecordKey(number), in: environment.log)
                    }
                }
            }
        }
        return try directory.data
    }

    /// Reads and changes everything, and says how many entries there were; nil if it was refused.
    private static func use(_ directory: TemporaryDirectory) throws -> Int? {
        do {
            let count = try openEnvironment(directory.path, mode: .readOnly).keyCount()
            let environment = try openEnvironment(directory.path, mode: .existing)
            try environment.write { transaction in
                for number in stride(from: UInt64(0), to: 3_000, by: 2) {
                    try transaction.delete(RecordKey(number), in: environment.log)
                }
            }
            try environment.append(20_000..<20_300, byteCount: 3_000)
            _ = try environment.keyCount()
            return count
        } catch let error as LMDBError {
            #expect(
                [
                    .truncated, .corrupted, .damagedMetaPages, .commitInDoubt, .databaseMissing,
                    .keyExists,
                ].contains(error.code))
            return nil
        }
    }

    @Test(
        "changed at any byte of its own pages, is used whole or refused",
        arguments: sample([1, 2, 3, 4] as [UInt64], 1))
    func changedBytes(seed: UInt64) async {
        await #expect(processExitsWith: .success) { [seed] in
            let directory = try TemporaryDirectory()
            let whole = try Self.makeFile(directory)
            let count = try #require(try Self.use(directory))
            var generator = SeededGenerator(seed: seed)
            var refusedCount = 0
            for _ in 0..<200 {
                let page = Int.random(in: 0..<whole.count / 4_096, using: &generator)
                // Mostly headers and pointers of pages, which lead somewhere.
                let limit = Bool.random(using: &generator) ? 40 : 4_096
                let offset = page * 4_096 + Int.random(in: 0..<limit, using: &generator)
                var damaged = whole
                damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                try directory.write(damaged)
                if let found = try Self.use(directory) {
                    #expect(found == count, "seed \(seed), byte \(offset)")
                } else {
                    refusedCount += 1
                }
            }
            #expect(refusedCount > 50)
        }
    }

    @Test(
        "with pages swapped, copied or zeroed, is used whole or refused",
        arguments: sample([1, 2], 1))
    func exchangedPages(seed: UInt64) async {
        await #expect(processExitsWith: .success) { [seed] in
            let directory = try TemporaryDirectory()
            let whole = try Self.makeFile(directory)
            let count = try #require(try Self.use(directory))
            var generator = SeededGenerator(seed: seed)
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
                try directory.write(damaged)
                if let found = try Self.use(directory) {
                    #expect(found == count, "seed \(seed), pages \(pages)")
                }
            }
        }
    }
}

extension DamagedFileTests {
    /// A file whose free list has two levels.
    ///
    /// - Returns: Its bytes, and where its newer meta page and the root of its free list begin.
    private func makeFreeList() throws -> (file: Data, meta: Int, root: Int) {
        let number: Int
        do {
            let environment = try openEnvironment(directory.path, appending: 0..<1)
            // A view keeps what is freed from being used again.
            try environment.read { _ in
                for commit in UInt64(1)..<200 { try environment.append(commit..<commit + 1) }
            }
            number = try environment.info.lastTransactionID
        }
        let file = try directory.data
        let meta = number % 2 * 4_096
        #expect(file.load(at: meta + 46, UInt16.self) == 2, "the levels of the free list")
        return (file, meta, Int(file.load(at: meta + 80, UInt64.self)) * 4_096)
    }

    private func refusal(of file: Data) throws -> LMDBError.Code? {
        try directory.write(file)
        return try errorCode { try openEnvironment(directory.path, mode: .readOnly) }
    }

    /// LMDB asserts that there are two, when it deletes what is below.
    @Test("is refused if a branch of the free list leads to one page only")
    func lonelyBranch() throws {
        var (file, meta, root) = try makeFreeList()
        #expect(try refusal(of: file) == nil)
        let last = file.load(at: meta + 136, UInt64.self)
        let page = last + 1
        file.removeSubrange((Int(last) + 1) * 4_096..<max(file.count, (Int(last) + 1) * 4_096))
        file.append(Data(count: (Int(page) + 1) * 4_096 - file.count))
        let start = Int(page) * 4_096
        file.store(page, at: start)
        // P_BRANCH, mp_lower and mp_upper, and the one pointer; the node's key is empty.
        file.store(0x01 as UInt16, at: start + 10)
        file.store(18 as UInt16, at: start + 12)
        file.store(4_088 as UInt16, at: start + 14)
        file.store(4_088 as UInt16, at: start + 16)
        file.store(UInt32(root / 4_096), at: start + 4_088)
        file.store(3 as UInt16, at: meta + 46)
        file.store(file.load(at: meta + 48, UInt64.self) + 1, at: meta + 48)
        file.store(page, at: meta + 80)
        file.store(page, at: meta + 136)
        #expect(try refusal(of: file) == .corrupted)
    }

    /// LMDB compares eight bytes of each key of the free list, whatever its length.
    @Test("is refused if a key in a branch of the free list has not eight bytes")
    func shortBranchKey() throws {
        var (file, _, root) = try makeFreeList()
        let node = root + Int(file.load(at: root + 18, UInt16.self))
        #expect(file.load(at: node + 6, UInt16.self) == 8)
        file.store(7 as UInt16, at: node + 6)
        #expect(try refusal(of: file) == .corrupted)
    }

    /// A file with a hole costs nothing; what is kept of its pages must cost as little.
    @Test("is refused in little memory if it claims to have more pages than it ever listed")
    func hole() async throws {
        try openEnvironment(directory.path).append(0..<10)
        var file = try directory.data
        let last = UInt64(1) << 34
        for meta in [0, 4_096] {
            file.store(last << 13, at: meta + 32)
            file.store(last, at: meta + 136)
        }
        try directory.write(file)
        truncate(toBytes: 1 << 37)
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            var limit = rlimit()
            #expect(getrlimit(__rlimit_resource_t(2), &limit) == 0)
            limit.rlim_cur = 1 << 30
            #expect(setrlimit(__rlimit_resource_t(2), &limit) == 0)
            let code = try errorCode { try openEnvironment(path, mode: .readOnly) }
            #expect(code == .corrupted)
        }
    }
}

extension Data {
    fileprivate func load<Value: FixedWidthInteger>(at offset: Int, _: Value.Type) -> Value {
        subdata(in: offset..<offset + Value.bitWidth / 8).reversed()
            .reduce(0) { $0 << 8 | Value($1) }
    }

    fileprivate mutating func store(_ value: some FixedWidthInteger, at offset: Int) {
        let bytes = (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
}

extension LMDB.Environment {
    /// The number of entries that a cursor meets.
    fileprivate func keyCount() throws -> Int {
        try read { transaction in
            try transaction.withCursor(in: log) { cursor in
                var count = 0
                while try cursor.moveToNext() { count += 1 }
                return count
            }
        }
    }
}
