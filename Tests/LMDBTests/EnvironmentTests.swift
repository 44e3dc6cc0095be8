import Foundation
import LMDB
import TestSupport
import Testing

@Suite("Environment")
struct EnvironmentTests {
    let directory = TemporaryDirectory.ofTest()

    @Test("refuses to open twice in a process, whatever the path, and lets go when it closes")
    func registry() throws {
        let link = directory.path + "-link"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: directory.path)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: link) } }
        do {
            let environment = try openEnvironment(directory.path)
            for path in [directory.path, directory.path + "/.", link] {
                #expect(try errorCode { try openEnvironment(path) } == .alreadyOpen)
            }
            try environment.append(0..<1)
        }
        #expect(try openEnvironment(directory.path).numbers() == [0])
    }

    static let creatingNothing = [Environment.Mode.existing, .readOnly]

    @Test("makes no database in the modes that create nothing", arguments: creatingNothing)
    func withoutDatabase(mode: Environment.Mode) throws {
        func code() throws -> LMDBError.Code? {
            try errorCode { try openEnvironment(directory.path, mode: mode) }
        }
        #expect(try code() == .environmentMissing)
        try directory.write(Data())
        #expect(try code() == .environmentMissing)
    }

    @Test("names the database that is lacking", arguments: creatingNothing)
    func missingDatabase(mode: Environment.Mode) throws {
        _ = try openEnvironment(directory.path)
        let error = try #require(throws: LMDBError.self) {
            try Environment(
                directory: directory.path, mapSizeBytes: mebibyte, databases: ["other"],
                mode: mode)
        }
        #expect(error.code == .databaseMissing)
        #expect(error.detail == "other")
    }

    @Test("reports a full map, is as before, grows and goes on")
    func mapFullAndGrowth() throws {
        let environment = try openEnvironment(
            directory.path, mapSizeBytes: mebibyte, appending: 0..<10)
        #expect(try errorCode { try environment.append(10..<1_000, byteCount: 4_000) } == .mapFull)
        #expect(!environment.needsReopening)
        #expect(try environment.numbers() == Array(0..<10))

        try environment.growMap(toBytes: 16 * mebibyte + 1)
        #expect(try environment.info.mapSizeBytes == 16 * mebibyte + 4_096)
        try environment.append(10..<1_000, byteCount: 4_000)
        #expect(try environment.numbers() == Array(0..<1_000))
        try environment.growMap(toBytes: mebibyte)
        #expect(try environment.info.mapSizeBytes == 16 * mebibyte + 4_096)
    }

    @Test("stays as it is when the address space has no room to grow")
    func growthWithoutRoom() throws {
        let environment = try openEnvironment(
            directory.path, mapSizeBytes: mebibyte, appending: 0..<10)
        #expect(try errorCode { try environment.growMap(toBytes: 1 << 50) } == .system(ENOMEM))
        #expect(try environment.numbers() == Array(0..<10))
        try environment.append(10..<20)
    }

    @Test("does not grow under a live transaction")
    func growthWaits() throws {
        let environment = try openEnvironment(
            directory.path, mapSizeBytes: mebibyte, appending: 0..<1)
        let code = try environment.read { _ in
            try errorCode { try environment.growMap(toBytes: 2 * mebibyte, waitingAtMost: .zero) }
        }
        #expect(code == .transactionsLive)
        try environment.growMap(toBytes: 2 * mebibyte, waitingAtMost: .zero)
    }

    @Test("grows while others read")
    func growthAmongReaders() async throws {
        let environment = try openEnvironment(
            directory.path, mapSizeBytes: mebibyte, appending: 0..<100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<500 {
                    let numbers = try environment.numbers()
                    #expect(numbers.count == 100)
                }
            }
            group.addTask {
                for size in 2..<40 {
                    try environment.growMap(
                        toBytes: size * mebibyte, waitingAtMost: .seconds(60))
                }
            }
            try await group.waitForAll()
        }
        #expect(try environment.info.mapSizeBytes == 39 * mebibyte)
    }

    @Test(
        "notices that its files were taken away",
        arguments: [
            (file: "/data.mdb", missing: FileChange.dataFileMissing, .dataFileReplaced),
            (file: "/lock.mdb", missing: FileChange.lockFileMissing, .lockFileReplaced),
        ] as [(file: String, missing: FileChange, replaced: FileChange)])
    func changedFiles(file: String, missing: FileChange, replaced: FileChange) throws {
        let environment = try openEnvironment(directory.path)
        #expect(try environment.changedFiles() == [])
        try FileManager.default.removeItem(atPath: directory.path + file)
        #expect(try environment.changedFiles() == [missing])
        try Data().write(to: URL(filePath: directory.path + file))
        #expect(try environment.changedFiles() == [replaced])
    }

    @Test("says what happened and what to do")
    func errorText() throws {
        let error = try #require(throws: LMDBError.self) {
            try openEnvironment(directory.path + "/none")
        }
        #expect(error.code == .system(ENOENT))
        #expect(
            error.description
                == "No such file or directory. \(directory.path)/none. Check the path.")
    }
}
