import Foundation
import TestSupport
import Testing

/// Stores that are made of stores: whole, or not at all.
@Suite("pulselog log backup, restore and recover")
struct LogCopyTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    private func path(_ name: String) -> String { "\(bench.folder)/\(name)" }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bench.folder).sorted()
    }

    private func makeStore() async throws {
        let capture = GoldenReplayTests.Case(name: "ordinary-walk").capture
        _ = try await bench.output("import", capture)
    }

    @Test("back up a log while it is recorded to: what is shown is a whole store")
    func whileRecording() async throws {
        let recorder = try bench.start(["record", "--simulate", "--json"])
        for number in 0..<5 {
            _ = try await recorder.line { $0.contains("characteristicNotified") }
            let copy = path("backup-\(number)")
            let flags = number % 2 == 0 ? [] : ["--compact"]
            let end = try await bench.start(["log", "backup", copy, "--json"] + flags).end
            #expect(end.status == 0, "\(end.messages)")
            let said = try Line(end.text)
            let verified = try Line(
                String(
                    decoding: try await bench.output("log", "verify", "--json", "--store", copy),
                    as: UTF8.self))
            #expect(try verified.integer("events") == said.integer("events"))
            let lines = try await bench.output("export", "--store", copy)
            #expect(try await bench.output("export").starts(with: lines))
        }
        recorder.signal(SIGINT)
        #expect(await recorder.end.status == 0)
    }

    @Test("say what they made, and a walk goes on in what was restored")
    func words() async throws {
        try await makeStore()
        let backup = try await bench.run("log", "backup", path("copy"), "--compact")
        #expect(
            backup.text.hasPrefix(
                "266 events, 36,864 bytes, the last event at 2026-03-01 10:02:35"),
            "\(backup.text)\(backup.messages)")
        #expect(backup.text.contains("Verified, in \(path("copy"))\nCompacted from "))
        let restored = try await bench.run("log", "restore", path("copy"), "--store", path("new"))
        #expect(restored.text.hasPrefix("268 events, "), "\(restored.text)\(restored.messages)")
        #expect(restored.text.contains("with a new origin"))
        let lines = try await bench.output("export")
        let own = try await bench.output("export", "--store", path("new"))
        #expect(own.starts(with: lines))
        let begun = try String(decoding: own.dropFirst(lines.count), as: UTF8.self)
            .split(separator: "\n").map { try Line(String($0)) }
        #expect(try begun.map { try $0.text("kind") } == ["originBegan", "bootBegan"])
        #expect(try begun[0].text("cause") == "restored")
        let record = try await bench.run(
            "record", "--simulate", "--for", "1s", "--store", path("new"))
        #expect(record.status == 0, "\(record.messages)")
        #expect(try await bench.run("audit", "check", "--store", path("new")).status == 0)
        #expect(try await bench.output("export") == lines)
    }

    @Test("blame what fails, and not the store that is copied")
    func blame() async throws {
        try await makeStore()
        let end = try await bench.run("log", "backup", "/proc/copy")
        #expect(end.status == 74 && end.messages.contains("/proc/copy"), "\(end.messages)")
        #expect(!end.messages.contains(bench.store), "\(end.messages)")
    }

    @Test("say what a backup lacks that is older than what was signed")
    func older() async throws {
        try await makeStore()
        _ = try await bench.output("log", "backup", path("copy"))
        let capture = try bench.file("values.txt", Array("[0, 70]\n[0, 71]\n".utf8))
        _ = try await bench.output(
            "import", capture, "--as", "lines", "--begin", "1970-01-01T00:00:00Z")
        let text = try await bench.run("log", "restore", path("copy"), "--store", path("a")).text
        #expect(text.contains("Not in it, as the backup is older: 1 block of events"), "\(text)")
        let line = try await bench.run(
            "log", "restore", path("copy"), "--store", path("b"), "--json")
        #expect(try Line(line.text).integer("laterBlocks") == 1)
        let new = try await bench.run("log", "restore", bench.store, "--store", path("c")).text
        #expect(!new.contains("Not in it"), "\(new)")
    }

    /// A use that is refused.
    struct Refusal: CustomTestStringConvertible {
        let arguments: String
        let status: Int32
        let words: String

        var testDescription: String { arguments }
    }

    static let refusals = [
        Refusal(arguments: "log backup there", status: 73, words: "already exists"),
        Refusal(arguments: "log backup file", status: 73, words: "already exists"),
        Refusal(arguments: "log backup store", status: 73, words: "already exists"),
        Refusal(arguments: "log backup store/copy", status: 73, words: "in the store itself"),
        Refusal(arguments: "log backup there/../store/a", status: 73, words: "in the store itself"),
        Refusal(
            arguments: "log backup \(String(repeating: "n", count: 256))", status: 73,
            words: "longer than 255 bytes"),
        Refusal(
            arguments: "log backup .local/state/pulselog", status: 73, words: "already exists"),
        Refusal(
            arguments: "log backup .local/state/pulselog/a", status: 73, words: "keys of logs"),
        Refusal(arguments: "log backup nowhere/copy", status: 73, words: "is mounted"),
        Refusal(arguments: "log backup file/copy", status: 73, words: "is not a folder"),
        Refusal(arguments: "log backup", status: 64, words: "dir"),
        Refusal(arguments: "log backup copy --store nowhere", status: 66, words: "no log"),
        Refusal(arguments: "log restore store", status: 73, words: "already exists"),
        Refusal(arguments: "log restore nowhere --store new", status: 66, words: "no log"),
        Refusal(arguments: "log restore nowhere --store new", status: 66, words: "Name the folder"),
        Refusal(arguments: "log restore file --store new", status: 65, words: "Nothing was"),
        Refusal(arguments: "log restore file --store new", status: 65, words: "not a log that"),
        Refusal(arguments: "log restore store --store store/a", status: 73, words: "store itself"),
        Refusal(arguments: "log restore", status: 64, words: "backup"),
        Refusal(arguments: "log recover", status: 64, words: "--out"),
        Refusal(arguments: "log recover --out there", status: 73, words: "already exists"),
        Refusal(arguments: "log recover --out store/a", status: 73, words: "store itself"),
        Refusal(arguments: "log recover --out a --store nowhere", status: 66, words: "no log"),
        Refusal(arguments: "log recover --out a --store there", status: 66, words: "no log"),
    ]

    @Test("are refused with a sentence, and make nothing", arguments: refusals)
    func refused(_ refusal: Refusal) async throws {
        try await makeStore()
        try FileManager.default.createDirectory(
            atPath: path("there"), withIntermediateDirectories: false)
        try FileManager.default.createDirectory(
            atPath: path(".local/state/pulselog"), withIntermediateDirectories: true)
        _ = try bench.file("file", [1])
        let before = try names()
        let words = refusal.arguments.split(separator: " ").map { word in
            word.hasPrefix("-") || ["log", "backup", "restore", "recover"].contains(word)
                ? String(word) : path(String(word))
        }
        let end = try await bench.start(words).end
        #expect(end.status == refusal.status, "\(end.status): \(end.messages)")
        #expect(end.messages.contains(refusal.words), "\(end.messages)")
        #expect(end.output.isEmpty && end.messages.hasSuffix("\n"))
        #expect(try names() == before)
        let inside = try FileManager.default.contentsOfDirectory(atPath: bench.store)
        #expect(!inside.contains { $0.contains("creating") || $0 == "a" || $0 == "copy" })
    }

    @Test("say that the disk is full, and leave nothing", .enabled(if: SmallDisk.isPossible))
    func fullDisk() async throws {
        _ = try await bench.output(
            "import", try bench.file("long.jsonl", LogImportTests.log))
        try FileManager.default.createDirectory(
            atPath: path("disk"), withIntermediateDirectories: false)
        let disk = try SmallDisk(on: path("disk"))
        defer { disk.unmount() }
        let uses = [
            ["log", "backup", path("disk/copy")],
            ["log", "backup", path("disk/copy"), "--compact"],
            ["log", "restore", bench.store, "--store", path("disk/copy")],
            ["log", "recover", "--out", path("disk/copy")],
        ]
        for use in uses {
            let end = try await bench.start(use).end
            #expect(end.status == 74, "\(use): \(end.messages)")
            #expect(end.messages.contains("disk is full"), "\(use): \(end.messages)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: path("disk")).isEmpty)
        }
    }

    @Test("keep what stands before a damage, and what stands after it beside it")
    func recovery() async throws {
        _ = try await bench.output("import", try bench.file("long.jsonl", LogImportTests.log))
        let lines = LogImportTests.log.split(separator: 10)
        let file = URL(filePath: bench.store + "/data.mdb")
        var bytes = try Data(contentsOf: file)
        let sound = try Line(
            String(
                decoding: try await bench.output(
                    "log", "recover", "--json", "--out", path("sound")),
                as: UTF8.self))
        #expect(try sound.integer("keptEvents") == LogImportTests.eventCount)
        #expect(sound.fields["firstMissing"] is NSNull)
        for offset in stride(from: bytes.count / 2, to: bytes.count / 2 + 4_096, by: 512) {
            bytes[offset] ^= 1
        }
        try bytes.write(to: file)
        #expect(try await bench.run("log", "verify").status == 1)
        let figures = try await bench.run("log", "stats", "--json")
        #expect(figures.status == 1, "\(figures.messages)")
        #expect(try [1, 2].contains(Line(figures.text).integer("damagedBlocks")))
        let refused = try await bench.run("log", "backup", path("copy"))
        #expect(refused.status == 65 && refused.messages.contains("No backup was made"))
        let end = try await bench.run("log", "recover", "--json", "--out", path("out"))
        #expect(end.status == 0 && end.messages.isEmpty, "\(end.messages)")
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
        let words = try await bench.run("log", "recover", "--out", path("again"))
        #expect(words.text.contains("From position \(kept) on events are missing"))
        #expect(try Data(contentsOf: file) == bytes)
        let folded = try await bench.run("log", "rebuild", "--store", path("out"))
        #expect(folded.status == 0, "\(folded.messages)")
    }

    @Test("leave a store alone that is recorded to, when it is to be recovered")
    func recoverLive() async throws {
        let recorder = try bench.start(["record", "--simulate", "--json"])
        _ = try await recorder.line { $0.contains("characteristicNotified") }
        let end = try await bench.run("log", "recover", "--out", path("out"))
        #expect(end.status == 75 && end.messages.contains("Stop that recorder first"))
        recorder.signal(SIGINT)
        #expect(await recorder.end.status == 0)
    }

    @Test(
        "end by the signal that comes meanwhile, and leave nothing", arguments: [SIGINT, SIGTERM])
    func interrupted(_ number: Int32) async throws {
        _ = try await bench.output("import", try bench.file("long.jsonl", LogImportTests.log))
        // Whether it comes before, during or after the copying is chance.
        var endings: Set<Int32> = []
        for round in 0..<20 {
            let copy = try bench.start(["log", "backup", path("copy-\(round)")])
            copy.signal(number)
            let end = await copy.end
            endings.insert(end.status)
            #expect([0, -number].contains(end.status), "\(end.status) \(end.messages)")
            let isThere = FileManager.default.fileExists(atPath: path("copy-\(round)"))
            #expect(isThere == (end.status == 0))
        }
        #expect(try !names().contains { $0.contains("creating") }, "\(endings)")
    }

    @Test("of two at once to one name, one makes it whole and the other is refused")
    func twoAtOnce() async throws {
        _ = try await bench.output("import", try bench.file("long.jsonl", LogImportTests.log))
        for round in 0..<5 {
            let copy = path("copy-\(round)")
            let programs = try (0..<3).map { _ in try bench.start(["log", "backup", copy]) }
            var statuses: [Int32] = []
            for program in programs {
                let end = await program.end
                statuses.append(end.status)
                if end.status == 73 {
                    #expect(end.messages.contains("already exists"), "\(end.messages)")
                }
            }
            #expect(statuses.sorted() == [0, 73, 73], "\(statuses)")
            #expect(try await bench.output("export", "--store", copy) == LogImportTests.log)
        }
        #expect(try !names().contains { $0.contains("creating") })
    }

    @Test("figures say where the bytes are")
    func statistics() async throws {
        try await makeStore()
        let line = try Line(
            String(decoding: try await bench.output("log", "stats", "--json"), as: UTF8.self))
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
        let end = try await bench.run(
            "record", "--simulate", "--for", "1s", "--store", path(name))
        #expect(end.status == 0, "\(end.messages)")
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
        #expect(try await bench.run("log", "verify", "--store", path("b")).status == 0)
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

    @Test("a store that was moved, renamed, or copied away and back, is the same log")
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
