import Foundation
import Testing

@Suite("The source tree")
struct TidyTests {
    static let sources = SourceTree.files(below: "Sources")
    static let tools = SourceTree.files(below: "Tools")
    static let tests = SourceTree.files(below: "Tests")

    static let declared = Declarations(sources)

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
        #expect(Self.declared.types.count > 500)
        for (name, paths) in Self.declared.types where paths.count > 1 {
            Issue.record("\(name) is declared in \(paths.joined(separator: ", "))")
        }
    }

    @Test("has pages that name only what there is, with its labels")
    func pageNames() throws {
        let pages = SourceTree.files(below: "Sources", ending: ".md")
        let files = (pages + Self.sources).map {
            String($0.path.split(separator: "/").last!).replacing(".md", with: "")
        }
        let known = Self.declared.links.union(Self.table.rows.map(\.target)).union(files)
            .union(["Device1.Blocked", "Documentation.docc", "HttpOnly", "ServicesResolved"])
            .union(["StartNotify", "StopNotify", "TidyTests"])
        // A link, `Type.member`, `member(label:)`, or a type of several words.
        let name =
            #/``([^`\s]+)``|`([A-Z]\w+(?:\.\w+)+|[A-Z]\w*[a-z][A-Z]\w*|[\w.\/]+\((?:\w+:)+\))`/#
        let readme = SourceTree.File(
            target: "", path: "README.md", text: try SourceTree.text("README.md"), lines: [])
        for page in pages + [readme] {
            for match in page.text.matches(of: name) {
                let link = (match.1 ?? match.2 ?? "").split(separator: "/").joined(separator: ".")
                if !known.contains(link) { Issue.record("\(page.path) names \(link)") }
            }
        }
    }

    @Test("keeps functions within 70 lines")
    func functions() {
        for file in Self.sources + Self.tools + Self.tests {
            for (index, line) in file.lines.enumerated()
            where line.contains("func ") || line.contains("init(") {
                let indent = String(line.prefix { $0 == " " })
                guard !line.hasSuffix("}"), !line.hasPrefix(indent + "//") else { continue }
                // The next line in its column that does not continue its head ends it, or its
                // head was all of it.
                let end = file.lines[(index + 1)...].firstIndex {
                    !$0.isEmpty && !$0.hasPrefix(indent + " ") && !$0.hasPrefix(indent + ")")
                }
                guard let end, file.lines[end].hasPrefix(indent + "}") else { continue }
                let length = end - index + 1
                #expect(length <= 70, "\(file.path):\(index + 1) has \(length) lines")
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

    @Test("names each command: to find a name out from a type takes the parser 0.1 ms")
    func commandNames() {
        let unnamed = #/CommandConfiguration\((?!\s*commandName:)/#
        for file in Self.sources { #expect(!file.text.contains(unnamed), "\(file.path)") }
    }

    @Test("mentions pointers only where a decision allows it")
    func pointers() {
        let allowed = [
            "Events/Block/", "TamperEvidence/Libraries/", "Web/Page/PageFile",
            "Web/Server/ConnectionRoom", "Web/Server/Listener",
        ]
        let wrappers = [
            "Clocks", "Compression", "DBus", "Files", "LMDB", "MQTT", "QRCodes", "SQLite",
            "Threads",
            "XML",
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
        let list = try SourceTree.text("Tools/Campaigns/Simulator/Model/Promises/Violation.swift")
        let promises = list.split(separator: "\n").filter { $0.hasPrefix("    case ") }
            .map { String($0.dropFirst(9)) }
        #expect(promises.count >= 10)
        var broken: Set<String> = []
        for patch in Self.plantedFaults {
            let text = try SourceTree.text(patch)
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
        let script = try SourceTree.text("Tools/campaign")
        let page = try SourceTree.text("Tools/README.md")
        let list = try #require(script.firstMatch(of: #/\nall=\(([^)]*)\)/#)?.1)
        let named = try #require(script.firstMatch(of: #/\nnamed=\(([^)]*)\)/#)?.1)
        let runnable = "\(list) \(named)".split { $0.isWhitespace }
        let section = page.split(separator: "\n## ").first { $0.hasPrefix("Campaigns") }
        let rows = try #require(section).matches(of: #/\n\| `([^`]+)` \|/#).map(\.1)
        #expect(runnable.count > 10)
        #expect(Set(rows) == Set(runnable))
    }
}
