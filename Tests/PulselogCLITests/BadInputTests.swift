import Foundation
import TestSupport
import Testing

/// What goes wrong is told in one sentence with what to do, and by the exit code of sysexits(3).
@Suite("Bad input")
struct BadInputTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// A command that fails whatever the machine: arguments, exit code, and what it says.
    struct Complaint: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let status: Int32
        let words: [String]

        init(_ arguments: String, _ status: Int32, _ words: String...) {
            self.arguments = arguments.split(separator: " ").map(String.init)
            self.status = status
            self.words = words
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    /// `FOLDER` stands for the test's folder, which holds no store.
    static let complaints = [
        Complaint("walk", 64, "walk", "pulselog --help"),
        Complaint("record --faster", 64, "--faster", "pulselog record --help"),
        Complaint("record --goal steps=none", 64, "steps=6000"),
        Complaint("record --replay x --simulate", 64, "exclude each other"),
        Complaint("scan --seconds 0", 64, "1 to 600"),
        Complaint("decode 2a3 00", 64, "2a37"),
        Complaint("decode 2a37 0", 64, "two digits for each byte"),
        Complaint("decode 2a37 xy", 64, "write one as"),
        Complaint("profile set height=7cm", 64, "height=180cm"),
        Complaint("health 8000 --day yesterday", 64, "2026-03-01"),
        Complaint("pause", 66, "FOLDER/store", "pulselog record"),
        Complaint("mark here", 66, "FOLDER/store", "pulselog record"),
        Complaint("replay FOLDER/none.jsonl", 66, "FOLDER/none.jsonl", "No such file"),
        Complaint("import FOLDER/none.jsonl", 66, "FOLDER/none.jsonl", "No such file"),
        Complaint("record --replay FOLDER/none.jsonl", 66, "FOLDER/none.jsonl"),
        Complaint("replay FOLDER", 66, "FOLDER", "directory"),
        Complaint("replay store", 66, "FOLDER/store", "pulselog record"),
        Complaint("status", 66, "FOLDER/store", "pulselog record"),
        Complaint("steps", 66, "FOLDER/store", "pulselog record"),
        Complaint("audit steps", 66, "FOLDER/store", "pulselog record"),
        Complaint("audit explain", 66, "FOLDER/store", "pulselog record"),
        Complaint("audit check", 66, "FOLDER/store", "pulselog record"),
        Complaint("log verify", 66, "FOLDER/store", "pulselog record"),
        Complaint("scan --seconds 1", 69, "bus cannot be reached", "Is dbus running?"),
        Complaint(
            "devices pair C4:00:00:00:00:01 --seconds 1", 69, "was not seen", "Is dbus running?"),
    ]

    @Test("is told in words, with what to do and the right exit code", arguments: complaints)
    func complaining(_ complaint: Complaint) async throws {
        let arguments = complaint.arguments.map { $0.replacing("FOLDER", with: bench.folder) }
        let end = try await bench.start(arguments).end
        #expect(end.status == complaint.status, "\(end.messages)")
        #expect(end.output.isEmpty)
        for words in complaint.words {
            let words = words.replacing("FOLDER", with: bench.folder)
            #expect(end.messages.contains(words), "\(end.messages)")
        }
        if end.messages.hasPrefix("pulselog: ") {
            #expect(end.messages.split(separator: "\n").count == 1)
        }
    }

    // MARK: - Captures

    static let capture = GoldenReplayTests.Case(name: "malformed")

    @Test("names the line of a capture that is no event, and imports nothing")
    func garbage() async throws {
        var lines = try Self.capture.bytes(of: "capture.jsonl").split(separator: UInt8(ascii: "\n"))
        lines[6] = ArraySlice("{\"position\":6,garbage}".utf8)
        let path = try bench.file("garbage.jsonl", Array(lines.joined(separator: [10])))
        for command in ["replay", "import"] {
            let end = try await bench.run(command, path)
            #expect(end.status == 65)
            #expect(end.output.isEmpty)
            #expect(end.messages.contains(path) && end.messages.contains("ine 7"))
        }
        #expect(!FileManager.default.fileExists(atPath: bench.store))
    }

    @Test("gives what is whole of a capture that was cut off, labelled partial; imports none of it")
    func truncated() async throws {
        let bytes = try Self.capture.bytes(of: "capture.jsonl")
        let path = try bench.file("cut.jsonl", Array(bytes.dropLast(40)))
        let replay = try await bench.run("replay", path, "--json")
        #expect(replay.status == 65)
        let message = try Line(replay.messages).object("error").text("message")
        #expect(message.hasPrefix("\(path): partial: Line 37"))
        #expect(try Line(replay.text).integer("events") == 36)
        let imported = try await bench.run("import", path)
        #expect(imported.status == 65)
        #expect(imported.messages.contains("Nothing was imported"))
        #expect(!FileManager.default.fileExists(atPath: bench.store))
    }

    @Test("refuses to import what is no whole log, and finds its own walks known")
    func importing() async throws {
        let bytes = try Self.capture.bytes(of: "capture.jsonl")
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        let part = try bench.file("part.jsonl", Array(lines[1...].joined(separator: [10])))
        #expect(try await bench.run("import", part).status == 65)
        _ = try await bench.output("import", Self.capture.capture)
        let again = try await bench.run("import", Self.capture.capture)
        #expect(again.status == 0)
        #expect(again.text.contains("0 new walks") && again.text.contains("1 known already"))
        #expect(try await bench.run("import", part).status == 65)
        #expect(try await bench.output("export") == bytes)
    }

    @Test("keeps the events of a newer version, and shows them")
    func newerKinds() async throws {
        _ = try await bench.output("import", GoldenReplayTests.Case(name: "newer-events").capture)
        let log = try await bench.run("log", "cat")
        #expect(log.lines.filter { $0.contains("event of a newer version") }.count == 3)
        #expect(try await bench.run("log", "verify").status == 0)
    }

    // MARK: - Stores

    @Test("says that a file stands where the store should be")
    func storeIsFile() async throws {
        let path = try bench.file("store", [1, 2, 3])
        for command in ["status", "record --simulate", "profile set height=180cm"] {
            let arguments = command.split(separator: " ").map(String.init)
            let end = try await bench.start(arguments).end
            #expect(end.status == 65, "\(arguments): \(end.messages)")
            #expect(end.messages.contains(path) && end.messages.contains("--store"))
            #expect(end.messages.split(separator: "\n").count == 1)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
    }

    @Test("leaves alone what is no log of ours")
    func alienStore() async throws {
        let folder = URL(filePath: bench.store)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bytes = Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bytes.write(to: folder.appending(path: "data.mdb"))
        for arguments in [["status"], ["record", "--simulate"]] {
            let end = try await bench.start(arguments).end
            #expect(end.status == 65, "\(arguments): \(end.messages)")
            #expect(end.messages.split(separator: "\n").count == 1)
        }
        #expect(try Data(contentsOf: folder.appending(path: "data.mdb")) == bytes)
    }

    @Test("refuses a store that may not be written", .enabled(if: getuid() != 0))
    func readOnlyStore() async throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o500]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: bench.folder)
        defer { chmod(bench.folder, 0o700) }
        let end = try await bench.run("record", "--simulate")
        #expect(end.status == 77)
        #expect(end.messages.contains(bench.store))
    }

    @Test("refuses a second recorder and names the first one's process")
    func secondRecorder() async throws {
        let first = try bench.start(["record", "--simulate", "--json"])
        try await first.line { $0.contains(#""kind":"sessionStarted""#) }
        let second = try await bench.run("record", "--simulate")
        #expect(second.status == 75)
        #expect(second.messages.contains("process \(first.processID)"))
        #expect(second.messages.contains("`pulselog finish` ends it"))
        first.signal(SIGINT)
        #expect(await first.end.status == 0)
    }
}
