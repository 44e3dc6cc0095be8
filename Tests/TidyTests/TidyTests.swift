import Foundation
import Testing

@Suite("The source tree")
struct TidyTests {
    static let sources = SourceTree.files(below: "Sources")
    static let tools = SourceTree.files(below: "Tools")
    static let tests = SourceTree.files(below: "Tests")

    static let table: TargetTable = {
        do {
            return try TargetTable()
        } catch {
            fatalError("The table of targets cannot be read: \(error)")
        }
    }()

    @Test("is all there, and the target table names each target")
    func isThere() {
        let targets = Set(Self.sources.map(\.target))
        let rows = Set(Self.table.rows.map(\.target))
        #expect(targets.subtracting(rows).isEmpty, "are not in the table of targets")
        #expect(
            rows.subtracting(targets) == Set(Self.models.keys).union(["TestSupport"]),
            "are not below Sources")
        let folds = Set(Self.table.rows.filter(\.isFold).map(\.target))
        #expect(folds.isSuperset(of: ["Decoding", "Events", "Projections", "Certification"]))
        #expect(Self.tools.contains { $0.path.hasSuffix("/StepHistories.swift") })
        #expect(Self.tests.contains { $0.path.hasSuffix("/TidyTests.swift") })
    }

    @Test("imports only what the target table allows")
    func imports() {
        for row in Self.table.rows where !row.mayImportAnything {
            let files = Self.files(of: row.target)
            #expect(!files.isEmpty, "\(row.target)")
            for file in files {
                let refused = Set(file.imports).subtracting(row.allowed)
                #expect(refused == [], "\(file.path)")
            }
        }
    }

    /// Where targets are that are neither sources nor tests.
    private static let models = [
        "DaemonModel": "Tools/Play/FakeStrap/Model/",
        "HistoryModel": "Tools/Campaigns/Histories/Model/",
        "SimulatorModel": "Tools/Campaigns/Simulator/Model/",
    ]

    private static func files(of target: String) -> [SourceTree.File] {
        if let folder = models[target] { return tools.filter { $0.path.hasPrefix(folder) } }
        return (sources + tests).filter { $0.target == target }
    }

    @Test("has no row of the target table that allows more than is imported")
    func table() {
        for row in Self.table.rows where !row.mayImportAnything {
            let imported = Self.files(of: row.target).flatMap(\.imports)
            #expect(row.allowed.subtracting(imported) == [], "\(row.target)")
        }
    }

    @Test("has a manifest that gives each target what the table allows, and no more")
    func manifest() throws {
        let manifest = try Manifest()
        let system: Set = ["Dispatch", "Foundation", "Glibc", "Synchronization"]
        for row in Self.table.rows {
            let given = try #require(manifest.dependencies[row.target])
            let imported = Self.sources.filter { $0.target == row.target }.flatMap(\.imports)
            let expected = row.mayImportAnything ? Set(imported) : row.allowed
            #expect(given == expected.subtracting(system), "\(row.target)")
        }
    }

    @Test("has a page for each target")
    func page() {
        for target in Set(Self.sources.map(\.target)) {
            let page = SourceTree.root.appending(
                path: "Sources/\(target)/Documentation.docc/\(target).md")
            #expect(FileManager.default.fileExists(atPath: page.path), "\(page.path)")
        }
    }

    @Test("keeps files within 400 lines and lines within 100 columns")
    func sizes() {
        for file in Self.sources + Self.tools + Self.tests {
            #expect(file.lines.count <= 401, "\(file.path) has \(file.lines.count) lines")
            for (index, line) in file.lines.enumerated()
            where line.utf8.count > 100 && line.count > 100 {
                Issue.record("\(file.path):\(index + 1) has \(line.count) columns")
            }
        }
    }

    @Test("gives no two types of the sources the same name, but for those within others")
    func typeNames() {
        let kinds: Set<Substring> = [
            "struct", "enum", "class", "actor", "protocol", "typealias",
        ]
        var files: [Substring: [String]] = [:]
        for file in Self.sources {
            for line in file.lines {
                let words = line.split { !$0.isLetter && !$0.isNumber && $0 != " " }.first ?? ""
                guard line.first?.isWhitespace == false, !line.hasPrefix("/") else { continue }
                let declaration = words.split(separator: " ")
                guard let kind = declaration.firstIndex(where: { kinds.contains($0) }),
                    kind + 1 < declaration.count
                else { continue }
                files[declaration[kind + 1], default: []].append(file.path)
            }
        }
        #expect(files.count > 500)
        for (name, paths) in files where paths.count > 1 {
            Issue.record("\(name) is declared in \(paths.joined(separator: ", "))")
        }
    }

    @Test("keeps functions within 70 lines")
    func functions() {
        for file in Self.sources + Self.tools + Self.tests {
            var declaration: (line: Int, indent: Int)?
            var body: (line: Int, indent: Int)?
            for (index, line) in file.lines.enumerated() {
                let indent = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
                let text = line.dropFirst(indent)
                if let open = body {
                    guard indent == open.indent, text.hasPrefix("}") else { continue }
                    let length = index - open.line + 1
                    #expect(length <= 70, "\(file.path):\(open.line + 1) has \(length) lines")
                    body = nil
                    continue
                }
                if !text.hasPrefix("//"), text.contains("func ") || text.contains("init(") {
                    declaration = text.hasSuffix("}") ? nil : (index, indent)
                }
                // A declaration goes on to the brace in its own column, or was a requirement.
                guard let head = declaration, indent <= head.indent else { continue }
                if text.hasSuffix("{") {
                    body = head
                    declaration = nil
                }
            }
        }
    }

    /// The files of the targets that are pure.
    private static let pure: [SourceTree.File] = {
        let folds = Set(table.rows.filter(\.isFold).map(\.target))
        return sources.filter { folds.contains($0.target) }
    }()

    @Test("uses no clock, locale, randomness or hashing order in pure targets")
    func purity() {
        let forbidden = [
            "ContinuousClock", "SuspendingClock", "clock_gettime", "Date()", ".random(", "UUID(",
            "Locale", "ProcessInfo", "getenv", "hashValue", "Dictionary<", "Dictionary(", " Set<",
            " Set(", "(Set(", "Double", "Float",
        ]
        #expect(Self.pure.count > 100)
        Self.refuse(forbidden, in: Self.pure, butFor: "///")
    }

    @Test("looks up what a pure target keeps by key, and never goes through it")
    func hashingOrder() throws {
        let declaration = #/\b(?:var|let) (\w+)(?:: \[[\w.]+: | = \[:\])/#
        // As what a loop goes through, or by a function that does.
        let functions =
            "keys|values|map|flatMap|compactMap|mapValues|filter|forEach|reduce|first|min|max"
            + "|sorted|enumerated"
        for file in Self.pure {
            let lines = file.lines.map { $0.prefix { $0 != "/" } }
            let declared = lines.filter { $0.contains("[") }
                .flatMap { $0.matches(of: declaration).map(\.1) }
            for name in declared {
                let order = try Regex(
                    "\\bin (self\\.)?\(name)\\b( |$|\\.(?!indices))|\\b\(name)\\.(\(functions))\\b")
                for (index, line) in lines.enumerated()
                where line.contains(name) && line.contains(order) {
                    Issue.record("\(file.path):\(index + 1) goes through \(name) in no order")
                }
            }
        }
    }

    @Test("mentions pointers only where a decision allows it")
    func pointers() {
        let allowed = [
            "Events/Block/", "TamperEvidence/Libraries/", "Web/Page/PageFile",
            "Web/Server/ConnectionRoom", "Web/Server/Listener",
        ]
        let wrappers = [
            "Clocks", "Compression", "DBus", "Files", "LMDB", "QRCodes", "SQLite", "Threads", "XML",
        ]
        let others = Self.sources.filter { file in
            !wrappers.contains(file.target) && !allowed.contains { file.path.contains($0) }
        }
        Self.refuse(["Unsafe", "unsafe"], in: others, butFor: "//")
    }

    @Test("silences no error")
    func errors() {
        Self.refuse(["try? ", "catch {}", "try! "], in: Self.sources + Self.tools, butFor: nil)
    }

    /// Records each line that has one of some words, but for those with a mark.
    private static func refuse(
        _ words: [String], in files: [SourceTree.File], butFor mark: String?
    ) {
        for file in files {
            for (index, line) in file.lines.enumerated() {
                for word in words where line.contains(word) {
                    if let mark, line.drop(while: \.isWhitespace).hasPrefix(mark) { continue }
                    Issue.record("\(file.path):\(index + 1) has \(word)")
                }
            }
        }
    }

    @Test("has planted faults that can still be put in")
    func faults() throws {
        for patch in Self.plantedFaults {
            #expect(try SourceTree.git("apply", "--check", patch) != nil, "\(patch)")
        }
    }

    @Test("has a planted fault for each promise of the simulator")
    func promises() throws {
        let list = try String(
            contentsOf: SourceTree.root.appending(
                path: "Tools/Campaigns/Simulator/Model/Promises/Violation.swift"), encoding: .utf8)
        let promises = list.split(separator: "\n").filter { $0.hasPrefix("    case ") }
            .map { String($0.dropFirst(9)) }
        #expect(promises.count >= 10)
        var broken: Set<String> = []
        for patch in Self.plantedFaults {
            let text = try String(
                contentsOf: SourceTree.root.appending(path: patch), encoding: .utf8)
            for line in text.split(separator: "\n") where line.hasPrefix("Promise: ") {
                broken.insert(String(line.dropFirst(9)))
            }
        }
        #expect(broken == Set(promises))
    }

    private static let plantedFaults: [String] = {
        let folder = "Tools/Campaigns/Simulator/Faults"
        return SourceTree.names(in: folder).map { "\(folder)/\($0)" }
    }()

    @Test("has nothing at the top level, nor among the tools, but what belongs there")
    func topLevel() {
        let expected: [String: Set<String>] = [
            "": ["Package.resolved", "Package.swift", "Sources", "Tests", "Replays", "Tools"],
            "Tools": [
                "Benchmarks", "Campaigns", "Fleet", "Package", "Play", "Replays", "build",
                "campaign", "check", "package", "python", "requirements.txt", "run", "setup",
                "test", "thread-sanitizer.txt",
            ],
        ]
        for (folder, expected) in expected {
            for name in SourceTree.names(in: folder) where !name.hasPrefix(".") {
                let belongs = expected.contains(name) || name == "README.md"
                #expect(belongs, "\(name) does not belong there")
            }
        }
    }

    @Test("has a line on the tools' page for each campaign that can be run, and for no other")
    func campaigns() throws {
        let script = try String(
            contentsOf: SourceTree.root.appending(path: "Tools/campaign"), encoding: .utf8)
        let page = try String(
            contentsOf: SourceTree.root.appending(path: "Tools/README.md"), encoding: .utf8)
        let list = try #require(script.firstMatch(of: #/\nall=\(([^)]*)\)/#)?.1)
        let named = try #require(script.firstMatch(of: #/\nnamed=\(([^)]*)\)/#)?.1)
        let runnable = "\(list) \(named)".split { $0.isWhitespace }
        let section = page.split(separator: "\n## ").first { $0.hasPrefix("Campaigns") }
        let rows = try #require(section).matches(of: #/\n\| `([^`]+)` \|/#).map(\.1)
        #expect(runnable.count > 10)
        #expect(Set(rows) == Set(runnable))
    }
}
