import Files
import Foundation
import TestSupport
import Testing

/// What root makes in the folder of somebody else belongs to that user: after one command with
/// sudo the others go on.
@Suite("New files of root", .enabled(if: geteuid() == 0, "only root gives files away"))
struct NewFileTests {
    static let user: uid_t = 61_184
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        #expect(chown(directory.path, Self.user, Self.user + 1) == 0)
    }

    private func owner(_ name: String) throws -> [UInt32] {
        var status = stat()
        try #require(lstat("\(directory.path)/\(name)", &status) == 0, "\(name)")
        return [status.st_uid, status.st_gid]
    }

    @Test("belong to the owner of their folder, with the folders around them")
    func given() throws {
        try FilePath.makeDirectory(directory.path + "/a/b")
        try writeFile([1], to: directory.path + "/a/b/file")
        let staged = try StagingDirectory(for: directory.path + "/a/store", holding: ["file"])
        try Data([1]).write(to: URL(filePath: staged.path + "/file"))
        try staged.publish()
        for name in ["a", "a/b", "a/b/file", "a/store", "a/store/file"] {
            #expect(try owner(name) == [Self.user, Self.user + 1], "\(name)")
        }
    }

    @Test("are given away only if they are new and have one name")
    func kept() throws {
        // Whoever the folder belongs to may have put there a way to any file of root's.
        let secret = try TemporaryDirectory()
        try writeFile([1], to: secret.path + "/secret")
        #expect(symlink(secret.path + "/secret", directory.path + "/link") == 0)
        #expect(link(secret.path + "/secret", directory.path + "/name") == 0)
        for name in ["link", "name"] {
            _ = try OpenFile("\(directory.path)/\(name)", O_WRONLY | O_CREAT)
        }
        var status = stat()
        #expect(stat(secret.path + "/secret", &status) == 0)
        #expect(status.st_uid == 0)
    }

    @Test("of another user in one's own folder are named with what helps")
    func remedy() async throws {
        let path = directory.path
        try writeFile([1], to: path + "/file")
        #expect(chown(path + "/file", 0, 0) == 0)
        await #expect(processExitsWith: .success) { [path = path as String] in
            #expect(setreuid(NewFileTests.user, NewFileTests.user) == 0)
            let error = try #require(throws: SystemCallError.self) {
                _ = try OpenFile(path + "/file", O_RDONLY)
            }
            #expect(error.number == EACCES)
            #expect(error.description.contains("\(path)/file belongs to root; `sudo chown -R"))
            #expect(FilePath.remedy("/etc/shadow") == nil, "that is as it should be")
            #expect(FilePath.remedy(path + "/none") == nil)
        }
    }
}
