import Foundation
import Testing

extension Workbench {
    /// The file of the log in the store.
    var dataFile: URL { URL(filePath: store + "/data.mdb") }

    /// Flips a bit where a file of a log, that of the store unless told, holds a text first.
    func damage(_ text: String, in file: URL? = nil) throws {
        let file = file ?? dataFile
        var bytes = try Data(contentsOf: file)
        let place = try #require(bytes.range(of: Data(text.utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: file)
    }

    /// A file with the lines of a log, whose positions follow each other.
    func log(_ name: String = "log.jsonl", of lines: some Sequence<String>) throws -> String {
        let numbered = lines.enumerated().map { $1.setting("position", to: $0) + "\n" }
        return try file(name, numbered.joined())
    }

    /// Imports the lines of a log, whose positions follow each other, into the store.
    func load(_ lines: some Sequence<String>) async throws {
        try await expect("import", log(of: lines))
    }
}
