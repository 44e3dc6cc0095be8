import Foundation
import TestSupport
import Testing

@testable import LMDB

@Suite("Page size")
struct PageSizeTests {
    let directory = TemporaryDirectory.ofTest()

    @Test("is 4 KiB, and a value of nearly that much lies outside of the leaves")
    func usual() throws {
        let environment = try openEnvironment(directory.path)
        #expect(try environment.info.pageSizeBytes == 4_096)
        try environment.append(0..<1_000, byteCount: 4_080)
        // Each has a page, and few more lead to them.
        #expect(try environment.info.lastPageNumber < 1_040)
    }

    @Test("that LMDB took from the system is kept, and a compact copy has the usual one")
    func larger() throws {
        let pages = MetaPage.blankPair(mapSizeBytes: 64 * mebibyte, pageSizeBytes: 16_384)
        try Data(pages).write(to: URL(filePath: directory.dataFile))
        for start in [0, 300] as [UInt64] {
            let environment = try openEnvironment(directory.path)
            #expect(try environment.info.pageSizeBytes == 16_384)
            try environment.append(start..<start + 300, byteCount: 4_080)
        }
        let environment = try openEnvironment(directory.path, mode: .existing)
        #expect(try environment.numbers() == Array(0..<600))
        // Three in a leaf.
        #expect(try environment.info.lastPageNumber > 200)
        let copy = directory.path + "/copy"
        _ = try environment.copy(toDirectory: copy, compacting: true)
        let copied = try openEnvironment(copy, mode: .readOnly)
        #expect(try copied.numbers() == Array(0..<600))
        #expect(try copied.info.pageSizeBytes == 4_096)
    }

    @Test("of a file of `mdb_copy -n`, which keeps a flag of its own, is read like any other")
    func withoutSubdirectory() throws {
        var pages = MetaPage.blankPair(mapSizeBytes: 64 * mebibyte)
        // MDB_NOSUBDIR.
        for meta in [0, 4_096] { pages[meta + 45] = 0x40 }
        try Data(pages).write(to: URL(filePath: directory.dataFile))
        for start in [0, 50] as [UInt64] {
            try openEnvironment(directory.path).append(start..<start + 50)
        }
        #expect(try openEnvironment(directory.path, mode: .readOnly).numbers() == Array(0..<100))
    }
}
