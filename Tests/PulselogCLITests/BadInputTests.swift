import Foundation
import TestSupport
import Testing

/// What goes wrong is told in one sentence with what to do, and by the exit code of sysexits(3).
@Suite("Bad input")
struct BadInputTests {
    let bench = Workbench()

    @Test("is told in words, with what to do and the right exit code")
    func complaining() async throws {
        let (store, none) = (bench.store, bench.folder + "/none.jsonl")
        try await bench.expectComplaints([
            ("devices pair C4:00:00:00:00:01 --seconds 1", 69, "`pulselog doctor`"),
            ("pause", 66, "pulselog record"), ("mark here", 66, store), ("status", 66, store),
            ("steps", 66, store), ("audit steps", 66, store), ("audit explain", 66, store),
            ("audit check", 66, store), ("log verify", 66, store), ("replay store", 66, store),
            ("replay \(none)", 66, none), ("import \(none)", 66, "No such file"),
            ("record --replay \(none)", 66, none), ("replay \(bench.folder)", 66, "directory"),
            ("scan --seconds 1", 69, "bus cannot be reached"),
            ("walk", 64, "pulselog --help"), ("record --faster", 64, "pulselog record --help"),
            ("record --goal steps=none", 64, "steps=6000"),
            ("record --replay x --simulate", 64, "exclude each other"),
            ("record --simulate --events --json", 64, "--events and --json exclude each other"),
            ("scan --seconds 0", 64, "1 to 600"), ("decode 2a3 00", 64, "2a37"),
            ("decode 2a37 0", 64, "two digits for each byte"),
            ("decode 2a37 xy", 64, "write one as"), ("profile set height=7cm", 64, "height=180cm"),
            ("health 8000 --day whenever", 64, "2026-03-01"),
        ])
    }

    // MARK: - Captures

    static let capture = ReplayCase("malformed")

    @Test("gives what is whole of a capture that was cut off, labelled partial; imports none of it")
    func truncated() async throws {
        let bytes = try Self.capture.bytes(of: "capture.jsonl")
        let path = try bench.file("cut.jsonl", Array(bytes.dropLast(40)))
        let replay = try await bench.expect("replay", path, "--json", status: 65)
        let message = try Line(replay.messages).object("error").text("message")
        #expect(message.hasPrefix("\(path): partial: Line 37"))
        #expect(try Line(replay.text).integer("events") == 36)
        try await bench.expect("import", path, status: 65, says: "Nothing was imported")
        var lines = try Self.capture.lines
        lines[6] = #"{"position":6,garbage}"#
        let bad = try bench.file("bad.jsonl", lines.joined(separator: "\n"))
        try await bench.expectComplaints([("replay \(bad)", 65, "\(bad): Line 7")])
        #expect(!FileManager.default.fileExists(atPath: bench.store))
    }

    @Test("refuses to import what is no whole log, and finds its own walks known")
    func importing() async throws {
        let lines = try Self.capture.lines
        let part = try bench.file("part.jsonl", lines[1...].joined(separator: "\n"))
        try await bench.expect("import", part, status: 65)
        try await bench.load(Self.capture.name)
        try await bench.expect(
            "import", Self.capture.capture, says: "0 new walks", "1 known already")
        try await bench.expect("import", part, status: 65)
        #expect(try await bench.run("export").lines == lines)
    }

    // MARK: - Stores

    @Test(
        "says what stands where the store should be, and leaves it alone",
        arguments: [("store", "--store"), ("store/data.mdb", "store")])
    func alienStore(_ name: String, _ words: String) async throws {
        let bytes = (0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try bench.file(name, bytes)
        try await bench.expectComplaints([
            ("status", 65, bench.store), ("record --simulate", 65, words),
            ("profile set height=180cm", 65, words),
        ])
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
    }

    @Test("refuses a store that may not be written", .enabled(if: getuid() != 0))
    func readOnlyStore() async throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o500]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: bench.folder)
        defer { chmod(bench.folder, 0o700) }
        try await bench.expect("record", "--simulate", status: 77, says: bench.store)
    }
}
