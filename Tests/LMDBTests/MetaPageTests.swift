import Foundation
import TestSelection
import TestSupport
import Testing

@testable import LMDB

@Suite("Meta pages")
struct MetaPageTests {
    let directory = TemporaryDirectory.ofTest()

    @Test(
        "are refused if one is impossible",
        arguments: [
            (name: "magic", offset: 16, bytes: [0]),
            (name: "second magic", offset: 4_096 + 16, bytes: [0]),
            (name: "flags", offset: 10, bytes: [0]),
            (name: "version", offset: 20, bytes: [2]),
            (name: "page size 0", offset: 40, bytes: [0, 0, 0, 0]),
            (name: "page size 4097", offset: 40, bytes: [1, 16]),
            (name: "page size 8192", offset: 40, bytes: [0, 32]),
            (name: "page size 65536", offset: 40, bytes: [0, 0, 1, 0]),
            (name: "page sizes differ", offset: 4_137, bytes: [32]),
            (name: "last page", offset: 136, bytes: [255, 255, 255, 255, 255, 255, 255, 255]),
            (name: "map size", offset: 32, bytes: [0, 0, 0, 0, 0]),
            (name: "flags of a tree", offset: 92, bytes: [4]),
        ] as [(name: String, offset: Int, bytes: [UInt8])])
    func impossible(name: String, offset: Int, bytes: [UInt8]) throws {
        try openEnvironment(directory.path).append(0..<1_000)
        var damaged = try directory.data
        damaged.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        try directory.write(damaged)
        #expect(
            try errorCode { try openEnvironment(directory.path) } == .damagedMetaPages, "\(name)")
    }

    @Test("with numbers beyond any that LMDB reaches are refused, and not by a trap")
    func hugeNumbers() async throws {
        try openEnvironment(directory.path).append(0..<10)
        var damaged = try directory.data
        for offset in [151, 4_247] { damaged[offset] = 0x80 }
        try directory.write(damaged)
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            let code = try errorCode { try openEnvironment(path) }
            #expect(code == .damagedMetaPages)
        }
    }

    @Test("of another version of LMDB are named")
    func version() throws {
        try openEnvironment(directory.path).append(0..<10)
        var other = try directory.data
        for offset in [20, 4_116] { other[offset] = 2 }
        try directory.write(other)
        #expect(try errorCode { try openEnvironment(directory.path) } == .versionMismatch)
    }

    /// Every state that a file has after some commits, with every byte of both pages changed.
    @Test("changed at any byte, never let the last commit vanish", arguments: sample([1, 2, 5], 1))
    func everyByte(commitCount: Int) throws {
        do {
            let environment = try openEnvironment(directory.path)
            for number in 0..<UInt64(commitCount) {
                try environment.append(number..<number + 1, byteCount: 3_000)
            }
        }
        let whole = try directory.data
        for page in [0, 4_096] {
            for offset in page..<page + MetaPage.byteCount {
                for value in [0x00, whole[offset] ^ 0x01, whole[offset] ^ 0x02] as [UInt8]
                where value != whole[offset] {
                    var damaged = whole
                    damaged[offset] = value
                    try directory.write(damaged)
                    do {
                        let numbers = try openEnvironment(directory.path, mode: .readOnly).numbers()
                        #expect(
                            numbers == Array(0..<UInt64(commitCount)), "byte \(offset): \(value)")
                    } catch let error as LMDBError {
                        #expect(
                            [.damagedMetaPages, .commitInDoubt, .corrupted, .truncated]
                                .contains(error.code),
                            "byte \(offset): \(error)")
                    }
                }
            }
        }
    }

    /// The file as it is if the write of the last commit's meta page fails: LMDB writes number and
    /// last page of the commit two before back, and leaves the new roots.
    private func fail(_ commit: (LMDB.Environment) throws -> Void) throws {
        let before = try directory.data
        let number: Int
        do {
            let environment = try openEnvironment(directory.path)
            try commit(environment)
            number = try environment.info.lastTransactionID
        }
        var failed = try directory.data
        let fields = number % 2 * 4_096 + 136..<number % 2 * 4_096 + 152
        failed.replaceSubrange(fields, with: before[fields])
        try directory.write(failed)
    }

    private func open(tolerating: Bool) throws(LMDBError) -> LMDB.Environment {
        try Environment(
            directory: directory.path, mapSizeBytes: mebibyte, databases: ["log"],
            mode: .existing, toleratesFailedCommit: tolerating)
    }

    /// Where the last page tells nothing, a damaged number would look the same.
    @Test("that a failed commit left are mended by the next one")
    func failedCommit() throws {
        do {
            let environment = try openEnvironment(directory.path)
            for number in UInt64(0)..<6 { try environment.append(number..<number + 1) }
        }
        try fail { environment in try environment.append(6..<7) }
        let error = try #require(throws: LMDBError.self) { try openEnvironment(directory.path) }
        #expect(error.code == .commitInDoubt)
        #expect(error.description.contains("a commit failed before it was finished"))
        try open(tolerating: true).append(6..<8)
        #expect(try open(tolerating: false).numbers() == Array(0..<8))
    }

    @Test("that do not follow each other are tolerated once, and not after the next commit")
    func toleratedOnce() async throws {
        try openEnvironment(directory.path).append(0..<2_000)
        let environment = try open(tolerating: true)
        try environment.append(2_000..<2_001)
        // Another process commits, and the meta page before gets another root.
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            let number: Int
            do {
                let environment = try openEnvironment(path, appending: 2_001..<2_002)
                number = try environment.info.lastTransactionID
            }
            let file = try #require(FileHandle(forUpdatingAtPath: path + "/data.mdb"))
            // A leaf far from the end, and the last page of the newer meta page.
            try file.seek(toOffset: UInt64(number % 2 * 4_096 + 136))
            let last = try #require(try file.read(upToCount: 8))
            try file.seek(toOffset: UInt64((number - 1) % 2 * 4_096 + 128))
            try file.write(contentsOf: [3, 0, 0, 0, 0, 0, 0, 0] + last)
        }
        #expect(try errorCode { try environment.numbers() } == .commitInDoubt)
    }

    @Test("that a failed commit left are taken for that where they show it")
    func failedGrowth() throws {
        do {
            let environment = try openEnvironment(directory.path)
            for number in UInt64(0)..<4 { try environment.append(number..<number + 1) }
        }
        try fail { environment in
            try environment.append(4..<60, byteCount: 4_000)
        }
        #expect(try open(tolerating: false).numbers() == [0, 1, 2, 3])
        try open(tolerating: false).append(4..<6)
        #expect(try open(tolerating: false).numbers() == [0, 1, 2, 3, 4, 5])
    }
}
