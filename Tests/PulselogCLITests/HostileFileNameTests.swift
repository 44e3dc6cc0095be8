import Foundation
import TestSelection
import TestSupport
import Testing

/// A file's name is a stranger's text as well: whatever a command says of a file is harmless.
@Suite("Hostile names of files")
struct HostileFileNameTests {
    static let name = "a\u{1B}[2J\u{1B}]0;owned\u{7}\nline\r\u{202E}\u{9B}31m"

    /// Every command with a file, a folder or a word in it, for which `FILE` stands.
    static let commands = [
        "replay FILE", "import FILE", "import FILE FILE", "import --as apple-health FILE",
        "import --as gadgetbridge FILE", "record --replay FILE", "record --device FILE",
        "record --goal FILE", "status --store FILE", "log stats --store FILE",
        "log verify --store FILE", "log cat --store FILE", "log tail --store FILE",
        "log rebuild --store FILE", "export --store FILE", "sessions --store FILE",
        "sessions show FILE", "steps --store FILE", "steps --day FILE", "steps --days FILE",
        "devices --store FILE", "devices forget FILE", "devices pair FILE", "profile set FILE",
        "profile set height=FILE", "health FILE", "health 5 --until FILE", "health 5 --day FILE",
        "audit steps --store FILE", "audit check --store FILE", "audit explain --at FILE",
        "replay store --store FILE", "replay session:FILE", "replay store --what-if FILE",
        "replay store --until FILE", "decode FILE 00", "decode 2a37 FILE", "FILE", "--FILE",
        "log FILE", "log cat FILE", "doctor --store FILE",
    ]

    /// What may stand in the file.
    static let contents: [(String, [UInt8]?)] = [
        ("there is none", nil), ("garbage", Array("\u{1B}garbage".utf8)),
        ("a broken export", Array("<HealthData><x".utf8)), ("an archive", [0x50, 0x4B, 3, 4, 1]),
        ("a database", Array("SQLite format 3\0...".utf8)), ("a total", Array("{\"date\":1}".utf8)),
    ]

    @Test("act in no message of any command", arguments: sample(contents))
    func messages(_ content: (String, [UInt8]?)) async throws {
        let bench = Workbench()
        let path = "\(bench.folder)/\(Self.name)"
        if let bytes = content.1 { _ = try bench.file(Self.name, bytes) }
        for command in Self.commands {
            let words = command.split(separator: " ").map { word in
                word.contains("FILE") ? String(word).replacing("FILE", with: path) : String(word)
            }
            let end = try await bench.start(words).end
            #expect(end.status != 0 || command.hasPrefix("doctor"), "\(command)")
            #expect(end.status >= 0, "\(command) ended by signal \(-end.status)")
            for line in (end.text + end.messages).split(separator: "\n") {
                #expect(HostileNames.isHarmless(String(line)), "\(command): \(line)")
                #expect(!line.hasPrefix("line"), "\(command): a name made a line of its own")
            }
        }
    }

    @Test("stand in the way of nothing: a store and a capture of such a name work")
    func working() async throws {
        let bench = Workbench()
        let capture = try ReplayCase("ordinary-walk").bytes(of: "capture.jsonl")
        let path = try bench.file(Self.name, capture)
        let store = "\(bench.folder)/s\(Self.name)"
        let cut = try bench.file("cut" + Self.name, Array(capture.dropLast(40)))
        for (arguments, status) in [
            (["import", path, "--store", store], 0), (["replay", path], 0),
            (["replay", cut], 65), (["log", "stats", "--store", store], 0),
            (["doctor", "--store", store], 69),
            (
                [
                    "record", "--simulate", "--for", "4s", "--health",
                    "\(bench.folder)/no\(Self.name)",
                ], 0
            ), (["import", path, "--store", store], 0),
        ] as [([String], Int32)] {
            let end = try await bench.expect(arguments, status: status)
            for line in (end.text + end.messages).split(separator: "\n") {
                #expect(HostileNames.isHarmless(String(line)), "\(arguments): \(line)")
            }
        }
    }
}
