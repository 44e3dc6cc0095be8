import Foundation

/// The table of targets: the one place that says what each may import.
struct TargetTable: Sendable {
    /// A target.
    struct Row: Sendable {
        /// Its name.
        let target: String
        /// The modules that it may import, of ours and of others.
        let allowed: Set<String>
        /// Whether it may import everything, as the root does.
        let mayImportAnything: Bool
        /// Whether the same bytes give the same result on every machine.
        let isFold: Bool
    }

    /// What the products of packages are called in an import.
    fileprivate static let modules = ["swift-argument-parser": "ArgumentParser"]

    let rows: [Row]

    /// Reads the table.
    ///
    /// - Throws: An error of the file system.
    init() throws {
        let page = try SourceTree.text(
            "Sources/PulselogCLI/Documentation.docc/Architecture.md")
        let lines = page.split(separator: "\n")
        let head = lines.firstIndex { $0.hasPrefix("| Target | Holds | May import |") }
        let body = lines[((head ?? -2) + 2)...].prefix { $0.hasPrefix("|") }
        rows = body.map { Row(String($0)) }
    }
}

extension TargetTable.Row {
    fileprivate init(_ line: String) {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        // "`DBus`, over `CDBus`": what it wraps is its own to import.
        let names = cells[1].split(separator: "`").filter { !$0.hasPrefix(",") }.map(String.init)
        target = names[0]
        let listed = cells[3].split(separator: ",").map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
        }
        mayImportAnything = listed.contains("anything")
        allowed = Set(listed.map { TargetTable.modules[$0] ?? $0 })
            .union(cells[1].contains("over") ? names.dropFirst() : [])
        isFold = cells[2].contains("pure") && !allowed.contains("SQLite")
    }
}
