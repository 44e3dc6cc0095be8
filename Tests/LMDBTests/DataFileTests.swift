import Foundation
import Testing

@testable import LMDB

@Suite("Data file")
struct DataFileTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func overwrite(_ bytes: [UInt8], at offset: UInt64) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: directory.dataFile))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: bytes)
        try file.close()
    }

    private func truncate(toBytes size: Int) {
        #expect(Foundation.truncate(directory.dataFile, size) == 0)
    }

    @Test("says what the meta pages say")
    func inspect() throws {
        #expect(try DataFile.inspect(directory: directory.path) == nil)
        let info: EnvironmentInfo
        do {
            let environment = try openEnvironment(directory.path)
            #expect(environment.openedFile == nil)
            try environment.append(0..<100)
            info = try environment.info
        }
        let file = try #require(try DataFile.inspect(directory: directory.path))
        #expect(file.pageSizeBytes == info.pageSizeBytes)
        #expect(file.lastPageNumber == UInt64(info.lastPageNumber))
        #expect(file.lastTransactionID == UInt64(info.lastTransactionID))
        #expect(file.missingBytes == 0)
    }

    @Test("is extended to its last page, once, and keeps every byte")
    func extend() throws {
        try openEnvironment(directory.path).append(0..<1_000)
        let whole = try #require(try DataFile.inspect(directory: directory.path))
        truncate(toBytes: 20_000)
        let before = try Data(contentsOf: URL(filePath: directory.dataFile))

        let found = try #require(try DataFile.extend(directory: directory.path))
        #expect(found.sizeBytes == 20_000)
        #expect(found.missingBytes == whole.requiredSizeBytes - 20_000)
        let after = try Data(contentsOf: URL(filePath: directory.dataFile))
        #expect(after.prefix(20_000) == before)
        #expect(after.count == whole.requiredSizeBytes)
        #expect(after.dropFirst(20_000).allSatisfy { $0 == 0 })
        #expect(try DataFile.extend(directory: directory.path)?.missingBytes == 0)
    }

    @Test("is refused if it is something else", arguments: [1, 100, 5_000, 100_000])
    func alien(byteCount: Int) throws {
        let alien = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try alien.write(to: URL(filePath: directory.dataFile))
        let error = try #require(throws: LMDBError.self) { try openEnvironment(directory.path) }
        #expect(error.code == .invalidFile)
        #expect(try Data(contentsOf: URL(filePath: directory.dataFile)) == alien)
    }

    @Test(
        "is refused if a meta page is impossible",
        arguments: [
            (name: "magic", offset: 16, bytes: [0], code: .invalidFile),
            (name: "second magic", offset: 4_096 + 16, bytes: [0], code: .invalidFile),
            (name: "flags", offset: 10, bytes: [0], code: .invalidFile),
            (name: "version", offset: 20, bytes: [2], code: .versionMismatch),
            (name: "page size 0", offset: 40, bytes: [0, 0, 0, 0], code: .damagedMetaPages),
            (name: "page size 4097", offset: 40, bytes: [1, 16], code: .damagedMetaPages),
            (name: "page size 65536", offset: 40, bytes: [0, 0, 1, 0], code: .damagedMetaPages),
            (name: "page sizes differ", offset: 4_137, bytes: [32], code: .damagedMetaPages),
            (
                name: "last page", offset: 136, bytes: [255, 255, 255, 255, 255, 255, 255, 255],
                code: .damagedMetaPages
            ),
            (name: "root", offset: 128, bytes: [255, 255, 255], code: .damagedMetaPages),
            (name: "map size", offset: 32, bytes: [0, 0, 0, 0, 0], code: .damagedMetaPages),
        ] as [(name: String, offset: UInt64, bytes: [UInt8], code: LMDBError.Code)])
    func impossible(name: String, offset: UInt64, bytes: [UInt8], code: LMDBError.Code) throws {
        try openEnvironment(directory.path).append(0..<1_000)
        try overwrite(bytes, at: offset)
        let error = try #require(throws: LMDBError.self) { try openEnvironment(directory.path) }
        #expect(error.code == code, "\(name)")
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
                        .environmentMissing, .invalidFile, .truncated,
                    ]
                    #expect(expected.contains(error.code), "seed \(seed), length \(length)")
                    #expect(
                        try Data(contentsOf: URL(filePath: directory.dataFile)).count == length)
                }
            }
            #expect(refusedCount > 0)
        }
    }

    /// The pages of a deleted value are free, and later commits take the first of them.
    @Test("that lacks only free pages at its end is extended and opens")
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
        let whole = try #require(try DataFile.inspect(directory: directory.path))
        let missing = 40 * whole.pageSizeBytes
        truncate(toBytes: whole.sizeBytes - missing)
        do {
            let environment = try openEnvironment(directory.path)
            #expect(environment.openedFile?.missingBytes == missing)
            #expect(try environment.numbers() == Array(0..<104))
        }
        #expect(try DataFile.inspect(directory: directory.path)?.missingBytes == 0)
    }

    @Test("is extended for salvage when pages in use are missing")
    func salvage() throws {
        try openEnvironment(directory.path).append(0..<1)
        try openEnvironment(directory.path).append(1..<2, byteCount: 1_000_000)
        truncate(toBytes: 500_000)
        let error = try #require(throws: LMDBError.self) { try openEnvironment(directory.path) }
        #expect(error.code == .truncated)
        try DataFile.extend(directory: directory.path)
        let environment = try openEnvironment(directory.path)
        #expect(try environment.numbers() == [0], "the value of 1 ends in zeros")
    }

    @Test("short and damaged, is walked without a trap", arguments: [1, 2, 3] as [UInt64])
    func damagedWalks(seed: UInt64) throws {
        try openEnvironment(directory.path).append(0..<3_000)
        let length = try #require(try DataFile.inspect(directory: directory.path)).sizeBytes - 1
        let whole = try Data(contentsOf: URL(filePath: directory.dataFile)).prefix(length)
        var generator = SeededGenerator(state: seed)
        for round in 0..<300 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...200, using: &generator) {
                // Mostly headers and pointers of pages, which lead somewhere.
                let page = Int.random(in: 2..<length / 4_096, using: &generator)
                let offset = page * 4_096 + Int.random(in: 0..<4_096, using: &generator) / 40
                damaged[offset] = UInt8.random(in: 0...255, using: &generator)
            }
            try damaged.write(to: URL(filePath: directory.dataFile))
            do {
                _ = try DataFile.prepare(path: directory.dataFile)
            } catch {
                #expect(
                    [.truncated, .corrupted].contains(error.code), "seed \(seed), round \(round)")
            }
        }
    }
}
