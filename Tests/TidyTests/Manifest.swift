import Foundation

/// What `Package.swift` gives each target to depend on.
struct Manifest: Sendable {
    /// The names of targets and products that each target depends on.
    let dependencies: [String: Set<String>]

    /// Reads the manifest.
    ///
    /// - Throws: An error of the file system.
    init() throws {
        let text = try SourceTree.text("Package.swift")
        var dependencies: [String: Set<String>] = [:]
        // A target names itself, then what it depends on.
        let declaration = #/arget\(\s*name: "(\w+)",\s*(?:dependencies: \[([^\]]*)\])?/#
        for match in text.matches(of: declaration) {
            let list = match.2 ?? ""
            // `.product(name: "NIOCore", package: "swift-nio")` is imported as `NIOCore`.
            let names = list.replacing(#/, package: "[^"]*"/#, with: "").matches(of: #/"(\w+)"/#)
            dependencies[String(match.1)] = Set(names.map { String($0.1) })
        }
        self.dependencies = dependencies
    }
}
