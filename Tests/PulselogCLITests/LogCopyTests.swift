import Foundation
import TestSelection
import TestSupport
import Testing

/// Stores that are made of stores: whole, or not at all.
@Suite("pulselog log backup, restore and recover")
struct LogCopyTests {
    let bench = Workbench()

    private func path(_ name: String) -> String { "\(bench.folder)/\(name)" }

    @Test("say what they made, and a walk goes on in what was restored")
    func words() async throws {
        try await bench.load("ordinary-walk")
        let backup = try await bench.run("log", "backup", path("copy"), "--compact")
        #expect(
            backup.text.hasPrefix(
                "266 events, 36,864 bytes, the last event at 2026-03-01 10:02:35"),
            "\(backup.text)\(backup.messages)")
        #expect(backup.text.contains("Verified, in \(path("copy"))\nCompacted from "))
        let restored = try await bench.run("log", "restore", path("copy"), "--store", path("new"))
        #expect(restored.text.hasPrefix("268 events, "), "\(restored.text)\(restored.messages)")
        #expect(restored.text.contains("with a new origin"))
        let lines = try await bench.run("export").lines
        let own = try await bench.run("export", "--store", path("new")).lines
        #expect(own.starts(with: lines))
        let begun = try own.dropFirst(lines.count).map { try Line($0) }
        #expect(try begun.map { try $0.text("kind") } == ["originBegan", "bootBegan"])
        #expect(try begun[0].text("cause") == "restored")
        try await bench.expect("record", "--simulate", "--for", "1s", "--store", path("new"))
        try await bench.expect("audit", "check", "--store", path("new"))
        #expect(try await bench.run("export").lines == lines)
    }

    @Test("blame what fails, and not the store that is copied")
    func blame() async throws {
        try await bench.load("ordinary-walk")
        let end = try await bench.expect(
            "log", "backup", "/proc/copy", status: 74, says: "/proc/copy")
        #expect(!end.messages.contains(bench.store), "\(end.messages)")
    }

    @Test("say what a backup lacks that is older than what was signed")
    func older() async throws {
        try await bench.load("ordinary-walk")
        _ = try await bench.output("log", "backup", path("copy"))
        let capture = try bench.file("values.txt", "[0, 70]\n[0, 71]\n")
        _ = try await bench.output(
            "import", capture, "--as", "lines", "--begin", "1970-01-01T00:00:00Z")
        try await bench.expect(
            "log", "restore", path("copy"), "--store", path("a"),
            says: "Not in it, as the backup is older: 1 block of events")
        let line = try await bench.object("log", "restore", path("copy"), "--store", path("b"))
        #expect(try line.integer("laterBlocks") == 1)
        let new = try await bench.run("log", "restore", bench.store, "--store", path("c")).text
        #expect(!new.contains("Not in it"), "\(new)")
    }

    @Test("are refused with a sentence, and make nothing")
    func refused() async throws {
        try await bench.load("ordinary-walk")
        for name in ["there", ".local/state/pulselog"] { try bench.folder(name) }
        try bench.file("file", "1")
        let before = try bench.names()
        let complaints: [(String, Int32, String)] = [
            ("log backup @there", 73, "already exists"), ("log backup @file", 73, "already exists"),
            ("log backup @store", 73, "already exists"),
            ("log backup @store/copy", 73, "in the store itself"),
            ("log backup @there/../store/a", 73, "in the store itself"),
            ("log backup @\(String(repeating: "n", count: 256))", 73, "longer than 255 bytes"),
            ("log backup @.local/state/pulselog", 73, "already exists"),
            ("log backup @.local/state/pulselog/a", 73, "keys of logs"),
            ("log backup @nowhere/copy", 73, "is mounted"),
            ("log backup @file/copy", 73, "is not a folder"), ("log backup", 64, "dir"),
            ("log backup @copy --store @nowhere", 66, "no log"),
            ("log restore @store", 73, "already exists"),
            ("log restore @nowhere --store @new", 66, "no log"),
            ("log restore @nowhere --store @new", 66, "Name the folder"),
            ("log restore @file --store @new", 65, "Nothing was"),
            ("log restore @file --store @new", 65, "not a log that"),
            ("log restore @store --store @store/a", 73, "store itself"),
            ("log restore", 64, "backup"), ("log recover", 64, "--out"),
            ("log recover --out @there", 73, "already exists"),
            ("log recover --out @store/a", 73, "store itself"),
            ("log recover --out @a --store @nowhere", 66, "no log"),
            ("log recover --out @a --store @there", 66, "no log"),
        ]
        try await bench.expectComplaints(
            complaints.map { ($0.0.replacing("@", with: path("")), $0.1, $0.2) })
        #expect(try bench.names() == before)
        let inside = try bench.names(in: bench.store)
        #expect(!inside.contains { $0.contains("creating") || $0 == "a" || $0 == "copy" })
        // Found to be taken only when all is copied.
        try await bench.expectComplaints([
            ("log restore \(path("store")) --store \(path("new/../store"))", 73, "already exists")
        ])
    }

    @Test("keep what stands before a damage, and what stands after it beside it")
    func recovery() async throws {
        _ = try await bench.output("import", try bench.file("long.jsonl", LogImportTests.log))
        let lines = LogImportTests.log.split(separator: 10)
        var bytes = try Data(contentsOf: bench.dataFile)
        let sound = try await bench.object("log", "recover", "--out", path("sound"))
        #expect(try sound.integer("keptEvents") == LogImportTests.eventCount)
        #expect(sound.fields["firstMissing"] is NSNull)
        for offset in stride(from: bytes.count / 2, to: bytes.count / 2 + 4_096, by: 512) {
            bytes[offset] ^= 1
        }
        try bytes.write(to: bench.dataFile)
        try await bench.expect("log", "verify", status: 1)
        let figures = try await bench.expect("log", "stats", "--json", status: 1)
        #expect(try [1, 2].contains(Line(figures.text).integer("damagedBlocks")))
        try await bench.expect(
            "log", "backup", path("copy"), status: 65, says: "No backup was made")
        let end = try await bench.expect("log", "recover", "--json", "--out", path("out"))
        #expect(end.messages.isEmpty, "\(end.messages)")
        let said = try Line(end.text)
        let kept = try said.integer("keptEvents")
        #expect(try said.integer("firstMissing") == kept)
        let own = try await bench.output("export", "--store", path("out"))
        #expect(own.starts(with: lines.prefix(kept).joined(separator: [10])))
        #expect(own.split(separator: 10).count == kept + 2)
        let beyond = try Data(contentsOf: URL(filePath: path("out/beyond.jsonl")))
        let later = try #require(try said.objects("beyond").first)
        let range = try later.integer("from")..<later.integer("until")
        #expect(range.lowerBound > kept && range.upperBound == lines.count)
        #expect(Array(beyond) == Array(lines[range].joined(separator: [10])) + [10])
        try await bench.expect(
            "log", "recover", "--out", path("again"),
            says: "From position \(kept) on events are missing")
        #expect(try Data(contentsOf: bench.dataFile) == bytes)
        try await bench.expect("log", "rebuild", "--store", path("out"))
    }

    @Test("leave a store alone that is recorded to, when it is to be recovered")
    func recoverLive() async throws {
        let recorder = try bench.start(["record", "--simulate", "--json"])
        _ = try await recorder.line { $0.contains("characteristicNotified") }
        try await bench.expect(
            "log", "recover", "--out", path("out"), status: 75, says: "Stop that recorder first")
        #expect(try await bench.object("log", "backup", path("copy")).integer("events") > 0)
        await recorder.finish()
    }

    @Test(
        "end by the signal that comes meanwhile, and leave nothing", arguments: [SIGINT, SIGTERM])
    func interrupted(_ number: Int32) async throws {
        _ = try await bench.output("import", try bench.file("long.jsonl", LogImportTests.log))
        // Whether it comes before, during or after the copying is chance.
        var endings: Set<Int32> = []
        for round in 0..<(everythingIsTested ? 20 : 2) {
            let copy = try bench.start(["log", "backup", path("copy-\(round)")])
            copy.signal(number)
            let end = await copy.end
            endings.insert(end.status)
            #expect([0, -number].contains(end.status), "\(end.status) \(end.messages)")
            let isThere = FileManager.default.fileExists(atPath: path("copy-\(round)"))
            #expect(isThere == (end.status == 0))
        }
        #expect(try !bench.names().contains { $0.contains("creating") }, "\(endings)")
    }

    @Test("figures say where the bytes are")
    func statistics() async throws {
        try await bench.load("ordinary-walk")
        let line = try await bench.object("log", "stats")
        let lanes = try line.object("lanes").fields.values.compactMap { $0 as? Int }
        #expect(lanes.reduce(0, +) == 266)
        #expect(try line.integer("events") == 266)
        let bytes = try line.object("laneBytes").fields.values.compactMap { $0 as? Int }
        #expect(
            try bytes.reduce(0, +) + line.integer("orderBytes") + line.integer("headerBytes")
                == line.integer("blockBytes"))
        let kinds = try line.objects("kinds")
        #expect(try kinds.reduce(0) { try $0 + $1.integer("events") } == 266)
        #expect(
            try kinds.reduce(0) { try $0 + $1.integer("entryBytes") }
                + line.integer("sectionHeadBytes") == bytes.reduce(0, +))
        #expect(try kinds.contains { try $0.text("kind") == "characteristicNotified" })
        #expect(try line.integer("fileBytes") == line.integer("pages") * 4_096)
        #expect(
            try line.integer("usedBytes")
                == line.integer("fileBytes") - line.integer("freePages") * 4_096)
        #expect(try line.integer("head") == 265)
        #expect(try line.text("headAt") == "2026-03-01T09:02:35.923Z")
        #expect(try line.integer("readerSlotsInUse") == 0 && line.integer("damagedBlocks") == 0)
        let text = try await bench.run("log", "stats").text
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("/") })
    }

    /// Records a short walk into a store, and gives what was said.
    private func record(into name: String) async throws -> String {
        let end = try await bench.expect(
            "record", "--simulate", "--for", "1s", "--store", path(name))
        return end.messages
    }

    private func isSigned(_ name: String) async throws -> Bool {
        let end = try await bench.run("log", "verify", "--store", path(name))
        return end.status == 0 && end.text.contains("over all of them")
    }

    @Test("a copy by other means becomes a log of its own with its first event, and takes nothing")
    func copyBesideItsOriginal() async throws {
        let files = FileManager.default
        #expect(try await record(into: "a").isEmpty)
        try files.copyItem(atPath: path("a"), toPath: path("b"))
        try await bench.expect("log", "verify", "--store", path("b"))
        let said = try await record(into: "b")
        #expect(said.contains("is a copy of \(path("a"))"), "\(said)")
        #expect(try await record(into: "b").isEmpty, "It is said once.")
        #expect(try await record(into: "a").isEmpty)
        for name in ["a", "b"] { #expect(try await isSigned(name), "\(name)") }
        let origins = try await bench.run(
            "log", "cat", "--kind", "originBegan", "--json", "--store", path("b"))
        #expect(origins.lines.count == 2, "\(origins.text)")
        #expect(origins.lines.last?.contains("checkpoint") == true, "\(origins.text)")
        let ids = try ["a", "b"].map {
            try String(contentsOfFile: path($0) + "/log.id", encoding: .utf8)
        }
        #expect(ids[0] != ids[1])
        // Of a power cut before the new identity was written nothing is left to mend by hand.
        try files.removeItem(atPath: path("b") + "/log.id")
        #expect(try await record(into: "b").isEmpty)
        #expect(try await isSigned("b"))
    }

    @Test("a store that was moved, renamed, or copied away and back, is the same log", .slow)
    func moved() async throws {
        let files = FileManager.default
        #expect(try await record(into: "a").isEmpty)
        let id = try String(contentsOfFile: path("a") + "/log.id", encoding: .utf8)
        try files.moveItem(atPath: path("a"), toPath: path("b"))
        #expect(try await record(into: "b").isEmpty)
        try files.copyItem(atPath: path("b"), toPath: path("away"))
        try files.removeItem(atPath: path("b"))
        #expect(try await record(into: "away").isEmpty)
        try files.copyItem(atPath: path("away"), toPath: path("b"))
        try files.removeItem(atPath: path("away"))
        #expect(try await record(into: "b").isEmpty)
        #expect(try await isSigned("b"))
        #expect(try String(contentsOfFile: path("b") + "/log.id", encoding: .utf8) == id)
        // In the place of its original a copy is that log, also while the original is elsewhere.
        try files.moveItem(atPath: path("b"), toPath: path("elsewhere"))
        try files.copyItem(atPath: path("elsewhere"), toPath: path("b"))
        #expect(try await record(into: "b").isEmpty)
        #expect(try await record(into: "elsewhere").contains("is a copy of"))
    }
}
