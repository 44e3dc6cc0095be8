import Foundation
import Testing

/// How much code there may be: the last figure of each line of `caps.txt`, which are lowered by
/// adding one, and what features may bring that were agreed on, each as `+` and a figure.
@Suite("Lines of code, without comments and blanks")
struct CapsTests {
    private static let file = "Tests/TidyTests/caps.txt"

    /// What is counted: folders, and the names of their files end like this.
    private static let parts: [(name: String, folder: String, endings: Set<String>)] = [
        ("Sources", "Sources", ["swift", "c", "h"]),
        ("Page", "Sources/CPage/site", ["js", "mjs"]),
        ("TestsAndTools", "Tests Tools", ["swift", "c", "h", "def", "py", "mjs", "sh", ""]),
    ]

    @Test("are within their caps")
    func lines() throws {
        let caps = try Self.caps()
        for part in Self.parts {
            let cap = try #require(caps[part.name]?.last) + Self.allowance(of: part.name)
            let folders = part.folder.split(separator: " ").map(String.init)
            let count = try Self.codeLines(in: folders, endings: part.endings)
            #expect(count <= cap, "\(part.name) has \(count) lines, and may have \(cap)")
            // A cap far above says nothing: lower it with the code that is removed.
            #expect(count > cap - 500, "\(part.name) has \(count) lines: lower its cap of \(cap)")
        }
    }

    @Test("may never become more, and none that there was is left out")
    func fall() throws {
        let caps = try Self.caps()
        for (name, caps) in caps { #expect(caps == Set(caps).sorted(by: >), "\(name)") }
        // Each line that was ever put into the file, as far as this clone knows.
        let changes = try #require(
            try SourceTree.git(
                "log", "--first-parent", "-m", "--patch", "--format=", "--no-ext-diff", "--",
                Self.file))
        let added = changes.split(separator: "\n").filter {
            $0.hasPrefix("+") && !$0.hasPrefix("++")
        }
        #expect(!added.isEmpty)
        for (name, past) in Self.numbers(added.map { $0.dropFirst() }) {
            #expect(Set(past).isSubset(of: caps[name] ?? []), "\(name) had other caps")
        }
    }

    /// The caps of each part as they fell; the last one holds.
    private static func caps() throws -> [String: [Int]] {
        let text = try SourceTree.text(file)
        return numbers(text.split(separator: "\n"))
    }

    /// What features may bring to a part.
    private static func allowance(of name: String) throws -> Int {
        try SourceTree.text(file).split(separator: "\n").map { $0.split(separator: " ") }
            .filter { $0[0] == name }.flatMap { $0.filter { $0.hasPrefix("+") } }
            .reduce(0) { $0 + (Int($1) ?? 0) }
    }

    /// The numbers after each name that are caps, in order.
    private static func numbers(_ lines: [Substring]) -> [String: [Int]] {
        lines.map { $0.split(separator: " ") }.reduce(into: [:]) { numbers, words in
            let caps = words.dropFirst().filter { !$0.hasPrefix("+") }
            numbers[String(words[0]), default: []] += caps.compactMap { Int($0) }
        }
    }

    private static func codeLines(in folders: [String], endings: Set<String>) throws -> Int {
        var count = 0
        for folder in folders {
            // New files count before they are added.
            let paths = try #require(
                try SourceTree.git(
                    "ls-files", "--cached", "--others", "--exclude-standard", folder))
            for path in paths.split(separator: "\n") {
                let file = SourceTree.root.appending(path: String(path))
                guard endings.contains(file.pathExtension),
                    let bytes = FileManager.default.contents(atPath: file.path),
                    !file.pathExtension.isEmpty || bytes.starts(with: Array("#!".utf8))
                else { continue }
                let isScript = ["py", "sh", ""].contains(file.pathExtension)
                count += codeLines(bytes, comment: isScript ? "#" : "//")
            }
        }
        return count
    }

    /// The lines that are neither blank nor only a comment.
    private static func codeLines(_ bytes: Data, comment: String) -> Int {
        var count = 0
        var isComment = false
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if text.starts(with: Array("/*".utf8)) { isComment = true }
            let isMark = text.starts(with: Array(comment.utf8))
            if !text.isEmpty, !isComment, !isMark { count += 1 }
            if text.range(of: Data("*/".utf8)) != nil { isComment = false }
        }
        return count
    }
}
