import Files
import Foundation
import TestSupport
import Testing

@Suite("Staging directory")
struct StagingDirectoryTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    private func stage(_ target: String) throws -> [String] {
        let staged = try StagingDirectory(for: target, holding: ["file"])
        try writeFile([1], to: staged.path + "/file")
        let seen = ["", "/", "//"].flatMap {
            StagingDirectory.unfinished(for: directory.path + "/a/store" + $0)
        }
        try staged.publish()
        return seen
    }

    @Test("takes its name, however many slashes end it, and makes the directories around it")
    func published() throws {
        for slashes in ["", "/", "//"] {
            let seen = try stage(directory.path + "/a/store" + slashes)
            #expect(seen.count == 3 && Set(seen).count == 1)
            #expect(seen[0].hasPrefix(directory.path + "/a/store.creating-"))
            #expect(try names() == ["a"])
            #expect(try readFile(directory.path + "/a/store/file", limit: 9)?.bytes == [1])
            try FileManager.default.removeItem(atPath: directory.path + "/a")
        }
    }

    @Test("is gone with its files if it is not published, or another has the name")
    func removed() throws {
        do {
            let staged = try StagingDirectory(for: directory.path + "/store", holding: ["file"])
            try writeFile([1], to: staged.path + "/file")
            #expect(try names().count == 1)
        }
        #expect(try names().isEmpty)
        _ = try stage(directory.path + "/store")
        let error = try #require(throws: SystemCallError.self) {
            try stage(directory.path + "/store")
        }
        #expect(error.call == "rename" && [ENOTEMPTY, EEXIST].contains(error.number))
        #expect(try names() == ["store"])
    }
}
