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
}
