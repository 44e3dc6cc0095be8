import Foundation
import TestSelection
import TestSupport
import Testing

/// `import` of another machine's log into a store that has one.
@Suite("Another machine's log", .timeLimit(.minutes(5)))
struct OtherLogImportTests {
    let bench = Workbench()

    private static let cases = [
        "crash", "drops", "flight-west", "foot-pod", "left-open", "malformed", "midnight",
        "ordinary-walk", "simulated-walk", "track", "two-straps",
    ]

    /// The walks of a store that are over, without what tells where their events stand.
    private func walks(in store: String) async throws -> [String] {
        try await bench.objects("sessions", "list", "--store", store).filter {
            try $0.text("state") == "ended" && !$0.flag("simulated")
        }.map { walk in
            try walk.text { $0 == "source" || $0.lowercased().hasSuffix("position") }
        }
    }

    /// The store of the other machine, which holds a capture.
    private func otherStore(of name: String) async throws -> String {
        let other = "\(bench.folder)/pi"
        _ = try await bench.output("import", ReplayCase(name).capture, "--store", other)
        return other
    }

    private func export(_ store: String) async throws -> [UInt8] {
        try await bench.output("export", "--store", store)
    }

    @Test(
        "brings walks with all their figures, however often it grew before",
        arguments: sample(cases))
    func figures(_ name: String) async throws {
        let other = try await otherStore(of: name)
        _ = try await bench.output("health", "1", "--day", "2026-01-01")
        let lines = try ReplayCase(name).lines
        var random = SeededGenerator(seed: UInt64(lines.count))
        for _ in 0..<3 {
            let part = lines.prefix(1 + Int(random.below(UInt64(lines.count))))
            try await bench.expect("import", bench.log("pi.jsonl", of: part))
        }
        _ = try await bench.output("import", other)
        #expect(try await walks(in: bench.store) == walks(in: other))
        try await bench.expect("audit", "check")
        try await bench.expect("log", "verify")
        // Nothing is there twice, nor comes again.
        let whole = try await export(bench.store)
        let file = try bench.file("again.jsonl", try await export(other))
        try await bench.expect("import", file, "--machine", "pi", says: "0 new walks of another")
        #expect(try await bench.output("import", other) != [])
        #expect(try await export(bench.store) == whole)
    }

    @Test(
        "reports its days as a health store does, named apart from what it is, and none twice",
        arguments: ["Apple Health", "א”; walked by \"C4\u{202E}"])
    func days(_ name: String) async throws {
        let other = try await otherStore(of: "ordinary-walk")
        _ = try await bench.output("health", "100", "--day", "2026-03-01")
        let answer = try await bench.object("import", other, "--machine", name)
        #expect(try answer.integer("walks") == 1 && answer.integer("reported") == 1)
        let (day, proof) = ("--day=2026-03-01", "\(bench.folder)/proof")
        let made = try await bench.object("audit", "prove", day, "--steps", "--out", proof)
        let check = ["check-proof", proof, "--key", try made.text("key")]
        let shown = name == "Apple Health" ? "Apple Health”" : "א'; walked by 'C4"
        for command in [["steps", day], ["explain", day], ["check", day], check] {
            let words = try await bench.expect(["audit"] + command).text
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("by another machine's log, called “\(shown)"), "\(words)")
            try await bench.expect(["audit"] + command + ["--json"], says: "Kind\":\"anotherLog")
        }
        // What came from there says nothing new there.
        let back = try bench.file("back.jsonl", try await export(bench.store))
        let before = try await export(other)
        _ = try await bench.output("import", back, "--store", other)
        #expect(try await export(other) == before)
    }

    @Test("leaves out what the other machine has made up or imported, and says so")
    func leftOut() async throws {
        let other = try await otherStore(of: "simulated-walk")
        let attic = "\(bench.folder)/attic"
        let flight = ReplayCase("flight-west").capture
        _ = try await bench.output("import", flight, "--store", attic)
        _ = try await bench.output("import", attic, "--store", other)
        try await bench.expect("import", other, status: 64, says: "--machine")
        let answer = try await bench.object("import", other, "--machine", "pi")
        #expect(try answer.integer("simulatedEvents") > 0)
        #expect(try answer.integer("importedEvents") > 90)
        #expect(try await walks(in: bench.store).count == 1)
    }

    @Test("is refused whole where it was changed, and where it is the store itself")
    func refused() async throws {
        let other = try await otherStore(of: "ordinary-walk")
        _ = try await bench.output("health", "100", "--day", "2026-01-01")
        let before = try await export(bench.store)
        // With its end, which says what was exported.
        let whole = "\(bench.folder)/whole.jsonl"
        _ = try await bench.output("export", "--store", other, "--out", whole)
        let changed = try String(contentsOfFile: whole, encoding: .utf8)
            .replacing("\"bootNumber\":0", with: "\"bootNumber\":1")
        let file = try bench.file("changed.jsonl", changed)
        try await bench.expect("import", file, status: 65, says: "changed")
        try await bench.expect("import", bench.store, status: 64)
        try bench.damage("CET", in: URL(filePath: other + "/data.mdb"))
        try await bench.expect("import", other, status: 65)
        #expect(try await export(bench.store) == before)
    }
}
