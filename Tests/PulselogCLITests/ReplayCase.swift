import Foundation
import TestSelection
import Testing

/// A folder of `Replays/`: a capture, and the one result that every way of folding it gives.
struct ReplayCase: Sendable, CustomTestStringConvertible {
    let name: String

    /// Names one.
    init(_ name: String) { self.name = name }

    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Replays")

    /// All of them, in order.
    static let all: [ReplayCase] = {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { !$0.contains(".") }.sorted().map { ReplayCase($0) }
        } catch {
            fatalError("There are no replays: \(error)")
        }
    }()

    /// Those of the quick run: a whole walk, and a day with corrections.
    static let tested =
        everythingIsTested
        ? all : ["ordinary-walk", "late-health-total"].map(ReplayCase.init)

    var testDescription: String { name }
    var capture: String { Self.folder.path + "/\(name)/capture.jsonl" }

    /// Whether the case has a file.
    func has(_ file: String) -> Bool {
        FileManager.default.fileExists(atPath: Self.folder.path + "/\(name)/\(file)")
    }

    /// The bytes of a file of the case.
    func bytes(of file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.folder.appending(path: "\(name)/\(file)")))
    }

    /// The result that is expected.
    var result: Line {
        get throws { try Line(String(decoding: bytes(of: "expected.json"), as: UTF8.self)) }
    }

    /// The lines of its capture.
    var lines: [String] {
        get throws {
            String(decoding: try bytes(of: "capture.jsonl"), as: UTF8.self)
                .split(separator: "\n").map(String.init)
        }
    }
}
