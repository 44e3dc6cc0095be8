import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LMDB

@Suite("Copy")
struct CopyTests {
    let directory = TemporaryDirectory.ofTest()
    let target = TemporaryDirectory.ofTest()

    /// What writers look at.
    private final class End: Sendable {
        let hasCome = Mutex(false)
    }

    private var copyPath: String { target.path + "/copy" }

    private func copied() throws -> [UInt64] {
        try openEnvironment(copyPath, mode: .readOnly).numbers()
    }

    @Test("is of one commit while another thread commits", arguments: [false, true])
    func amongWriters(compacting: Bool) async throws {
        let environment = try openEnvironment(directory.path, appending: 0..<200, byteCount: 4_000)
        let end = End()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { end.hasCome.withLock { $0 = true } }
                for number in UInt64(0)..<100 {
                    try environment.append(200 + 3 * number..<203 + 3 * number)
                }
            }
            group.addTask { [target] in
                var isLast = false
                while !isLast {
                    isLast = end.hasCome.withLock { $0 }
                    let path = target.path + "/copy"
                    let report = try environment.copy(toDirectory: path, compacting: compacting)
                    #expect(report != nil)
                    let numbers = try openEnvironment(path, mode: .readOnly).numbers()
                    #expect(numbers.count >= 200 && (numbers.count - 200) % 3 == 0)
                    #expect(numbers == Array(0..<UInt64(numbers.count)))
                    #expect(!isLast || numbers.count == 500)
                    try FileManager.default.removeItem(atPath: path)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("waits for no writer, and no writer waits for it")
    func insideWrite() throws {
        let environment = try openEnvironment(directory.path, appending: 0..<500, byteCount: 4_000)
        try environment.write { transaction in
            try transaction.put(payload(of: 500, 10).span, at: RecordKey(500), in: environment.log)
            try environment.copy(toDirectory: target.path + "/inside")
        }
        var hasWritten = false
        try environment.copy(toDirectory: copyPath) { _, _ in
            do {
                if !hasWritten { try environment.append(501..<502) }
            } catch {
                Issue.record(error)
            }
            hasWritten = true
            return true
        }
        #expect(hasWritten)
        #expect(try copied() == Array(0...500))
        let inside = try openEnvironment(target.path + "/inside", mode: .readOnly)
        #expect(try inside.numbers() == Array(0..<500))
        #expect(try environment.numbers() == Array(0...501))
    }

    @Test("says what it saved, and is not made over another one")
    func report() throws {
        let environment = try openEnvironment(directory.path, appending: 0..<500, byteCount: 4_000)
        try environment.write { transaction in
            for number in UInt64(0)..<400 {
                try transaction.delete(RecordKey(number), in: environment.log)
            }
        }
        let plain = try #require(try environment.copy(toDirectory: target.path + "/plain"))
        let compact = try #require(
            try environment.copy(toDirectory: copyPath, compacting: true))
        #expect(plain.sourceBytes == plain.copyBytes && plain.sourceBytes == compact.sourceBytes)
        #expect(compact.freePageCount >= 400 && plain.freePageCount == compact.freePageCount)
        let saved = compact.sourceBytes - compact.copyBytes
        #expect(saved > 380 * 4_096)
        #expect(try copied() == Array(400..<500))
        let copy = try openEnvironment(copyPath, mode: .readOnly)
        #expect(try (copy.info.lastPageNumber + 1) * 4_096 == compact.copyBytes)
        let again = try errorCode { try environment.copy(toDirectory: copyPath) }
        #expect(again == .system(EEXIST))
    }

    @Test("ends when it is told to", arguments: [false, true])
    func stopped(compacting: Bool) throws {
        let environment = try openEnvironment(
            directory.path, appending: 0..<1_000, byteCount: 4_000)
        let report = try environment.copy(toDirectory: copyPath, compacting: compacting) { _, _ in
            false
        }
        #expect(report == nil)
    }

    @Test("is refused if it is to be compact and would lack a database")
    func unknownDatabase() throws {
        do {
            let environment = try Environment(
                directory: directory.path, mapSizeBytes: mebibyte, databases: ["log", "other"])
            try environment.append(0..<10)
        }
        let environment = try openEnvironment(directory.path)
        let code = try errorCode { try environment.copy(toDirectory: copyPath, compacting: true) }
        #expect(code == .versionMismatch)
        try environment.copy(toDirectory: target.path + "/plain")
        let copy = try Environment(
            directory: target.path + "/plain", mapSizeBytes: mebibyte, databases: ["log", "other"],
            mode: .readOnly)
        #expect(try copy.numbers() == Array(0..<10))
    }

    @Test(
        "names the full disk", .enabled(if: SmallDisk.isPossible), arguments: [false, true])
    func fullDisk(compacting: Bool) throws {
        let disk = try SmallDisk(on: target.path)
        defer { disk.unmount() }
        let environment = try openEnvironment(
            directory.path, appending: 0..<1_000, byteCount: 4_000)
        let code = try errorCode {
            try environment.copy(toDirectory: copyPath, compacting: compacting)
        }
        #expect(code == .system(ENOSPC) || compacting && code == .system(EIO), "\(code as Any)")
    }

    @Test("counts the views that are open")
    func openViews() throws {
        let environment = try openEnvironment(directory.path, appending: 0..<1)
        #expect(try environment.openViews().isEmpty)
        try environment.read { transaction in
            let number = transaction.number
            try environment.append(1..<2)
            let views = try environment.openViews()
            #expect(views.map(\.processID) == [getpid()])
            #expect(views.map(\.transactionID) == [number])
        }
        #expect(try environment.openViews().isEmpty)
    }
}
