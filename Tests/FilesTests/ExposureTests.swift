import Files
import Foundation
import TestSupport
import Testing

@Suite("What others can write")
struct ExposureTests {
    /// What is done to `way/in/file`, to `link`, which leads there, and to `hard`, its other name;
    /// and which of them is named then.
    static let vectors: [(path: String, done: [(String, mode_t)], named: String?)] = [
        ("way/in/file", [], nil), ("link", [], nil), ("hard", [], nil),
        ("way/in/file", [("way/in/file", 0o664)], "way/in/file"),
        ("way/in/file", [("way/in/file", 0o602)], "way/in/file"),
        ("way/in/file", [("way/in", 0o775)], "way/in"), ("link", [("way", 0o757)], "way"),
        ("way/../way/./in//file", [("way", 0o770)], "way"), ("link", [("", 0o777)], ""),
        ("way/in/file", [("way/in", 0o1777), ("way", 0o1775)], nil),
        ("way/in/file", [("way/in", 0o1777), ("way/in/file", 0o666)], "way/in/file"),
        // The file is the same by whatever name.
        ("hard", [("way/in/file", 0o620)], "hard"), ("hard", [("way/in", 0o777)], nil),
        ("folders/in/file", [], nil), ("folders/in/file", [("links", 0o777)], "links"),
    ]

    @Test("is named, with what ends it", arguments: vectors)
    func table(path: String, done: [(String, mode_t)], named: String?) throws {
        let folder = try TemporaryDirectory()
        let root = try FilePath.canonical(folder.path)
        for name in ["way", "way/in", "links"] {
            #expect(mkdir("\(root)/\(name)", 0o755) == 0)
        }
        try writeFile([1], to: root + "/way/in/file")
        #expect(link(root + "/way/in/file", root + "/hard") == 0)
        #expect(symlink("way/in/file", root + "/link") == 0)
        // A link by way of a link in a folder of its own.
        #expect(symlink("links/one", root + "/folders") == 0)
        #expect(symlink("\(root)/way", root + "/links/one") == 0)
        for (name, mode) in done { #expect(chmod("\(root)/\(name)", mode) == 0) }
        let exposure = try FilePath.exposure(of: "\(root)/\(path)")
        // What is around the home folder is the system's.
        if path.hasPrefix("way") {
            let home = root + "/way/in/file/x"
            #expect(try FilePath.exposure(of: "\(root)/\(path)", home: home) == nil)
        }
        #expect(try FilePath.exposure(of: "\(root)/\(path)", home: root) == exposure)
        let place = named.map { $0.isEmpty ? root : "\(root)/\($0)" }
        #expect(
            exposure == place.map { "others can write \($0); `chmod go-w '\($0)'` ends that" })
    }

    @Test("is what another user has made, a link too; the system's own is nobody's")
    func owners() throws {
        #expect(try FilePath.exposure(of: "/dev/null")?.contains("/dev/null") == true)
        #expect(try FilePath.exposure(of: "/etc/passwd") == nil)
        #expect(throws: SystemCallError.self) { try FilePath.exposure(of: "/nowhere/at/all") }
        let folder = try TemporaryDirectory()
        let root = try FilePath.canonical(folder.path)
        #expect(symlink("loop", root + "/loop") == 0)
        #expect(throws: SystemCallError.self) { try FilePath.exposure(of: root + "/loop") }
        guard geteuid() == 0 else { return }
        try writeFile([1], to: root + "/file")
        #expect(symlink("file", root + "/link") == 0)
        for name in ["link", "file"] {
            #expect(try FilePath.exposure(of: "\(root)/\(name)") == nil)
            #expect(lchown("\(root)/\(name)", 61_184, 0) == 0)
            let exposure = try FilePath.exposure(of: "\(root)/\(name)")
            #expect(exposure?.contains("/\(name) belongs to user 61184; `sudo chown 0 ") == true)
            #expect(lchown("\(root)/\(name)", 0, 0) == 0)
        }
    }
}
