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

    static let rows: [TargetTable.Row] = table.rows

    @Test("is all there, and the target table names each target")
    func isThere() {
        let targets = Set(Self.sources.map(\.target))
        let rows = Set(Self.table.rows.map(\.target))
        #expect(targets.subtracting(rows).isEmpty, "are not in the table of targets")
        #expect(
            rows.subtracting(targets) == ["HistoryModel", "SimulatorModel", "TestSupport"],
            "are not below Sources")
        let folds = Set(Self.table.rows.filter(\.isFold).map(\.target))
        #expect(folds.isSuperset(of: ["Decoding", "Events", "Projections", "Certification"]))
        #expect(Self.tools.contains { $0.path.hasSuffix("/NaiveModel.swift") })
        #expect(Self.tests.contains { $0.path.hasSuffix("/TidyTests.swift") })
    }

    @Test(
        "imports only what the target table allows",
        arguments: sources + tests.filter { $0.target == "TestSupport" })
    func imports(_ file: SourceTree.File) throws {
        let row = try #require(Self.table.rows.first { $0.target == file.target })
        guard !row.mayImportAnything else { return }
        for module in file.imports {
            #expect(row.allowed.contains(module), "\(file.path) imports \(module)")
        }
    }

    @Test("has no row of the target table that allows more than is imported", arguments: rows)
    func table(_ row: TargetTable.Row) throws {
        guard !row.mayImportAnything else { return }
        let folders = ["HistoryModel": "Histories/", "SimulatorModel": "Simulator/"]
        let files = (Self.sources + Self.tools + Self.tests).filter {
            $0.target == row.target
                || $0.path.hasPrefix("Tools/Campaigns/" + (folders[row.target] ?? "/"))
        }
        #expect(row.allowed.subtracting(files.flatMap(\.imports)) == [], "\(row.target)")
    }

    @Test(
        "has a manifest that gives each target what the table allows, and no more", arguments: rows)
    func manifest(_ row: TargetTable.Row) throws {
        let given = try #require(try Manifest().dependencies[row.target])
        let system: Set = ["Dispatch", "Foundation", "Glibc", "Synchronization"]
        guard row.mayImportAnything else {
            return #expect(given == row.allowed.subtracting(system), "\(row.target)")
        }
        let imported = Self.sources.filter { $0.target == row.target }.flatMap(\.imports)
        #expect(given == Set(imported).subtracting(system), "\(row.target)")
    }

    @Test("has a page for each target", arguments: rows)
    func page(_ row: TargetTable.Row) {
        let folder = SourceTree.root.appending(path: "Sources/\(row.target)")
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        let page = folder.appending(path: "Documentation.docc/\(row.target).md")
        #expect(FileManager.default.fileExists(atPath: page.path), "\(page.path)")
    }

    @Test("keeps the naive model apart from the fold it judges", arguments: tools)
    func modelImports(_ file: SourceTree.File) {
        let name = file.path.split(separator: "/").last ?? ""
        guard name.hasPrefix("NaiveModel") || name == "Fact.swift" else { return }
        #expect(file.imports == ["Events"], "\(file.path) imports \(file.imports)")
    }

    @Test(
        "keeps files within 400 lines and lines within 100 columns",
        arguments: sources + tools + tests)
    func sizes(_ file: SourceTree.File) {
        #expect(file.lines.count <= 401, "\(file.path) has \(file.lines.count) lines")
        for (index, line) in file.lines.enumerated() where line.count > 100 {
            Issue.record("\(file.path):\(index + 1) has \(line.count) columns")
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

    @Test("keeps functions within 70 lines", arguments: sources + tools + tests)
    func functions(_ file: SourceTree.File) {
        var declaration: (line: Int, indent: Int)?
        var body: (line: Int, indent: Int)?
        for (index, line) in file.lines.enumerated() {
            let indent = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indent)
            if let open = body {
                guard indent == open.indent, text.hasPrefix("}") else { continue }
                let length = index - open.line + 1
                #expect(length <= 70, "\(file.path):\(open.line + 1) has \(length) lines")
                body = nil
                continue
            }
            if let head = declaration, indent <= head.indent {
                // A declaration goes on with its closing parenthesis, or was a requirement.
                if text.hasPrefix(")"), text.hasSuffix("{") { body = head }
                declaration = nil
            }
            let isFunction = text.contains("func ") || text.contains("init(")
            guard body == nil, isFunction, !text.hasPrefix("//") else { continue }
            if text.hasSuffix("{") { body = (index, indent) }
            if text.hasSuffix("(") { declaration = (index, indent) }
        }
    }

    @Test("uses no clock, locale, randomness or hashing order in pure targets", arguments: sources)
    func purity(_ file: SourceTree.File) {
        guard Self.table.rows.contains(where: { $0.target == file.target && $0.isFold })
        else { return }
        let forbidden = [
            "ContinuousClock", "SuspendingClock", "clock_gettime", "Date()", ".random(", "UUID(",
            "Locale", "ProcessInfo", "getenv", "hashValue", "Dictionary<", "Dictionary(", " Set<",
            " Set(", "(Set(", "Double", "Float",
        ]
        for (index, line) in file.lines.enumerated() where !line.contains("///") {
            for word in forbidden where line.contains(word) {
                Issue.record("\(file.path):\(index + 1) uses \(word)")
            }
        }
    }

    @Test("looks up what a pure target keeps by key, and never goes through it", arguments: sources)
    func hashingOrder(_ file: SourceTree.File) throws {
        guard Self.table.rows.contains(where: { $0.target == file.target && $0.isFold })
        else { return }
        let lines = file.lines.map { $0.prefix { $0 != "/" } }
        let declaration = #/\b(?:var|let) (\w+)(?:: \[[\w.]+: | = \[:\])/#
        for name in lines.flatMap({ $0.matches(of: declaration).map(\.1) }) {
            // As what a loop goes through, or by a function that does.
            let functions =
                "keys|values|map|flatMap|compactMap|mapValues|filter|forEach|reduce|first|min|max"
                + "|sorted|enumerated"
            let order = try Regex(
                "\\bin (self\\.)?\(name)\\b( |$|\\.(?!indices))|\\b\(name)\\.(\(functions))\\b")
            for (index, line) in lines.enumerated() where line.contains(order) {
                Issue.record("\(file.path):\(index + 1) goes through \(name) in no order")
            }
        }
    }

    @Test("mentions pointers only where a decision allows it", arguments: sources)
    func pointers(_ file: SourceTree.File) {
        let allowed = [
            "Events/Block/", "TamperEvidence/Libraries/", "Web/Page/PageFile",
            "Web/Server/ConnectionRoom", "Web/Server/Listener",
        ]
        let isAllowed = allowed.contains { file.path.contains($0) }
        let wrappers = [
            "Clocks", "Compression", "DBus", "Files", "LMDB", "QRCodes", "SQLite", "Threads", "XML",
        ]
        if wrappers.contains(file.target) || isAllowed { return }
        for (index, line) in file.lines.enumerated()
        where !line.contains("//") && (line.contains("Unsafe") || line.contains("unsafe")) {
            Issue.record("\(file.path):\(index + 1) mentions a pointer")
        }
    }

    @Test("silences no error", arguments: sources + tools)
    func errors(_ file: SourceTree.File) {
        for (index, line) in file.lines.enumerated()
        where line.contains("try? ") || line.contains("catch {}") || line.contains("try! ") {
            Issue.record("\(file.path):\(index + 1) silences an error")
        }
    }

    @Test("has planted faults that can still be put in", arguments: plantedFaults)
    func faults(_ patch: String) throws {
        let git = Process()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments = ["git", "apply", "--check", patch]
        git.currentDirectoryURL = SourceTree.root
        try git.run()
        git.waitUntilExit()
        #expect(git.terminationStatus == 0, "\(patch)")
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
                "campaign", "check", "package", "run", "setup", "test", "thread-sanitizer.txt",
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
