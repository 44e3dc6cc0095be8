import Foundation
import Projections
import Testing

@Suite("The version of the folds")
struct FoldVersionTests {
    private static let replays = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Replays")

    /// The words of each line of `Replays/digests.txt`, by the first.
    private static func stated() throws -> [String: String] {
        let text = try String(contentsOf: replays.appending(path: "digests.txt"), encoding: .utf8)
        let pairs = text.split(separator: "\n").map { $0.split(separator: " ") }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
    }

    @Test("is that under which the golden digests were written: another digest, another version")
    func version() throws {
        var stated = try Self.stated()
        #expect(stated.removeValue(forKey: "version") == "\(LogState.version)")
        var found: [String: String] = [:]
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: Self.replays.path) {
            let file = Self.replays.appending(path: "\(name)/expected.json")
            guard manager.fileExists(atPath: file.path) else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            let digest = try #require(text.firstMatch(of: /sha256:[0-9a-f]{64}/)?.output)
            found[name] = String(digest)
        }
        #expect(found.count > 15)
        #expect(found == stated)
    }

    /// The sentence of each version in `Replays/versions.md`.
    private static func notes() throws -> [UInt32: Substring] {
        let text = try String(contentsOf: replays.appending(path: "versions.md"), encoding: .utf8)
        var notes: [UInt32: Substring] = [:]
        for line in text.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingPrefix(" ") }
            guard cells.count == 2, let version = UInt32(cells[0].prefix { $0.isNumber }) else {
                continue
            }
            notes[version] = cells[1]
        }
        return notes
    }

    @Test("has a note for each number, that says what changed")
    func noted() throws {
        let notes = try Self.notes()
        #expect(notes.keys.sorted() == Array(1...LogState.version))
        for (version, note) in notes {
            #expect(note.count > 40 && note.hasSuffix(". "), "version \(version): \(note)")
        }
    }

    /// What git answers; nil where this is no repository.
    private static func git(_ arguments: String...) throws -> String? {
        let git = Process()
        let output = Pipe()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments = ["git"] + arguments
        git.currentDirectoryURL = replays
        git.standardOutput = output
        git.standardError = FileHandle.nullDevice
        try git.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        git.waitUntilExit()
        guard git.terminationStatus == 0 else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The cases that have another digest under the same version, though their capture is the same.
    ///
    /// - Parameter states: Of each state of the repository, the text of `digests.txt`, and what
    ///   stands for the content of each case's capture.
    /// - Returns: Their names.
    static func changedWithoutVersion(
        _ states: [(digests: String, captures: [String: String])]
    ) -> Set<String> {
        var known: [String: String] = [:]
        var changed: Set<String> = []
        for (digests, captures) in states {
            var version = ""
            for line in digests.split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                guard words.count == 2 else { continue }
                if words[0] == "version" { version = words[1] }
                guard let capture = captures[words[0]] else { continue }
                let key = "\(version) \(words[0]) \(capture)"
                if let digest = known[key], digest != words[1] { changed.insert(words[0]) }
                known[key] = words[1]
            }
        }
        return changed
    }

    @Test("another digest of the same capture under the same version is found")
    func forgotten() {
        let before = "version 7\na sha256:1\nb sha256:2\n"
        let captures = ["a": "x", "b": "y"]
        let find = Self.changedWithoutVersion
        #expect(find([(before, captures), (before, captures)]) == [])
        #expect(find([(before, captures), ("version 7\na sha256:3\n", captures)]) == ["a"])
        #expect(find([(before, captures), ("version 8\na sha256:3\n", captures)]) == [])
        #expect(find([(before, captures), ("version 7\na sha256:3\n", ["a": "z"])]) == [])
    }

    @Test("never stayed the same in this repository's history where a digest changed")
    func history() throws {
        guard let log = try Self.git("log", "--format=%H", "-100", "--", "digests.txt") else {
            return  // Not in a repository: what is stated is all there is.
        }
        var states: [(digests: String, captures: [String: String])] = []
        for commit in log.split(separator: "\n") {
            guard let digests = try Self.git("show", "\(commit):./digests.txt"),
                let tree = try Self.git("ls-tree", "-r", String(commit), ".")
            else { continue }
            states.append((digests, Self.captures(tree)))
        }
        let digests = try String(
            contentsOf: Self.replays.appending(path: "digests.txt"), encoding: .utf8)
        // What is not committed yet, by the same hash.
        var captures: [String: String] = [:]
        for line in digests.split(separator: "\n") {
            let name = line.prefix { $0 != " " }
            captures[String(name)] = try Self.git("hash-object", "\(name)/capture.jsonl")?
                .trimmingCharacters(in: .newlines)
        }
        states.append((digests, captures))
        #expect(Self.changedWithoutVersion(states) == [], "raise LogState.version")
    }

    /// The content of each capture, of what `git ls-tree` lists.
    private static func captures(
        _ tree: String
    ) -> [String: String] {
        var captures: [String: String] = [:]
        for line in tree.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "\t" }
            guard words.count == 4, words[3].hasSuffix("/capture.jsonl") else { continue }
            let name = words[3].split(separator: "/").dropLast().last ?? ""
            captures[String(name)] = String(words[2])
        }
        return captures
    }
}
