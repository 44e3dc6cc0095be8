import Files
import Foundation
import TestSupport
import Testing

@Suite("Staging directory")
struct StagingDirectoryTests {
    let directory = TemporaryDirectory.ofTest()

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
            #expect(try names(in: directory.path) == ["a"])
            #expect(try readFile(directory.path + "/a/store/file", limit: 9)?.bytes == [1])
            try FileManager.default.removeItem(atPath: directory.path + "/a")
        }
    }

    @Test("is gone with its files if it is not published, or another has the name")
    func removed() throws {
        do {
            let staged = try StagingDirectory(for: directory.path + "/store", holding: ["file"])
            try writeFile([1], to: staged.path + "/file")
            #expect(try names(in: directory.path).count == 1)
        }
        #expect(try names(in: directory.path).isEmpty)
        _ = try stage(directory.path + "/store")
        let error = try #require(throws: SystemCallError.self) {
            try stage(directory.path + "/store")
        }
        #expect(error.call == "rename" && [ENOTEMPTY, EEXIST].contains(error.number))
        #expect(try names(in: directory.path) == ["store"])
    }

    @Test("fills a folder that is there and free, and a link to one, and stays what it was")
    func inPlace() throws {
        let place = directory.path + "/place"
        for name in ["lost+found", ".creating-abcdef"] { try makeFolder("\(place)/\(name)") }
        let before = try #require(try FileIdentity(path: place))
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/link", withDestinationPath: "place")
        let staged = try StagingDirectory(
            for: directory.path + "/link", holding: ["first", "file"])
        #expect(StagingDirectory.unfinished(for: place).count == 2)
        for name in ["first", "file"] { try writeFile([1], to: "\(staged.path)/\(name)") }
        #expect(StagingDirectory.isFree(place))
        try staged.publish()
        #expect(!StagingDirectory.isFree(place))
        #expect(try FileIdentity(path: place) == before)
        let there = try names(in: place)
        #expect(there == [".creating-abcdef", "file", "first", "lost+found"])
        #expect(try names(in: directory.path) == ["link", "place"])
    }

    @Test("makes what a link leads to, and refuses links in a circle")
    func danglingLink() throws {
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: directory.path + "/link", withDestinationPath: "disk/store")
        try files.createSymbolicLink(
            atPath: directory.path + "/disk", withDestinationPath: directory.path + "/other")
        let staged = try StagingDirectory(for: directory.path + "/link/", holding: ["file"])
        try writeFile([1], to: staged.path + "/file")
        try staged.publish()
        #expect(try readFile(directory.path + "/other/store/file", limit: 9)?.bytes == [1])
        try files.createSymbolicLink(
            atPath: directory.path + "/circle", withDestinationPath: "circle")
        let error = try #require(throws: SystemCallError.self) {
            _ = try StagingDirectory(for: directory.path + "/circle", holding: [])
        }
        #expect(error.number == ELOOP)
    }

    @Test("gives way to who filled the folder first, and leaves it alone")
    func raced() throws {
        let place = directory.path + "/place"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let slow = try StagingDirectory(for: place, holding: ["file"])
        try writeFile([1], to: slow.path + "/file")
        try writeFile([2], to: place + "/file")
        do throws(SystemCallError) {
            try slow.publish()
            Issue.record("it took the place of another")
        } catch {
            #expect(error.call == "rename" && error.number == EEXIST)
        }
        #expect(try readFile(place + "/file", limit: 9)?.bytes == [2])
        #expect(try names(in: place) == ["file"])
        let late = try #require(throws: SystemCallError.self) {
            _ = try StagingDirectory(for: place, holding: ["file"])
        }
        #expect(late.call == "rename" && late.number == ENOTEMPTY)
    }

    @Test("has room for its name, however long the one is that it is to have")
    func longName() throws {
        for count in [239, 240, 255] {
            let name = String(repeating: "ü", count: count / 2) + (count % 2 == 0 ? "" : "x")
            let staged = try StagingDirectory(for: "\(directory.path)/\(name)", holding: ["file"])
            #expect(StagingDirectory.unfinished(for: "\(directory.path)/\(name)").count == 1)
            try writeFile([1], to: staged.path + "/file")
            try staged.publish()
            #expect(try readFile("\(directory.path)/\(name)/file", limit: 9)?.bytes == [1])
        }
    }
}
