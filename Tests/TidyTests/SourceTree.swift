import Foundation

/// The files of the repository, as the tests of tidiness read them.
enum SourceTree {
    /// The folder that holds `Package.swift`.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file of a target.
    struct File: Sendable {
        let target: String
        let path: String
        let text: String
        let lines: [String]

        /// The modules it imports.
        var imports: [String] {
            lines.compactMap { line in
                let words = line.split(separator: " ").map(String.init)
                guard let index = words.firstIndex(of: "import"), index < 2,
                    index + 1 < words.count,
                    index == 0 || ["public", "package", "internal", "@testable"].contains(words[0])
                else { return nil }
                return words[index + 1]
            }
        }
    }

    /// The names in a folder of the repository, in order.
    static func names(in folder: String) -> [String] {
        do {
            let path = root.appending(path: folder).path
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            fatalError("\(folder) cannot be read: \(error)")
        }
    }

    /// The files below a folder of the repository; the target is the folder below it.
    static func files(below folder: String, ending: String = ".swift") -> [File] {
        let base = root.appending(path: folder)
        do {
            let names = try FileManager.default.subpathsOfDirectory(atPath: base.path)
            return try names.filter { $0.hasSuffix(ending) && !$0.contains(".build") }.sorted()
                .map { name in
                    let text = try text("\(folder)/\(name)")
                    return File(
                        target: String(name.prefix { $0 != "/" }), path: "\(folder)/\(name)",
                        text: text,
                        lines: text.split(separator: "\n", omittingEmptySubsequences: false)
                            .map(String.init))
                }
        } catch {
            fatalError("\(base.path) cannot be read: \(error)")
        }
    }

    /// The text of a file of the repository.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Runs git in the repository.
    ///
    /// - Returns: What it printed, whatever its configuration says; nil if it failed.
    static func git(_ arguments: String...) throws -> String? {
        let git = Process()
        let output = Pipe()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments = ["git", "-c", "color.ui=never", "-c", "core.quotePath=false"] + arguments
        git.currentDirectoryURL = root
        git.standardOutput = output
        try git.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        git.waitUntilExit()
        return git.terminationStatus == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
