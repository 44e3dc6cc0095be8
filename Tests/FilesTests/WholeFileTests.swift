import Files
import Foundation
import TestSupport
import Testing

@Suite("Whole file")
struct WholeFileTests {
    let directory = TemporaryDirectory.ofTest()

    private var path: String { directory.path + "/file" }

    @Test("takes the place of the one before, for its owner only, and leaves no draft")
    func replaced() throws {
        #expect(try readFile(path, limit: 10) == nil)
        for text in ["old", "the new one"] {
            try writeFile(Array(text.utf8), to: path)
            let file = try #require(try readFile(path, limit: 7))
            #expect(file.bytes == Array(text.utf8.prefix(7)) && file.permissions == 0o600)
        }
        #expect(try names(in: directory.path) == ["file"])
    }

    @Test("stays if it is not to be replaced")
    func kept() throws {
        for text in ["first", "second"] {
            try writeFile(Array(text.utf8), to: path, replaces: false)
            #expect(try readFile(path, limit: 10)?.bytes == Array("first".utf8))
        }
        #expect(try names(in: directory.path) == ["file"])
    }

    @Test("is not waited for if a pipe has its name")
    func pipes() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            alarm(20)
            try writeFile([1], to: path)
            #expect(try readFile(path, limit: 10)?.bytes == [1])
            #expect(mkfifo(path + "2", 0o600) == 0)
            #expect(try readFile(path + "2", limit: 10)?.bytes == [])
        }
    }

    @Test("that cannot be written says where, and is as it was")
    func refused() throws {
        let error = try #require(throws: SystemCallError.self) {
            try writeFile([1], to: directory.path + "/none/file")
        }
        #expect(error.number == ENOENT && error.call == "open")
        #expect(error.description.hasSuffix(": No such file or directory"))
        #expect(error.description.hasPrefix(directory.path + "/none/file"))
    }

    @Test("that is open knows whether it still has its name, and who has it locked")
    func name() throws {
        try writeFile([1, 2], to: path)
        let file = try OpenFile(path, O_RDWR)
        let other = try OpenFile(path, O_RDONLY)
        let (hadName, count) = (file.hasItsName, file.regularByteCount)
        #expect(hadName && count == 2)
        let locks = [
            file.lock(LOCK_EX), other.lock(LOCK_SH), file.lock(LOCK_UN), other.lock(LOCK_SH),
        ]
        #expect(locks == [true, false, true, true])
        try file.replaceContent([7])
        let (all, whole) = (try other.read(9), other.bytes(from: 0, count: 1))
        let tooMany = other.bytes(from: 0, count: 2)
        #expect(all == [7] && whole == [7] && tooMany == nil)
        try writeFile([3], to: path)
        let hasName = file.hasItsName
        #expect(!hasName)
        let opened = try FileIdentity(descriptor: file.descriptor)
        #expect(try FileIdentity(path: path) != opened)
        #expect(try FileIdentity(path: path + "2") == nil)
    }

    @Test(
        "finds the directory around a path",
        arguments: [("/a/b", "/a"), ("/a", "/"), ("a/b", "a"), ("a", "."), ("/a/b/", "/a")])
    func parents(path: String, parent: String) {
        #expect(FilePath.parent(of: path) == parent)
    }
}
